// The actions on the build as a whole.
import { CircleStop, Pause, Play, RotateCcw, StepForward, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { isOver } from '../../core/builds/build.ts'
import { Button } from '../parts/button.tsx'
import { Problem } from '../parts/problem.tsx'
import { server } from '../server.ts'
import type { Folded } from '../live-build/fold.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { NotifyButton } from './notify-button.tsx'
import { useAct } from './use-act.ts'

export function Controls({ session }: { readonly session: Folded }) {
  const { act, doing, error } = useAct()
  const [asked, setAsked] = useState<'abort' | 'revert' | null>(null)
  const { id, state } = session.build
  const build = { sessionId: id }
  const isBusy = doing !== null
  const isEnded = isOver(state)
  const isRunning = state === 'running' && session.isDriven
  // Then an answer continues the build, not this button.
  const isAsked = session.view.status === 'human_needed'
  const stepping = steppingOf(session)
  const confirmed = async (): Promise<void> => {
    setAsked(null)
    if (asked === 'abort') await act('abort', () => server.abort({ build_id: id }))
    if (asked === 'revert') await act('revert', () => server.revert(build))
  }
  const step = (name: 'step' | 'again'): void => void act(name, () => server.step({ build_id: id }))
  return (
    <div className="space-y-2">
      <div role="group" aria-label="Controls" className="flex flex-wrap gap-2">
        {isRunning && (
          <Button icon={Pause} isOff={isBusy} onClick={() => void act('pause', () => server.pause(build))}>
            Pause
          </Button>
        )}
        {!isRunning && !isEnded && (
          <Button
            look={isAsked ? 'plain' : 'first'}
            icon={Play}
            isOff={isBusy}
            onClick={() => void act('resume', () => server.resume(build))}
          >
            Resume
          </Button>
        )}
        {!isEnded && <StepButtons stepping={stepping} doing={doing} onStep={step} />}
        <Button
          icon={Undo2}
          isOff={isBusy || stepping.revert !== null}
          isBusy={doing === 'revert'}
          title={stepping.revert ?? 'Take the patch that was merged last out of the branch'}
          onClick={() => setAsked('revert')}
        >
          Revert last patch
        </Button>
        {!isEnded && (
          <Button look="danger" icon={CircleStop} isOff={isBusy && doing !== 'step'} onClick={() => setAsked('abort')}>
            Abort
          </Button>
        )}
        {!isEnded && <NotifyButton />}
      </div>
      {error !== null && <Problem error={error} />}
      <ConfirmDialog about={asked} onClose={() => setAsked(null)} onConfirm={() => void confirmed()} />
    </div>
  )
}

interface StepButtonsProps {
  readonly stepping: Stepping
  readonly doing: string | null
  readonly onStep: (name: 'step' | 'again') => void
}

function StepButtons({ stepping, doing, onStep }: StepButtonsProps) {
  const isBusy = doing !== null
  return (
    <>
      <Button
        icon={StepForward}
        isOff={isBusy || stepping.next !== null}
        isBusy={doing === 'step'}
        title={stepping.next ?? 'Do one step of the build, and stop'}
        onClick={() => onStep('step')}
      >
        {doing === 'step' ? 'Running…' : 'Run Next Step'}
      </Button>
      <Button
        icon={RotateCcw}
        isOff={isBusy || stepping.again !== null}
        isBusy={doing === 'again'}
        title={stepping.again ?? 'Do the step that failed again'}
        onClick={() => onStep('again')}
      >
        {doing === 'again' ? 'Running…' : 'Retry Step'}
      </Button>
    </>
  )
}

interface Stepping {
  /** Why the action is off; null: it is on. */
  readonly next: string | null
  readonly again: string | null
  readonly revert: string | null
}

function steppingOf({ build, view, isDriven }: Folded): Stepping {
  const driven = isDriven && build.state === 'running' ? 'A loop works on the build; pause it first' : null
  const hasFailed = view.phase === 'iterating' || build.state === 'failed'
  const nothing = view.completedTasks.length === 0 ? 'Nothing is merged yet' : null
  const isAborted = build.state === 'aborted' ? 'The build was aborted' : null
  return {
    next: driven,
    again: driven ?? (hasFailed ? null : 'No step has failed'),
    revert: nothing ?? isAborted ?? driven,
  }
}
