// What happened. The union is closed, facts are kept for ever in this order, and they are the live feed.
//
// Three kinds:
//   intents         what is about to be tried, recorded before it is tried
//   causes          what came out; `apply` folds them into an attempt (attempt.ts)
//   announcements   what follows from a cause, said for those who listen
import type { Finding } from './finding.ts'
import type { CommitId, EvidenceId, Instant, TaskId, TreeId } from '../values/id.ts'
import type { Intervention } from '../role/sia.ts'
import type { Signal } from '../session/signal.ts'
import type { Used } from '../money/spending.ts'
import type { TaskStatus, TaskType } from '../task/task.ts'

interface AboutTask {
  readonly taskId: TaskId
}

interface AboutAttempt extends AboutTask {
  readonly attempt: number
}

/** What is waited for: the named agent is limited or overloaded until then. */
interface Limit {
  readonly until: Instant
  readonly reason: string
  readonly agent: string
}

/** What a session that was cut off had made; left out where nothing could be taken of it. */
interface LeftBehind {
  readonly tree?: TreeId
}

export type Intent =
  | ({ readonly type: 'taskStarted'; readonly taskName: string } & AboutAttempt)
  | ({ readonly type: 'iterationStarted'; readonly iteration: number } & AboutAttempt)
  | ({ readonly type: 'verifying'; readonly tree: TreeId } & AboutAttempt)
  | ({ readonly type: 'reviewing' } & AboutAttempt)
  | ({ readonly type: 'merging'; readonly tree: TreeId } & AboutAttempt)
  | ({ readonly type: 'siaTriggered'; readonly interventionNumber: number } & AboutTask)
  | ({ readonly type: 'waiting' } & Limit & AboutTask)

/** Green: the engine ran checks and they passed. Unverified: nothing was proved, and `mendedBy` tells who can change that. */
export type Verdict =
  | { readonly is: 'green' }
  | { readonly is: 'red'; readonly error: string }
  | { readonly is: 'unverified'; readonly error: string; readonly mendedBy: 'agent' | 'operator' }

export type Decision =
  | { readonly is: 'approve' }
  | { readonly is: 'request_changes'; readonly requiredFixes: readonly string[] }
  | { readonly is: 'needs_human'; readonly reason: string }

/** Why a tree may enter the branch: the engine's evidence, or a named person who answers for it. */
export type Proof =
  | { readonly by: 'evidence'; readonly evidence: EvidenceId }
  | { readonly by: 'person'; readonly person: string }

/** What the agents of an effect used; left out where they said nothing of it. */
interface Spending {
  readonly spent?: Used
}

export type AgentCause = Spending & AgentOutcome

type AgentOutcome =
  | ({
      readonly type: 'iterationDone'
      readonly iteration: number
      readonly signal: Signal | null
      readonly tree: TreeId
      readonly error: string | null
      /** With an error: the whole attempt failed with it, and no further iteration is to try. */
      readonly ends?: 'attempt'
    } & AboutAttempt)
  | ({
      readonly type: 'verified'
      readonly tree: TreeId
      readonly verdict: Verdict
      readonly evidence: EvidenceId
      /** What is green and yet needs a second look; absent: nothing. */
      readonly findings?: readonly Finding[]
      /** Checks that are red on this tree with the base's own tests and settings; absent: none. */
      readonly baseTests?: readonly RedCheck[]
    } & AboutAttempt)
  | ({
      readonly type: 'reviewed'
      readonly decision: Decision
      readonly reasons: readonly string[]
      /** `objection`: of the agent's word that a check is wrong; absent: of a patch. */
      readonly of?: 'objection'
    } & AboutAttempt)
  | ({
      readonly type: 'merged'
      readonly commit: CommitId
      readonly tree: TreeId
      readonly proof: Proof
    } & AboutAttempt)
  /** `tree`: what the next attempt starts on; null: as before. */
  | ({ readonly type: 'mergeRefused'; readonly error: string; readonly tree: TreeId | null } & AboutAttempt)
  | ({
      readonly type: 'intervened'
      readonly interventionNumber: number
      readonly intervention: Intervention
    } & AboutTask)
  | ({ readonly type: 'humanNeeded'; readonly taskName: string; readonly reason: string } & AboutTask)
  /** A rate limit or a fault that is nobody's: waited out, costs no attempt. */
  | ({ readonly type: 'limited' } & Limit & LeftBehind & AboutTask)
  | ({ readonly type: 'waited' } & AboutTask)
  /** The effect was stopped from outside and will be performed again. */
  | ({ readonly type: 'interrupted'; readonly reason: string } & LeftBehind & AboutTask)

