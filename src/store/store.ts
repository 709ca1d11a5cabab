// The store that many processes share. The rules are in the core; a store saves their results, atomically. One
// conformance suite (store.conformance.ts) holds for every implementation of this port.
import type { Attempt, Effect } from '../core/attempt/attempt.ts'
import type { Amount, Budget, Rate } from '../core/money/budget.ts'
import type { Build, BuildState } from '../core/builds/build.ts'
import type { CheckRun } from '../core/evidence/evidence.ts'
import type { AgentCause, BuildFact, Fact, OperatorCause, RecordedFact, ReportFact } from '../core/fact/fact.ts'
import type { AgentId, BuildId, IdeaId, Instant, TaskId } from '../core/values/id.ts'
import type { Idea, IdeaMove, Project, WantedMove } from '../core/idea/idea.ts'
import type { Attachment, AttachmentOf } from '../core/builds/attachment.ts'
import type { PipelinePhase } from '../core/idea/pipeline.ts'
import type { Plan, PlanCounts, PlanDiff, PlanItem, PlanRule } from '../core/plan/plan.ts'
import type { Planning, PlanningChange } from '../core/builds/planning.ts'
import type { SealedExample } from '../core/sealed/example.ts'
import type { SessionMark, SessionSpending, Used } from '../core/money/spending.ts'
import type { Task, TaskResult, TaskStatus } from '../core/task/task.ts'

/** Tasks belong to a scope: a repository and a branch of it. */
export interface Scope {
  readonly repo: string
  readonly branch: string
}

export interface Store {
  readonly tasks: TaskStore
  readonly agents: AgentStore
  readonly builds: BuildStore
  readonly spending: SpendingStore
  readonly notices: NoticeStore
  readonly ideas: IdeaStore
  /** Yields after every change by any process; reports several changes that nobody awaited as one. */
  changes(signal: AbortSignal): AsyncIterable<void>
  close(): void
}

export interface TaskStore {
  /** Refuses an existing id and unknown dependencies. */
  create(scope: Scope, task: Task): Promise<void>
  find(scope: Scope, id: TaskId): Promise<Task | null>
  /** In plan order: priority, then age. */
  list(scope: Scope, filter: TaskFilter): Promise<Task[]>
  /** Done by somebody's report alone, in plan order; a loop's claim takes none of their dependants. */
  reported(scope: Scope): Promise<Task[]>
  /** The tasks that a claim would take next, best first. */
  claimable(scope: Scope, limit: number): Promise<Task[]>
  /** Takes the best claimable task, or the named one; null where there is none. One atomic step with a new fence. */
  claim(scope: Scope, request: ClaimRequest): Promise<Claim | null>
  /**
   * Reads a task, lets a rule of the core change it, and writes it back in one step; nothing changes where the rule
   * throws.
   */
  change(scope: Scope, id: TaskId, rule: Rule): Promise<Task>
  /** The same for all matching tasks, all or nothing. */
  changeAll(scope: Scope, filter: TaskFilter, rule: Rule): Promise<Task[]>
  /** Refuses unknown tasks and cycles; an existing dependency is no error. */
  block(scope: Scope, id: TaskId, by: TaskId): Promise<void>
  /** Refuses a dependency that does not exist. */
  unblock(scope: Scope, id: TaskId, by: TaskId): Promise<void>
  /** By difference, in one step; a rule gets the current tasks. */
  syncPlan(scope: Scope, plan: readonly PlanItem[] | PlanRule): Promise<PlanDiff>
  /** The sealed examples that came with the plan of a task; for the engine and for people, never for a session. */
  examples(scope: Scope, id: TaskId): Promise<readonly SealedExample[]>
  counts(scope: Scope): Promise<PlanCounts>
}

export type Rule = (task: Task, now: Instant) => Task

export interface TaskFilter {
  readonly statuses?: readonly TaskStatus[]
  readonly assignee?: AgentId
  readonly ids?: readonly TaskId[]
}

export interface ClaimRequest {
  readonly id?: TaskId
  readonly agent: AgentId
  readonly leaseSeconds: number
  /** The build that takes the task. */
  readonly build?: BuildId
}

export interface Claim {
  readonly task: Task
  /** The results of the finished blockers. */
  readonly blockerResults: readonly { readonly id: TaskId; readonly result: TaskResult }[]
}

export interface Agent {
  readonly id: AgentId
  readonly pid: number
  readonly hostname: string
  readonly startedAt: Instant
}

