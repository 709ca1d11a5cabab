// The evidence of each merged task: the commit, the checks that ran on its tree, and the command to run them again.
import { useInfiniteQuery } from '@tanstack/react-query'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { ProvedTask } from '../../operations/contract/evidence.ts'
import { server } from '../server.ts'
import { Badge } from '../parts/badge.tsx'
import { Button } from '../parts/button.tsx'
import { CopyLine } from '../parts/copy-line.tsx'
import { Loading } from '../parts/loading.tsx'
import { Panel } from '../parts/panel.tsx'
import { Problem } from '../parts/problem.tsx'
import { ForeignText } from '../parts/foreign-text.tsx'
import { StrengthLine } from '../words/strength-line.tsx'
import { Link } from '../router.tsx'

const PAGE = 100

/** `merged`: the number of merged tasks; a change reads the evidence again. */
export function EvidenceTable({ build, merged }: { readonly build: string; readonly merged: number }) {
  const proved = useInfiniteQuery({
    queryKey: ['evidence', build, merged],
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: PAGE, ...(pageParam === '' ? {} : { after: pageParam }) }
      return server.evidence({ id: build, ...query }, { signal })
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: (before) => before,
  })
  const tasks = proved.data?.pages.flatMap((page) => page.tasks) ?? []
  return (
    <Panel title="Evidence" flush>
      {proved.isError && <Problem error={proved.error} onRetry={() => void proved.refetch()} />}
      {proved.isPending && <Loading />}
      {proved.isSuccess && tasks.length === 0 && (
        <p className="p-4 text-soft">
          Nothing is merged yet. A task is merged when the checks that the engine ran itself are green on exactly its
          tree; each is listed here with the command that runs it again.
        </p>
      )}
      {tasks.length > 0 && <Table build={build} tasks={tasks} />}
      {proved.hasNextPage && (
        <div className="border-t border-line p-3 text-center">
          <Button onClick={() => void proved.fetchNextPage()} isBusy={proved.isFetchingNextPage}>
            More tasks
          </Button>
        </div>
      )}
    </Panel>
  )
}

const HEADS = ['Task', 'Commit', 'Check', 'Exit', 'Run', 'Failed', 'Skipped', 'Evidence', 'Run it again'] as const

function Table({ build, tasks }: { readonly build: string; readonly tasks: readonly ProvedTask[] }) {
  return (
    <div role="region" aria-label="Evidence table" tabIndex={0} className="overflow-x-auto">
      <table className="w-full border-collapse text-sm">
        <thead>
          <tr className="text-left text-xs text-soft">
            {HEADS.map((head) => (
              <th key={head} scope="col" className="px-3 py-2 font-medium whitespace-nowrap">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        {tasks.map((task) => (
          <TaskRows key={task.taskId} build={build} task={task} />
        ))}
      </table>
    </div>
  )
}

type Check = ProvedTask['checks'][number]

function TaskRows({ build, task }: { readonly build: string; readonly task: ProvedTask }) {
  const { taskId, title, commit, digest, acceptedBy, checks } = task
  const [open, setOpen] = useState<string | null>(null)
  const rows: readonly (Check | null)[] = checks.length === 0 ? [null] : checks
  return (
    <tbody className="border-t border-line align-top">
      {rows.map((check, index) => (
        <tr key={check?.name ?? ''}>
          {index === 0 && (
            <>
              <th scope="rowgroup" rowSpan={rows.length} className="min-w-64 px-3 py-2 text-left font-normal">
                <Link to={{ at: 'task', build, task: taskId, session: null }}>
                  <ForeignText text={title} />
                </Link>
                <span className="mt-1 block max-w-96 text-xs">
                  <StrengthLine strength={task.strength} sentence={task.sentence} />
                </span>
                {task.cleared !== null && (
                  <span className="mt-1 block max-w-96 text-xs text-soft">
                    Cleared by {task.cleared.by}: <ForeignText text={task.cleared.reasons.join('; ')} />
                  </span>
                )}
              </th>
              <td rowSpan={rows.length} className="px-3 py-2 font-mono text-xs leading-5" title={commit}>
                {commit.slice(0, 10)}
              </td>
            </>
          )}
          <CheckCells check={check} acceptedBy={acceptedBy} />
          {index === 0 && (
            <td rowSpan={rows.length} className="px-3 py-2 font-mono text-xs leading-5" title={digest ?? undefined}>
              {digest === null ? 'none' : digest.replace('sha256:', '').slice(0, 12)}
            </td>
          )}
          <td className="px-3 py-1.5">
            {check !== null && check.rerun !== null && (
              <Opener
                name={check.name}
                isOpen={open === check.name}
                onTurn={() => setOpen(open === check.name ? null : check.name)}
              />
            )}
          </td>
        </tr>
      ))}
      {checks.map(({ name, rerun, outputDigest }) =>
        open !== name || rerun === null ? null : (
          <tr key={`${name} again`}>
            <td colSpan={HEADS.length} className="px-3 pb-3">
              <div className="sticky left-3 max-w-[calc(100vw-3.5rem)]">
                <CopyLine text={rerun} label={`the command of ${name}`} />
                <p className="mt-1 font-mono text-xs break-all text-soft">
                  evidence {digest} · output {outputDigest}
                </p>
              </div>
            </td>
          </tr>
        ),
      )}
    </tbody>
  )
}

function CheckCells({ check, acceptedBy }: { readonly check: Check | null; readonly acceptedBy: string | null }) {
  if (check === null)
    return (
      <td colSpan={5} className="px-3 py-2">
        {acceptedBy === null ? (
          'The evidence is not kept here.'
        ) : (
          <Badge tone="ask" word={`accepted by ${acceptedBy}`} />
        )}
      </td>
    )
  const { tests } = check
  const number = (value: number | undefined): string => (value === undefined ? '–' : String(value))
  return (
    <>
      <td className="px-3 py-2">
        <span className="flex items-center gap-1.5 whitespace-nowrap">
          <Badge tone={check.isGreen ? 'good' : 'bad'} word={check.isGreen ? 'green' : 'red'} />
          {check.name}
        </span>
      </td>
      <td className="px-3 py-2 tabular-nums">{check.exit ?? check.how}</td>
      <td className="px-3 py-2 tabular-nums">{number(tests?.run)}</td>
      <td className="px-3 py-2 tabular-nums">{number(tests?.failed)}</td>
      <td className="px-3 py-2 tabular-nums">{number(tests?.skipped)}</td>
    </>
  )
}

interface OpenerProps {
  readonly name: string
  readonly isOpen: boolean
  readonly onTurn: () => void
}

function Opener({ name, isOpen, onTurn }: OpenerProps) {
  const Turn = isOpen ? ChevronDown : ChevronRight
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-label={`The command that runs ${name} again`}
      onClick={onTurn}
      className="inline-flex items-center gap-1 rounded-md px-1.5 py-0.5 text-xs text-accent hover:bg-sunken"
    >
      <Turn size={14} aria-hidden />
      Command
    </button>
  )
}
