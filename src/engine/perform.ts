// Maps every effect that the core asks for to the function that performs it.
import type { Effect } from '../core/attempt/attempt.ts'
import type { AgentCause } from '../core/fact/fact.ts'
import type { Attachment } from '../core/builds/attachment.ts'
import { askHuman } from './effects/ask-human.ts'
import { intervene } from './effects/intervene.ts'
import { iterate } from './effects/iterate.ts'
import { judgeObjection } from './effects/judge-objection.ts'
import { merge } from './effects/merge.ts'
import { review } from './effects/review.ts'
import { verify } from './effects/verify.ts'
import { wait } from './effects/wait.ts'
import type { TaskRun } from './deps.ts'
import type { Stop } from './stop.ts'

export interface EffectOutcome {
  readonly fact: AgentCause
  /** Stored with the fact: the iteration, its evidence, a lesson. */
  readonly attachments?: readonly Attachment[]
  /** Set where the whole loop cannot continue. */
  readonly stop?: Stop
}

export function perform(effect: Effect, taskRun: TaskRun): Promise<EffectOutcome> {
  switch (effect.do) {
    case 'iterate':
      return iterate(effect, taskRun)
    case 'verify':
      return verify(effect, taskRun)
    case 'review':
      return review(effect, taskRun)
    case 'judgeObjection':
      return judgeObjection(effect, taskRun)
    case 'merge':
      return merge(effect, taskRun)
    case 'intervene':
      return intervene(effect, taskRun)
    case 'askHuman':
      return askHuman(effect, taskRun)
    case 'wait':
      return wait(effect, taskRun)
  }
}
