// The store: what many processes share. Rules live in the core; a store keeps what they yield, atomically.
// One conformance suite (store.conformance.ts) holds for everything that implements this port.
import type { Attempt, Effect } from '../core/attempt/attempt.ts'
import type { Amount, Budget, Rate } from '../core/money/budget.ts'
import type { Build, BuildState } from '../core/builds/build.ts'
import type { CheckRun } from '../core/evidence/evidence.ts'
import type { AgentCause, BuildFact, Fact, OperatorCause, RecordedFact } from '../core/fact/fact.ts'
import type { AgentId, BuildId, IdeaId, Instant, TaskId } from '../core/values/id.ts'
import type { Idea, IdeaMove, Project, WantedMove } from '../core/idea/idea.ts'
import type { Attachment, AttachmentOf } from '../core/builds/attachment.ts'
import type { PipelinePhase } from '../core/idea/pipeline.ts'
import type { Plan, PlanCounts, PlanDiff, PlanItem, PlanRule } from '../core/plan/plan.ts'
import type { Planning, PlanningChange } from '../core/builds/planning.ts'
import type { SessionMark, SessionSpending, Used } from '../core/money/spending.ts'
import type { Task, TaskResult, TaskStatus } from '../core/task/task.ts'

/** Tasks live in a scope: a repository and a branch of it. */
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
  /** Yields after every change that any process made; changes while nobody listens are told once. */
  changes(signal: AbortSignal): AsyncIterable<void>
  close(): void
}

export interface TaskStore {
  /** Refuses an id that exists and dependencies that do not. */
  create(scope: Scope, task: Task): Promise<void>
  find(scope: Scope, id: TaskId): Promise<Task | null>
  /** In plan order: priority, then age. */
  list(scope: Scope, filter: TaskFilter): Promise<Task[]>
  /** What a claim would take next, best first. */
  claimable(scope: Scope, limit: number): Promise<Task[]>
  /** Takes the best claimable task, or the named one; null where there is none. One atomic step with a new fence. */
  claim(scope: Scope, request: ClaimRequest): Promise<Claim | null>
  /** Reads a task, lets a rule of the core change it, and writes it back in one step; what the rule throws is refused. */
  change(scope: Scope, id: TaskId, rule: Rule): Promise<Task>
  /** The same for all that match, all or nothing. */
  changeAll(scope: Scope, filter: TaskFilter, rule: Rule): Promise<Task[]>
  /** Refuses unknown tasks and cycles; a dependency that stands already is no error. */
  block(scope: Scope, id: TaskId, by: TaskId): Promise<void>
  /** Refuses a dependency that is not there. */
  unblock(scope: Scope, id: TaskId, by: TaskId): Promise<void>
  /** By difference, in one step; a rule sees the tasks as they are then. */
  syncPlan(scope: Scope, plan: readonly PlanItem[] | PlanRule): Promise<PlanDiff>
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
  /** The build that takes the task over. */
  readonly build?: BuildId
}

