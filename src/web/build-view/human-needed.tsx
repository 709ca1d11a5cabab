// A task that needs a person: the question, the last error, and the ways out.
import { CircleHelp } from 'lucide-react'
import { useState } from 'react'
import type { Attempt } from '../../core/attempt/attempt.ts'
import type { Task } from '../../core/task/task.ts'
import { Button } from '../parts/button.tsx'
import { Problem } from '../parts/problem.tsx'
import { ExplainedText, ForeignText } from '../parts/foreign-text.tsx'
import { Link } from '../router.tsx'
import type { Folded } from '../live-build/fold.ts'
import { AnswerTaskDialog } from './answer-task-dialog.tsx'
import { SecondLook, withoutFindings } from './second-look.tsx'
import { ResolveTaskDialog } from './resolve-task-dialog.tsx'
import { server } from '../server.ts'
import { useAct } from './use-act.ts'

/** Blocks that are shown in full; a person handles them one by one. */
const SHOWN_MAX = 3

interface HumanNeededProps {
  readonly session: Folded
  /** Of one task; else of all. */
  readonly only?: string
}

export function HumanNeeded({ session, only }: HumanNeededProps) {
  // A fix under verification no longer waits, but its result appears in the same place.
  const [dialog, setDialog] = useState<{ readonly kind: 'resolve' | 'answer'; readonly task: Task } | null>(null)
  const isLost = session.build.state === 'aborted'
  const waiting = session.tasks.filter(
    ({ id, status }) => !isLost && status === 'waiting' && (only === undefined || id === only),
  )
  const close = (): void => setDialog(null)
  return (
    <>
      {waiting.length > 0 && (
        <div className="space-y-3">
          {waiting.slice(0, SHOWN_MAX).map((task) => (
            <WaitingTask
              key={task.id}
              task={task}
              attempt={session.attempts.get(task.id) ?? null}
              session={session}
              onDialog={(kind) => setDialog({ kind, task })}
            />
          ))}
          {waiting.length > SHOWN_MAX && (
            <p className="text-sm text-ask">{waiting.length - SHOWN_MAX} more tasks wait.</p>
          )}
        </div>
      )}
      {dialog?.kind === 'resolve' && <ResolveTaskDialog onClose={close} task={dialog.task} build={session.build.id} />}
      {dialog?.kind === 'answer' && <AnswerTaskDialog onClose={close} task={dialog.task} build={session.build.id} />}
    </>
  )
}

interface WaitingTaskProps {
  readonly task: Task
  readonly attempt: Attempt | null
  readonly session: Folded
  readonly onDialog: (kind: 'resolve' | 'answer') => void
}

function WaitingTask({ task, attempt, session, onDialog }: WaitingTaskProps) {
  const { act, doing, error } = useAct()
  const input = { sessionId: session.build.id, task_id: task.id }
  const isBusy = doing !== null
  const reason = attempt?.phase.at === 'waiting' ? attempt.phase.reason : (task.failReason ?? '')
  const lastError = attempt?.lastError ?? null
  const worth = session.strengths.get(task.id) ?? null
  const needsLook = worth !== null && (worth.strength === 'thin' || worth.findings.length > 0)
  return (
    <section
      aria-label={`Human intervention needed: ${task.id}`}
      className="rounded-lg border border-ask/40 bg-ask-soft px-4 py-3"
    >
      <h2 className="flex items-center gap-2 font-semibold text-ask">
        <CircleHelp size={18} aria-hidden /> Human intervention needed
      </h2>
      <p className="mt-1">
        {needsLook ? 'The checks are green, and a person has to look at ' : 'The build agent could not complete '}
        <Link to={{ at: 'task', build: session.build.id, task: task.id, session: null }}>
          “<ForeignText text={task.title} />”
        </Link>
        .
      </p>
      {needsLook && worth !== null && <SecondLook worth={worth} />}
      <div className="mt-2">
        <ExplainedText text={needsLook ? withoutFindings(reason, worth) : reason} label="What is asked, in full" />
      </div>
      {lastError !== null && !reason.includes(lastError) && (
        <div className="mt-1 text-sm text-soft">
          The last error: <ExplainedText text={lastError} label="Output of the last error" />
        </div>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        <Button look="first" isOff={isBusy} onClick={() => onDialog('resolve')}>
          I've fixed it
        </Button>
        <Button isOff={isBusy} onClick={() => onDialog('answer')}>
          Answer
        </Button>
        <Button isOff={isBusy} isBusy={doing === 'retry'} onClick={() => void act('retry', () => server.retry(input))}>
          Retry
        </Button>
        <Button isOff={isBusy} isBusy={doing === 'skip'} onClick={() => void act('skip', () => server.skip(input))}>
          Skip this task
        </Button>
      </div>
      {error !== null && (
        <div className="mt-3">
          <Problem error={error} />
        </div>
      )}
    </section>
  )
}