export interface AgentStore {
  /** False where the id is taken. */
  register(agent: Agent): Promise<boolean>
  list(): Promise<Agent[]>
  /** Refuses an unknown id. */
  deregister(id: AgentId): Promise<void>
}

/** A loop's right to one task; every write under it is conditional on the fence. */
export interface Lease {
  readonly scope: Scope
  readonly task: TaskId
  readonly fence: number
}

/** A loop that lost its lease can write nothing: another loop has the task, or a human took it away. */
export interface LeaseLost {
  readonly kept: false
}
/** `resumed`: this effect was begun before and its outcome was never recorded. `task`: its current state. */
export type BeginResult = { readonly kept: true; readonly resumed: boolean; readonly task: Task } | LeaseLost
/** `facts`: all recorded facts, in their order. `begun`: the next effect, where it was begun in the same step. */
export type RecordResult =
  | { readonly kept: true; readonly attempt: Attempt; readonly facts: readonly Fact[]; readonly begun?: BeginResult }
  | LeaseLost

/** `facts`: all recorded facts. A loop that lost the planning can write nothing. */
export type PlanResult = { readonly kept: true; readonly diff: PlanDiff; readonly facts: readonly Fact[] } | LeaseLost

/** A new plan, with notes for its reader. */
export interface NewPlan extends Plan {
  readonly notes: string
}

export interface BuildFilter {
  readonly id?: BuildId
  readonly idea?: IdeaId
  /** Only older builds than this one. */
  readonly before?: BuildId
  readonly limit: number
}

/** Who causes something, and why. */
export type Why = Pick<WantedMove, 'by' | 'reason'>

export interface BuildStore {
  /**
   * Takes the named tasks into the new build and records its start; null: it starts when it has its plan. Its idea
   * moves to building in the same step, and is created where there is none; refuses an idea that cannot move there.
   */
  create(
    scope: Scope,
    build: Build,
    tasks: readonly TaskId[] | null,
    attachments?: readonly Attachment[],
    why?: Why,
  ): Promise<void>
  /**
   * Reads the planning of a build, lets a rule of the core change it, and saves it with the facts of the change, in one
   * step. Null where the build needs no planning, or the rule changes nothing.
   */
  changePlanning(id: BuildId, rule: (planning: Planning, now: Instant) => PlanningChange): Promise<Planning | null>
  /**
   * Syncs the plan of a build by difference: its tasks and all other open ones become the build's, and the build
   * starts. Conditional on the fence of the planning, and on the build not being aborted.
   */
  plan(id: BuildId, fence: number, rule: PlanRule<NewPlan>): Promise<PlanResult>
  find(id: BuildId): Promise<Build | null>
  newest(scope: Scope): Promise<Build | null>
  /** Newest first. */
  list(scope: Scope, filter: BuildFilter): Promise<Build[]>
  /** The newest build of an idea. */
  newestOf(idea: IdeaId): Promise<Build | null>
  /** Every build that is neither complete nor aborted, in any scope; oldest first. */
  unfinished(): Promise<Build[]>
  /** Moves a build and records the fact, together; null where its state is not (or no longer) one of `from`. */
  move(id: BuildId, from: readonly BuildState[], to: BuildState, fact: BuildFact): Promise<Build | null>
  /** Adds a fact that does not change the state of the build, with its attachments. */
  note(id: BuildId, fact: BuildFact, attachments?: readonly Attachment[]): Promise<void>
  /** The messages for this taker, by the rule of core/builds/user-message.ts: no other taker gets them. */
  takeMessages(id: BuildId, taker: string): Promise<string[]>
  attempts(id: BuildId): Promise<Map<TaskId, Attempt>>
  /** Null where the task was never begun in this build. */
  attempt(id: BuildId, task: TaskId): Promise<Attempt | null>
  /** Saves the attempt and the effect that is about to run, before it runs. */
  begin(lease: Lease, attempt: Attempt, effect: Effect): Promise<BeginResult>
  /** Saves the intention for the task if the lease still holds; false: it is lost, and nothing was saved. */
  intend(lease: Lease, build: BuildId, attachments: readonly Attachment[]): Promise<boolean>
  /**
   * Folds the outcome into the saved attempt, and saves the new attempt, the fact, its consequences, the attachments
   * and the new status of the task: all or nothing. `goesOn`: whether to begin the next effect in the same step.
   */
  record(
    lease: Lease,
    build: BuildId,
    fact: AgentCause,
    attachments?: readonly Attachment[],
    goesOn?: (next: Effect) => boolean,
  ): Promise<RecordResult>
  /**
   * Folds a fact from outside the loop, mostly from a human, into the saved attempt, or into `first` where the task was
   * never begun; the holder of the lease on the task loses it. Refuses a rejected status where the task has another
   * status by now.
   */
  tell(id: BuildId, fact: OperatorCause, first?: Attempt): Promise<Attempt>
  /** Settles the report of a task and records the fact, together; false: there is no such report, or not any more. */
  settleReport(id: BuildId, fact: ReportFact): Promise<boolean>
  facts(id: BuildId, after: number, limit: number): Promise<RecordedFact[]>
  /** The number of the last fact; 0 where the build has none, or does not exist. */
  lastSeq(id: BuildId): Promise<number>
  /** Without a fact: for records about the build as a whole, which replace the earlier ones. */
  keep(id: BuildId, attachments: readonly Attachment[]): Promise<void>
  /** All attachments of one kind, oldest first; of one task, where it is named. */
  attachments<Kind extends Attachment['kind']>(id: BuildId, kind: Kind, task?: TaskId): Promise<AttachmentOf<Kind>[]>
  /** The saved run of a check that was red by itself, from any build; null: there is none. */
  redCheck(key: string): Promise<CheckRun | null>
}