export interface Claim {
  readonly task: Task
  /** What the finished blockers left behind. */
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

/** Who lost the lease can write nothing: another loop has the task, or a human took it away. */
export interface LeaseLost {
  readonly kept: false
}
/** `resumed`: this very effect was begun before and its outcome was never recorded. `task`: as it is now. */
export type BeginResult = { readonly kept: true; readonly resumed: boolean; readonly task: Task } | LeaseLost
/** `facts`: all that were recorded, in their order. `begun`: what comes next, where it was begun in the same step. */
export type RecordResult =
  | { readonly kept: true; readonly attempt: Attempt; readonly facts: readonly Fact[]; readonly begun?: BeginResult }
  | LeaseLost

/** `facts`: all that were recorded; who lost the planning can write nothing. */
export type PlanResult = { readonly kept: true; readonly diff: PlanDiff; readonly facts: readonly Fact[] } | LeaseLost

/** A plan that was just made, and what its reader should know. */
export interface NewPlan extends Plan {
  readonly notes: string
}

export interface BuildFilter {
  readonly id?: BuildId
  readonly idea?: IdeaId
  /** Only those that are older than this one. */
  readonly before?: BuildId
  readonly limit: number
}

/** Who lets something happen, and what for. */
export type Why = Pick<WantedMove, 'by' | 'reason'>

export interface BuildStore {
  /**
   * Takes the named tasks into the new build and says that it started; null: it starts when it has its plan. Its idea goes
   * to building in the same step, and is made where there is none; one that cannot go there is refused.
   */
  create(
    scope: Scope,
    build: Build,
    tasks: readonly TaskId[] | null,
    attachments?: readonly Attachment[],
    why?: Why,
  ): Promise<void>
  /**
   * Reads how the planning of a build stands, lets a rule of the core change it, and keeps it with what is told of it, in
   * one step. Null where the build needs no planning, or the rule changes nothing.
   */
  changePlanning(id: BuildId, rule: (planning: Planning, now: Instant) => PlanningChange): Promise<Planning | null>
  /**
   * The plan of a build, taken over by difference: its tasks and all others that are open become the build's, which starts
   * thereby. Conditional on the planning's fence, and on the build not being aborted.
   */
  plan(id: BuildId, fence: number, rule: PlanRule<NewPlan>): Promise<PlanResult>
  find(id: BuildId): Promise<Build | null>
  newest(scope: Scope): Promise<Build | null>
  /** Newest first. */
  list(scope: Scope, filter: BuildFilter): Promise<Build[]>
  /** The newest of an idea. */
  newestOf(idea: IdeaId): Promise<Build | null>
  /** Every build that is neither complete nor aborted, in whatever scope; oldest first. */
  unfinished(): Promise<Build[]>
  /** Moves a build and says why, together; null where it stands in none of the states `from` (any more). */
  move(id: BuildId, from: readonly BuildState[], to: BuildState, fact: BuildFact): Promise<Build | null>
  /** Adds a fact that leaves the build where it is, and what is kept with it. */
  note(id: BuildId, fact: BuildFact, attachments?: readonly Attachment[]): Promise<void>
  /** What was said and is for this taker now, by the rule of core/builds/user-message.ts: nobody else is given it any more. */
  takeMessages(id: BuildId, taker: string): Promise<string[]>
  attempts(id: BuildId): Promise<Map<TaskId, Attempt>>
  /** Of one task; null where it was never begun in this build. */
  attempt(id: BuildId, task: TaskId): Promise<Attempt | null>
  /** Saves the attempt as it is and what is about to be tried, before it is tried. */
  begin(lease: Lease, attempt: Attempt, effect: Effect): Promise<BeginResult>
  /** Keeps what is about to be done for the task, where the lease still holds; false: it is lost, and nothing was kept. */
  intend(lease: Lease, build: BuildId, attachments: readonly Attachment[]): Promise<boolean>
  /**
   * Folds what came out into the saved attempt, and keeps the new attempt, the fact, what follows from it, the attachments
   * and the task's new status: all or nothing. `goesOn`: whether the effect that comes next is begun in the same step.
   */
  record(
    lease: Lease,
    build: BuildId,
    fact: AgentCause,
    attachments?: readonly Attachment[],
    goesOn?: (next: Effect) => boolean,
  ): Promise<RecordResult>
  /**
   * Folds a word from outside the loop, a human's mostly, into the saved attempt, or into `first` where the task was never begun; whoever held a lease on
   * the task loses it. That a status is rejected is refused where the task has another one by now.
   */
  tell(id: BuildId, fact: OperatorCause, first?: Attempt): Promise<Attempt>
  facts(id: BuildId, after: number, limit: number): Promise<RecordedFact[]>
  /** The number of the last fact; 0 where the build has none, or does not exist. */
  lastSeq(id: BuildId): Promise<number>
  /** Without a fact: what is about the build as a whole and replaces what was kept of it before. */
  keep(id: BuildId, attachments: readonly Attachment[]): Promise<void>
  /** Everything of one kind that was kept, oldest first; of one task, where it is named. */
  attachments<Kind extends Attachment['kind']>(id: BuildId, kind: Kind, task?: TaskId): Promise<AttachmentOf<Kind>[]>
  /** What a check came to where it was red by itself, in whatever build that was kept; null: it never was. */
  redCheck(key: string): Promise<CheckRun | null>
}

/** Every agent session, and the ledger of the build's budget (core/money/budget.ts). Each call is one atomic step over all loops. */
export interface SpendingStore {
  /** Says what the build may spend in all, from now on; whoever works on it obeys. */
  setBudget(build: BuildId, budget: Budget): Promise<void>
  /** Null: nobody has said; what the build was frozen with counts. */
  budget(build: BuildId): Promise<Budget | null>
  /** Sets something aside for a session before it begins. Sessions whose loop is gone are given up for lost. */
  reserve(session: SessionMark, frozen: Budget): Promise<Reservation>
  /** What a session has used so far, and what it may use then; null where it is open no more. */
  note(id: number, used: Used, frozen: Budget): Promise<Allowance | null>
  settle(id: number, end: SessionResult): Promise<void>
  /** What the budget is charged with: what was used, and what is set aside. */
  charged(build: BuildId): Promise<Amount>
  /** Oldest first. */
  list(build: BuildId): Promise<SessionSpending[]>
}

export interface Allowance {
  readonly budget: Budget
  /** What the session may use in all. */
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

/** Which facts of a build were told to the outside: each by one process, once, and again only if that one was killed. */
export interface NoticeStore {
  /** `ours`: it is the caller's for so long. `busy`: somebody else is at it. */
  claim(build: BuildId, seq: number, forMs: number): Promise<'ours' | 'busy' | 'told'>
  /** It is still the caller's, for so long from now. */
  renew(build: BuildId, seq: number, forMs: number): Promise<void>
  told(build: BuildId, seq: number): Promise<void>
}

/** Ideas go along with their newest build: what changes it moves its idea in the same step (core/idea/idea-of-build.ts). */
export interface IdeaStore {
  /** Refuses an id that exists. */
  create(idea: Idea): Promise<void>
  find(id: IdeaId): Promise<Idea | null>
  /** Newest first. */
  list(filter: IdeaFilter): Promise<IdeaPage>
  /** Those of a project that were changed at this time or later, oldest change first. */
  changed(project: Project, since: Instant, limit: number): Promise<Idea[]>
  /** Words, spec, project and how it advances; where it stands is left as it is. */
  change(id: IdeaId, rule: (idea: Idea) => Idea): Promise<Idea>
  /** Compare and swap on the phase, with its entry; null: the idea is not in `from` any more, and nothing was changed. */
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
  /** Null: these were the last. */
  readonly next: string | null
}
