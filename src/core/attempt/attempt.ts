// The state machine. The saved attempt determines the next effect; the outcome of the effect is folded back in.
//
//            ┌───────────────── feedback ──────────────┐
//            v                                          │
//  claim → working → verifying → reviewing → merging → settled(done)
//            │ ITERATION_DONE ↺   │ red       │ request_changes  │ refused
//            │ CHECK_WRONG → objecting        │                  │
//            │                    └───────────┴──── next attempt ┘
//            │ TASK_STUCK, no progress, or `limits.attempts` failures since the last intervention
//            v
//       intervening ── fixed → working      └─ decomposed → settled(split)
//            └─ escalate → escalating → waiting ── resolve | skip | retry | answer
//
// `limited` wraps any phase that met a rate limit and returns to it. Attempt numbers only grow.
import {
  afterIntervention,
  afterIteration,
  afterLimit,
  afterRejection,
  afterMerge,
  afterQuestion,
  afterResolution,
  afterRevert,
  goingOnFrom,
  inPhase,
  factRefused,
  settle,
  startOver,
  requireUnderWay,
  requireUnsettled,
} from './attempt-folds.ts'
import type { Cause, Proof } from '../fact/fact.ts'
import type { BuildId, CommitId, EvidenceId, Instant, TaskId, TreeId } from '../values/id.ts'
import type { Limits } from '../values/limits.ts'
import { type Subtask, type Technique, untriedTechniques, type Worker } from '../role-answers/sia.ts'
import type { Task } from '../task/task.ts'
import { afterRefusedMerge, afterReview, afterVerification } from './feedback.ts'

/** A human's own fix for a task, on its way into the branch. */
export interface Resolution {
  readonly by: string
  readonly text: string
}

export type Phase =
  | { readonly at: 'working' }
  | { readonly at: 'verifying'; readonly tree: TreeId; readonly resolution: Resolution | null }
  | { readonly at: 'reviewing'; readonly tree: TreeId; readonly evidence: EvidenceId }
  | { readonly at: 'objecting'; readonly reason: string }
  | { readonly at: 'merging'; readonly tree: TreeId; readonly proof: Proof; readonly resolution: Resolution | null }
  | { readonly at: 'intervening'; readonly reason: string }
  | { readonly at: 'escalating'; readonly reason: string }
  | { readonly at: 'waiting'; readonly reason: string }
  | {
      readonly at: 'limited'
      readonly until: Instant
      readonly reason: string
      readonly agent: string
      readonly resumes: Phase
    }
  | { readonly at: 'settled'; readonly as: Settlement }

export type Settlement =
  | { readonly is: 'done'; readonly commit: CommitId; readonly tree: TreeId; readonly proof: Proof }
  | { readonly is: 'skipped'; readonly by: string }
  | { readonly is: 'split'; readonly subtasks: readonly Subtask[] }

/** The trace of an iteration, for deciding whether the work is stuck. */
export interface Trace {
  readonly tree: TreeId
  readonly error: string | null
  /** Why the reviewer or the branch refused it. */
  readonly answer?: string
}

export interface Attempt {
  readonly build: BuildId
  readonly task: TaskId
  readonly taskName: string
  readonly limits: Pick<Limits, 'attempts' | 'interventions' | 'iterations'>
  readonly phase: Phase
  /** The number of the try; also part of refs and trailers, so a number is never used twice. */
  readonly number: number
  /** Finished iterations of this attempt. */
  readonly iteration: number
  /** Failed attempts since the last intervention or human answer. */
  readonly failures: number
  readonly interventions: number
  readonly techniques: readonly Technique[]
  /** Feedback on the last failure, for the next iteration. */
  readonly feedback: readonly string[]
  /** Answers of a human, for every prompt from then on. */
  readonly answers: readonly string[]
  /** The last harvested tree; the next attempt starts on it. */
  readonly tree: TreeId | null
  /** The last traces, just enough to detect that the work is stuck. */
  readonly recent: readonly Trace[]
  readonly lastError: string | null
  /** Limits and overloads in a row, since an effect last ended by itself or was stopped. */
  readonly waits: number
  /** How often verification sent the work back without spending an attempt; absent: never. */
  readonly freeReturns?: number
  /** The agent was told once that its evidence is thin, which costs no attempt; absent: not yet. */
  readonly thinTold?: true
  /** The same for sealed examples that do not hold. */
  readonly sealedTold?: true
  /** The agent that SIA chose for the task instead of the configured one. */
  readonly worker?: Worker
}

