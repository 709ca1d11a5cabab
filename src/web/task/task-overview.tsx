// The task as a whole: its text, its dependencies, its diff, and its last evidence.
import { memo, lazy, type ReactNode, Suspense } from 'react'
import type { Task } from '../../core/task/task.ts'
import type { TaskDetail } from '../../operations/contract/task-detail.ts'
import { CopyLine } from '../parts/copy-line.tsx'
import { Loading } from '../parts/loading.tsx'
import { Panel } from '../parts/panel.tsx'
import { ForeignText } from '../parts/foreign-text.tsx'
import { Link } from '../router.tsx'
import { Evidence } from './evidence.tsx'

const Diff = lazy(() => import('./diff.tsx').then(({ Diff: diff }) => ({ default: diff })))

interface TaskOverviewProps {
  readonly task: Task
  readonly build: string
  readonly detail: TaskDetail
}

function TaskOverviewDrawn({ task, build, detail }: TaskOverviewProps) {
  const last = detail.evidence.at(-1)
  return (
    <div className="min-w-0 space-y-4">
      <Panel title="What is wanted">
        <div className="space-y-3">
          {task.description !== null && <ForeignText text={task.description} />}
          <List title="Acceptance" lines={task.acceptance} />
          <List title="Steps" lines={task.steps} />
          <List title="Files that are expected" lines={task.filesExpected} />
          {task.deps.length > 0 && (
            <Part title="After">
              {task.deps.map((id) => (
                <Link
                  key={id}
                  to={{ at: 'task', build, task: id, session: null }}
                  className="mr-2 font-mono text-xs text-accent hover:underline"
                >
                  {id}
                </Link>
              ))}
            </Part>
          )}
          {detail.folder !== null && (
            <Part title="Its folder">
              <CopyLine text={detail.folder} label="the folder" />
            </Part>
          )}
        </div>
      </Panel>
      {last !== undefined && <Evidence evidence={last} />}
      {detail.iterations.length > 0 && (
        <section aria-label="What it changed">
          <h2 className="mb-2 text-sm font-semibold">What it changed</h2>
          <Suspense fallback={<Loading />}>
            <Diff build={build} task={task.id} session={null} />
          </Suspense>
        </section>
      )}
    </div>
  )
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div>
      <h3 className="mb-1 text-xs font-semibold text-soft">{title}</h3>
      {children}
    </div>
  )
}

function List({ title, lines }: { readonly title: string; readonly lines: readonly string[] }) {
  if (lines.length === 0) return null
  return (
    <Part title={title}>
      <ul className="list-disc space-y-0.5 pl-5">
        {lines.map((line) => (
          <li key={line}>
            <ForeignText text={line} />
          </li>
        ))}
      </ul>
    </Part>
  )
}

/** Facts arrive many times a second; unchanged parts must not be drawn again. */
export const TaskOverview = memo(TaskOverviewDrawn)
