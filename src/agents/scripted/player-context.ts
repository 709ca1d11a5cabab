// The state that the steps of one session share.
import type { Session, Usage } from '../agent.ts'
import type { Step, StepName, StepValue } from './scenario.ts'
import type { Voice } from './output-records.ts'

/** What the player is handed on stdin. */
export interface Part extends Pick<Session, 'role' | 'task' | 'attempt' | 'iteration' | 'prompt'> {
  readonly steps: readonly Step[]
}

export interface Stage {
  readonly part: Part
  readonly voice: Voice
  readonly folder: string
  answer: string
  /** The line at the end of the final message; '' for none. */
  signal: string
  used: Usage
}

/** A number ends the session with that exit code. */
export type Act<Name extends StepName> = (
  value: StepValue<Name>,
  stage: Stage,
) => void | number | Promise<void | number>

export type Acts<Names extends StepName> = { readonly [Name in Names]: Act<Name> }

export function finalMessage({ answer, signal }: Stage): string {
  return [answer, signal].filter((text) => text !== '').join('\n\n')
}