export type OperatorCause =
  | ({ readonly type: 'taskSkipped'; readonly by: string } & AboutTask)
  | ({ readonly type: 'taskRetried'; readonly by: string } & AboutTask)
  | ({ readonly type: 'taskAnswered'; readonly by: string; readonly text: string } & AboutTask)
  | ({
      readonly type: 'taskResolved'
      readonly by: string
      readonly text: string
      readonly tree: TreeId
      readonly accepted: 'if-verified' | 'unverified'
    } & AboutTask)
  | ({ readonly type: 'taskReverted'; readonly by: string; readonly commit: CommitId } & AboutTask)
  | StatusRejected

/** A warning: somebody set the task to this status in the store, and no fact says so. The engine's own word, not a human's. */
export interface StatusRejected extends AboutTask {
  readonly type: 'statusRejected'
  readonly status: TaskStatus
  /** The attempt that had begun; left out where none had. */
  readonly attempt?: number
  /** What it was merged as, where that is not on the build branch any more. */
  readonly lost?: CommitId
}

export type Cause = AgentCause | OperatorCause

/** The compiler requires every cause here, with whose word it is. */
const causes: Readonly<Record<AgentCause['type'], 'agent'> & Record<OperatorCause['type'], 'operator'>> = {
  iterationDone: 'agent',
  verified: 'agent',
  reviewed: 'agent',
  merged: 'agent',
  mergeRefused: 'agent',
  intervened: 'agent',
  humanNeeded: 'agent',
  limited: 'agent',
  waited: 'agent',
  interrupted: 'agent',
  taskSkipped: 'operator',
  taskRetried: 'operator',
  taskAnswered: 'operator',
  taskResolved: 'operator',
  taskReverted: 'operator',
  statusRejected: 'operator',
}

export function isCause(fact: Fact): fact is Cause {
  return Object.hasOwn(causes, fact.type)
}

export function isOperatorCause(fact: Cause): fact is OperatorCause {
  return causes[fact.type] === 'operator'
}

export type Announcement =
  | ({ readonly type: 'taskComplete'; readonly taskName: string; readonly commitHash: CommitId } & AboutTask)
  | ({ readonly type: 'taskFailed'; readonly taskName: string; readonly error: string } & AboutAttempt)
  | ({ readonly type: 'siaSuccess' } & AboutTask)
  | { readonly type: 'siaDecomposed'; readonly originalTaskId: TaskId; readonly newTaskCount: number }

/** A build that begins with a goal or a spec is planned before it starts. */
export type PlanFact =
  /** An intent. */
  | { readonly type: 'planning'; readonly attempt: number }
  | {
      readonly type: 'planned'
      readonly taskCount: number
      readonly tasks: readonly PlannedTask[]
      readonly notes: string
    }
  | ({ readonly type: 'planningLimited' } & Limit)
  | { readonly type: 'planningFailed'; readonly attempt: number; readonly error: string }
  | { readonly type: 'planningInterrupted'; readonly reason: string }

export interface PlannedTask {
  readonly id: TaskId
  readonly title: string
  readonly type: TaskType | null
  readonly dependsOn: readonly TaskId[]
}