export type Effect =
  | { readonly do: 'iterate'; readonly attempt: number; readonly iteration: number }
  | { readonly do: 'verify'; readonly tree: TreeId; readonly resolution: Resolution | null }
  | { readonly do: 'review'; readonly tree: TreeId; readonly evidence: EvidenceId }
  | { readonly do: 'judgeObjection'; readonly reason: string }
  | { readonly do: 'merge'; readonly tree: TreeId; readonly proof: Proof; readonly resolution: Resolution | null }
  | { readonly do: 'intervene'; readonly reason: string; readonly untried: readonly Technique[] }
  | { readonly do: 'askHuman'; readonly reason: string }
  | { readonly do: 'wait'; readonly until: Instant; readonly reason: string; readonly agent: string }

export function firstAttempt(task: Task, build: BuildId, limits: Attempt['limits']): Attempt {
  return {
    build,
    task: task.id,
    taskName: task.title,
    limits: { attempts: limits.attempts, interventions: limits.interventions, iterations: limits.iterations },
    phase: { at: 'working' },
    number: 1,
    iteration: 0,
    failures: 0,
    interventions: 0,
    techniques: [],
    feedback: [],
    answers: [],
    tree: null,
    recent: [],
    lastError: null,
    waits: 0,
  }
}

/** The next effect; null where only a human can continue, or nothing is left to do. */
export function next(attempt: Attempt): Effect | null {
  const { phase } = attempt
  switch (phase.at) {
    case 'working':
      return { do: 'iterate', attempt: attempt.number, iteration: attempt.iteration + 1 }
    case 'verifying':
      return { do: 'verify', tree: phase.tree, resolution: phase.resolution }
    case 'reviewing':
      return { do: 'review', tree: phase.tree, evidence: phase.evidence }
    case 'objecting':
      return { do: 'judgeObjection', reason: phase.reason }
    case 'merging':
      return { do: 'merge', tree: phase.tree, proof: phase.proof, resolution: phase.resolution }
    case 'intervening':
      return { do: 'intervene', reason: phase.reason, untried: untriedTechniques(attempt.techniques) }
    case 'escalating':
      return { do: 'askHuman', reason: phase.reason }
    case 'limited':
      return { do: 'wait', until: phase.until, reason: phase.reason, agent: phase.agent }
    case 'waiting':
    case 'settled':
      return null
  }
}

/** Folds a fact into the attempt; refuses a fact that does not fit its phase. */
export function apply(attempt: Attempt, fact: Cause): Attempt {
  if (fact.taskId !== attempt.task) throw factRefused(attempt, fact, `it is about task '${fact.taskId}'`)
  if ('attempt' in fact && fact.attempt !== attempt.number)
    throw factRefused(attempt, fact, `attempt ${attempt.number} is under way, not ${fact.attempt}`)
  const after = fold(attempt, fact)
  return fact.type === 'limited' || fact.type === 'waited' ? after : { ...after, waits: 0 }
}

function fold(attempt: Attempt, fact: Cause): Attempt {
  switch (fact.type) {
    case 'iterationDone':
      return afterIteration(attempt, fact)
    case 'verified':
      return afterVerification(attempt, fact)
    case 'reviewed':
      return afterReview(attempt, fact)
    case 'merged':
      return afterMerge(attempt, fact)
    case 'mergeRefused':
      return afterRefusedMerge(attempt, fact)
    case 'intervened':
      return afterIntervention(attempt, fact)
    case 'humanNeeded':
      return afterQuestion(attempt, fact)
    case 'limited':
      return afterLimit(attempt, fact)
    case 'waited':
      return { ...attempt, phase: inPhase(attempt, fact, 'limited').resumes }
    case 'interrupted':
      return goingOnFrom(requireUnderWay(attempt, fact), fact)
    case 'taskSkipped':
      if (attempt.phase.at === 'merging') throw factRefused(attempt, fact, 'its commit may be in the branch already')
      return settle(requireUnsettled(attempt, fact), { is: 'skipped', by: fact.by })
    case 'taskRetried':
      inPhase(attempt, fact, 'waiting')
      return startOver(attempt, [])
    case 'taskAnswered':
      inPhase(attempt, fact, 'waiting')
      return { ...startOver(attempt, []), answers: [...attempt.answers, fact.text] }
    case 'taskResolved':
      return afterResolution(attempt, fact)
    case 'taskReverted':
      return afterRevert(attempt, fact)
    case 'statusRejected':
      return afterRejection(attempt, fact)
  }
}
