// The facts of a build. The union is closed. The store keeps facts forever, in this order, and they are the live feed.
//
// Three kinds:
//   intents         recorded before an effect runs
//   causes          the outcome of an effect, or an act of the operator; `apply` folds them into an attempt (attempt.ts)
//   announcements   consequences of a cause, for those who follow the log
import type { BaselineFact } from './baseline-fact.ts'
import type { Finding } from './finding.ts'
import type { Strength } from './strength.ts'
import type { CommitId, EvidenceId, Instant, TaskId, TreeId } from '../values/id.ts'
import type { Intervention } from '../role-answers/sia.ts'
import type { Signal } from '../session/signal.ts'
import type { Used } from '../money/spending.ts'
import type { TaskStatus, TaskType } from '../task/task.ts'

interface AboutTask {
  readonly taskId: TaskId
}

interface AboutAttempt extends AboutTask {
  readonly attempt: number
}

/** The named agent is limited or overloaded until then. */
interface Limit {
  readonly until: Instant
  readonly reason: string
  readonly agent: string
}

/** The tree that an interrupted session left; absent where nothing could be harvested. */
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

/**
 * Green: the engine ran checks and they passed. Unverified: nothing was proved; `mendedBy` names who can change that.
 */
export type Verdict =
  | { readonly is: 'green' }
  | { readonly is: 'red'; readonly error: string }
  | {
      readonly is: 'unverified'
      readonly error: string
      readonly mendedBy: 'agent' | 'operator'
      /** The agent gets one more iteration, and no attempt is spent; absent: it costs an attempt. */
      readonly costs?: 'nothing'
    }

export type Decision =
  | { readonly is: 'approve' }
  | { readonly is: 'request_changes'; readonly requiredFixes: readonly string[] }
  | { readonly is: 'needs_human'; readonly reason: string }

/** Why a tree may enter the branch: the engine's evidence, or a named person who answers for it. */
export type Proof =
  | { readonly by: 'evidence'; readonly evidence: EvidenceId }
  | { readonly by: 'person'; readonly person: string }

/** What the agents of an effect used; absent where they did not report it. */
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
      /** With an error: it fails the whole attempt, and no further iteration tries. */
      readonly ends?: 'attempt'
    } & AboutAttempt)
  | ({
      readonly type: 'verified'
      readonly tree: TreeId
      readonly verdict: Verdict
      readonly evidence: EvidenceId
      /** Findings in a green tree that need a second look; absent: none. */
      readonly findings?: readonly Finding[]
      /** What a green result is worth; absent: from a version without probes. */
      readonly strength?: Strength
      /** The same in one sentence. */
      readonly sentence?: string
      /** What the agent is told about sealed examples, without their values; absent: nothing. */
      readonly sealed?: string
      /** Thin, or sealed examples fail, for the first time in the task: it goes back to the agent, which costs no attempt; absent: it goes on. */
      readonly sentBack?: true
      /** Checks that are red on this tree with the base's own tests and settings; absent: none. */
      readonly baseTests?: readonly RedCheck[]
    } & AboutAttempt)
  | ({
      readonly type: 'reviewed'
      readonly decision: Decision
      readonly reasons: readonly string[]
      /** `objection`: the review of an agent's claim that a check is wrong; absent: the review of a patch. */
      readonly of?: 'objection'
    } & AboutAttempt)
  | ({
      readonly type: 'merged'
      readonly commit: CommitId
      readonly tree: TreeId
      readonly proof: Proof
    } & AboutAttempt)
  /** `tree`: the start of the next attempt; null: as before. */
  | ({ readonly type: 'mergeRefused'; readonly error: string; readonly tree: TreeId | null } & AboutAttempt)
  | ({
      readonly type: 'intervened'
      readonly interventionNumber: number
      readonly intervention: Intervention
    } & AboutTask)
  | ({ readonly type: 'humanNeeded'; readonly taskName: string; readonly reason: string } & AboutTask)
  /** A rate limit, or a fault that nobody caused. The engine waits, and it costs no attempt. */
  | ({ readonly type: 'limited' } & Limit & LeftBehind & AboutTask)
  | ({ readonly type: 'waited' } & AboutTask)
  /** The effect was stopped from outside and will run again. */
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

/**
 * A warning: somebody set the task to this status in the store, and no fact backs it. The engine records this itself.
 */