/**
 * Every agent session, and the ledger of the build's budget (core/money/budget.ts). Each call is atomic over all loops.
 */
export interface SpendingStore {
  /** Sets the total budget of the build from now on; every loop of the build obeys it. */
  setBudget(build: BuildId, budget: Budget): Promise<void>
  /** Null: not set; then the budget of the frozen config counts. */
  budget(build: BuildId): Promise<Budget | null>
  /** Reserves an amount for a session before it starts. Sessions whose loop is gone become lost. */
  reserve(session: SessionMark, frozen: Budget): Promise<Reservation>
  /** Saves the use of a session so far and returns its allowance; null where it is not open any more. */
  note(id: number, used: Used, frozen: Budget): Promise<Allowance | null>
  settle(id: number, end: SessionResult): Promise<void>
  /** The charge on the budget: use and reservations. */
  charged(build: BuildId): Promise<Amount>
  /** Oldest first. */
  list(build: BuildId): Promise<SessionSpending[]>
}

export interface Allowance {
  readonly budget: Budget
  /** The total that the session may use. */
  readonly allowed: Amount
  readonly rate: Rate
}

export type Reservation =
  | ({ readonly is: 'granted'; readonly id: number } & Allowance)
  | { readonly is: 'held' }
  | { readonly is: 'spent'; readonly budget: Budget; readonly charged: Amount }

export interface SessionResult {
  readonly used: Used
  readonly durationMs: number
  readonly failure: string | null
  /** Where the session chose its task itself. */
  readonly about?: Pick<SessionMark, 'task' | 'attempt' | 'iteration'> | null
}

/**
 * Which facts of a build were reported as notices: each by one process, once, and again only if that process was
 * killed.
 */
export interface NoticeStore {
  /** `ours`: the caller has it for this time. `busy`: another process has it. */
  claim(build: BuildId, seq: number, forMs: number): Promise<'ours' | 'busy' | 'told'>
  /** Extends the caller's claim for this time from now. */
  renew(build: BuildId, seq: number, forMs: number): Promise<void>
  told(build: BuildId, seq: number): Promise<void>
}

/**
 * An idea follows its newest build: a change of the build moves its idea in the same step (core/idea/idea-of-build.ts).
 */
export interface IdeaStore {
  /** Refuses an existing id. */
  create(idea: Idea): Promise<void>
  find(id: IdeaId): Promise<Idea | null>
  /** Newest first. */
  list(filter: IdeaFilter): Promise<IdeaPage>
  /** The ideas of a project that changed at this time or later, oldest change first. */
  changed(project: Project, since: Instant, limit: number): Promise<Idea[]>
  /** Changes text, spec, project and the way it advances; its phase stays as it is. */
  change(id: IdeaId, rule: (idea: Idea) => Idea): Promise<Idea>
  /** Compare and swap on the phase, with its entry; null: the idea is no longer in `from`, and nothing changed. */
  move(id: IdeaId, from: PipelinePhase, wanted: WantedMove): Promise<Idea | null>
  /** The last ones, oldest first. */
  moves(id: IdeaId, limit: number): Promise<IdeaMove[]>
}

export interface IdeaFilter {
  readonly project?: Project
  readonly phases?: readonly PipelinePhase[]
  /** `next` of the page before. */
  readonly after?: string
  readonly limit: number
}

export interface IdeaPage {
  readonly ideas: readonly Idea[]
  /** Null: this is the last page. */
  readonly next: string | null
}