export type BuildFact =
  | PlanFact
  | BaselineFact
  | { readonly type: 'buildStarted'; readonly taskCount: number }
  | { readonly type: 'buildPaused'; readonly by: string }
  | { readonly type: 'buildResumed'; readonly by: string }
  | { readonly type: 'buildAborted'; readonly by: string }
  /** Nobody waited for it: it goes into the next prompt (message.ts). */
  | { readonly type: 'messageLeft'; readonly by: string; readonly text: string }
  | { readonly type: 'buildComplete' }
  | { readonly type: 'buildFailed'; readonly error: string }
  /**
   * The base branch holds the build; `allowed`: what somebody let pass. `red`: checks that were red on a tree that a person
   * accepted unverified; absent: none.
   */
  | {
      readonly type: 'shipped'
      readonly by: string
      readonly base: string
      readonly commit: CommitId
      readonly how: 'base' | 'pullRequest'
      readonly allowed: readonly string[]
      readonly red?: readonly string[]
    }
  | { readonly type: 'deploying'; readonly command: string; readonly commit: CommitId }
  /** `by`: null where the command itself said so. */
  | { readonly type: 'deployed'; readonly commit: CommitId; readonly exit: number | null; readonly by: string | null }
  /** An agent that chooses its task was limited before it had one. */
  | ({ readonly type: 'agentLimited' } & Limit)
  /** Another agent plays the role until this one can work again: it is limited, or somebody has to mend something. */
  | ({ readonly type: 'agentReplaced'; readonly role: string; readonly by: string } & Limit)
  | { readonly type: 'agentReturned'; readonly role: string; readonly agent: string }
  /** A loop ended because all is spent; the build itself goes on where `goOn`, a command, raises the budget. */
  | { readonly type: 'budgetExhausted'; readonly sentence: string; readonly goOn: string }
  | CheckoutChanged
  | CommandRefused
  | (CommandRefused & AboutTask)
  | BranchRestored

/** Setup and checks on the tree that a build starts from, or goes on from, before an agent is started. */
export type BaselineFact =
  /** An intent. `on`: what the commit is called, `HEAD` or the build branch. */
  | { readonly type: 'baselineStarted'; readonly commit: CommitId; readonly on: string }
  /** `red`: the checks that are, which is what tasks may be for. */
  | {
      readonly type: 'baselineDone'
      readonly commit: CommitId
      readonly summary: string
      readonly red: readonly string[]
    }
  /** No task could be verified, so no agent is started, and the build is paused until a person has fixed it. */
  | { readonly type: 'baselineFailed'; readonly commit: CommitId; readonly error: string; readonly fix: string }

/** A warning: the build branch was not where the engine's landings had taken it. `ref`: what was found there; null: no more. */
export interface BranchRestored {
  readonly type: 'branchRestored'
  readonly from: CommitId
  readonly to: CommitId
  /** Of the commit at `from`. */
  readonly subject: string
  readonly ref: string | null
}

/** A warning: a person worked in the user's checkout, or an agent left its folder. `more`: how many are not named. */
export interface CheckoutChanged {
  readonly type: 'checkoutChanged'
  readonly refs: readonly string[]
  readonly paths: readonly string[]
  readonly more: number
}

/** A warning: an agent typed what only the operator may do, and nothing came of it. Without a task: it had none yet. */
interface CommandRefused {
  readonly type: 'commandRefused'
  readonly command: string
}

export type Fact = Intent | Cause | Announcement | BuildFact

/** A fact as it is kept: its place in the build's gapless sequence, and when it was recorded. */
export interface RecordedFact {
  readonly seq: number
  readonly at: Instant
  readonly fact: Fact
}

/** A fact as it is told to the outside: with its place, and what it is about. */
export type ToldFact<Type extends Fact['type'] = Fact['type']> = Extract<Fact, { type: Type }> & {
  readonly seq: number
  /** Milliseconds since 1970. */
  readonly at: Instant
  readonly sessionId: string
  readonly ideaId: string
}

/** The task a fact is about, if it is about one. */
export function taskOf(fact: Fact): TaskId | null {
  if ('taskId' in fact) return fact.taskId
  return fact.type === 'siaDecomposed' ? fact.originalTaskId : null
}

/** A check that is red; of the tests that failed, the names of the first few, where its runner names them. */
export interface RedCheck {
  readonly name: string
  readonly failed: number
  readonly tests: readonly string[]
}