export interface StatusRejected extends AboutTask {
  readonly type: 'statusRejected'
  readonly status: TaskStatus
  /** The attempt that had started; absent where none had. */
  readonly attempt?: number
  /** The commit that it was merged as, where the build branch no longer has it. */
  readonly lost?: CommitId
}

export type Cause = AgentCause | OperatorCause

export type Announcement =
  | ({ readonly type: 'taskComplete'; readonly taskName: string; readonly commitHash: CommitId } & AboutTask)
  | ({ readonly type: 'taskFailed'; readonly taskName: string; readonly error: string } & AboutAttempt)
  | ({ readonly type: 'siaSuccess' } & AboutTask)
  | { readonly type: 'siaDecomposed'; readonly originalTaskId: TaskId; readonly newTaskCount: number }

/** A build that starts with a goal or a spec is planned first. */
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
  /** No task waited for it: it goes into the next prompt (user-message.ts). */
  | { readonly type: 'messageLeft'; readonly by: string; readonly text: string }
  | { readonly type: 'buildComplete' }
  | { readonly type: 'buildFailed'; readonly error: string }
  /**
   * The base branch holds the build. `allowed`: what a person waived. `red`: checks that were red on a tree that a
   * person accepted unverified; absent: none.
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
  /** `by`: null where the exit code of the command says so. */
  | { readonly type: 'deployed'; readonly commit: CommitId; readonly exit: number | null; readonly by: string | null }
  /** An agent that chooses its task was limited before it had one. */
  | ({ readonly type: 'agentLimited' } & Limit)
  /** Another agent plays the role until this one can work again: it is limited, or a person has to fix something. */
  | ({ readonly type: 'agentReplaced'; readonly role: string; readonly by: string } & Limit)
  | { readonly type: 'agentReturned'; readonly role: string; readonly agent: string }
  /**
   * A loop ended because the budget is spent; the build continues after the command `goOn`, which raises the budget.
   */
  | { readonly type: 'budgetExhausted'; readonly sentence: string; readonly goOn: string }
  | CheckoutChanged
  | CommandRefused
  | (CommandRefused & AboutTask)
  | ReportFact
  | BranchRestored

/** The checks ran on this commit for a task that was reported done outside a build; refused: it is open again. */
export type ReportFact =
  | ({ readonly type: 'reportVerified'; readonly commit: CommitId; readonly checks: string } & AboutTask)
  | ({ readonly type: 'reportRefused'; readonly commit: CommitId; readonly reason: string } & AboutTask)

/** A warning: the build branch did not point to the last landing. `ref`: what it pointed to; null: it was gone. */
export interface BranchRestored {
  readonly type: 'branchRestored'
  readonly from: CommitId
  readonly to: CommitId
  /** The subject of the commit at `from`. */
  readonly subject: string
  readonly ref: string | null
}

/**
 * A warning: a person worked in the user's checkout, or an agent left its folder. `more`: the number of unnamed
 * changes.
 */
export interface CheckoutChanged {
  readonly type: 'checkoutChanged'
  readonly refs: readonly string[]
  readonly paths: readonly string[]
  readonly more: number
}

/**
 * A warning: an agent tried a command that only the operator may run, without effect. Without a task: it had none yet.
 */
interface CommandRefused {
  readonly type: 'commandRefused'
  readonly command: string
}

export type Fact = Intent | Cause | Announcement | BuildFact

/** A fact in the store, with its number in the build's gapless sequence and its time. */
export interface RecordedFact {
  readonly seq: number
  readonly at: Instant
  readonly fact: Fact
}

/** A fact as clients see it, with its number and its subject. */
export type FactEvent<Type extends Fact['type'] = Fact['type']> = Extract<Fact, { type: Type }> & {
  readonly seq: number
  /** Milliseconds since 1970. */
  readonly at: Instant
  readonly sessionId: string
  readonly ideaId: string
}

/** The task that a fact is about, if any. */
export function taskOf(fact: Fact): TaskId | null {
  if ('taskId' in fact) return fact.taskId
  return fact.type === 'siaDecomposed' ? fact.originalTaskId : null
}

/** A red check, with the names of the first few failed tests where its runner names them. */
export interface RedCheck {
  readonly name: string
  readonly failed: number
  readonly tests: readonly string[]
}
