// A task: one unit of work, its content, and the rules by which its holder changes.
//
//   open ── claim ──> active ── complete ──> done
//    ^                  │  ├── fail ──> open        (retryCount + 1)
//    │                  │  ├── lease runs out ──> claimable again, with a new fencing number (retryCount + 1)
//    └── retry ── waiting <┘  waiting: a human is asked; skipped, split, deleted: settled without work of its own
//
// Every claim takes a larger fencing number. A holder of an old number can write nothing.
//
// In a build only the engine may `complete` a task. Anybody else makes a claim (`reportedDone`): the task stays active
// and keeps blocking its dependants, and the loop that holds it, or takes it, proves the claim or opens the task again.
// Outside a build the task is done at once, and the report stays until a build, or `ralph verify --task`, has run the
// checks on HEAD (reported.ts).
import { refuse } from '../error/error.ts'
import { claimOf, type TaskClaim } from './claim.ts'
import type { AgentId, BuildId, CommitId, Instant, TaskId } from '../values/id.ts'

export const TASK_STATUSES = ['open', 'active', 'waiting', 'done', 'skipped', 'split', 'deleted'] as const
export type TaskStatus = (typeof TASK_STATUSES)[number]

export const TASK_TYPES = [
  'setup',
  'database',
  'api',
  'ui',
  'integration',
  'test',
  'docs',
  'refactor',
  'chore',
] as const
export type TaskType = (typeof TASK_TYPES)[number]

export const TITLE_LENGTH_MAX = 500
export const TEXT_LENGTH_MAX = 65_536
export const PRIORITY_DEFAULT = 2
export const LEASE_DEFAULT_SECONDS = 600
/** The longest lease that a program may ask for; an operator may give a longer one. */
export const LEASE_SECONDS_MAX = 86_400
/** How many claimable tasks `peek` shows. */
export const PEEK_DEFAULT = 5
export const PEEK_MAX = 100

/** The content of a task: what a person or a planner writes. */
export interface TaskText {
  readonly title: string
  readonly description: string | null
  readonly priority: number
  readonly category: string | null
  /** The spec that this task belongs to; a plan is synced spec by spec. */
  readonly spec: string | null
  readonly ref: string | null
  readonly steps: readonly string[]
  readonly type: TaskType | null
  readonly acceptance: readonly string[]
  readonly filesExpected: readonly string[]
}

/** The result of a finished task; `commit` is always present. */
export type TaskResult = Readonly<Record<string, unknown>> & { readonly commit: unknown }

/** A loop of a build, or an agent that took the task by itself. */
export type Holder = 'loop' | 'agent'

/** A claim that the task is done, which nothing has proved yet. */
export interface ReportedDone {
  /**
   * `session`: the work is in the folder of the loop's session. `outside`: an agent outside the build did it, in
   * `result.commit`.
   */
  readonly where: 'session' | 'outside'
  /** The holder of the task at that time. */
  readonly by: AgentId | null
  readonly result: TaskResult | null
  /** Of a done task: the checks were green on this commit; missing: nobody has run them yet. */
  readonly verified?: { readonly commit: CommitId; readonly checks: string }
}

export interface Task extends TaskText {
  readonly id: TaskId
  readonly deps: readonly TaskId[]
  /** What the task claims where its current title and type do not decide that (claim.ts). */
  readonly fixedClaim: TaskClaim | null
  readonly status: TaskStatus
  /** The build that works on it; null while it is only a row in the task store. */
  readonly build: BuildId | null
  readonly assignee: AgentId | null
  readonly leaseExpiresAt: Instant | null
  readonly heldBy: Holder | null
  /** In a build, of an active task: a claim. Outside, of a done task: who said so, and whether it was verified since. */
  readonly reportedDone: ReportedDone | null
  /** Grows by one with every claim and every release. */
  readonly fence: number
  readonly retryCount: number
  readonly failReason: string | null
  readonly result: TaskResult | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

const emptyText: TaskText = {
  title: '',
  description: null,
  priority: PRIORITY_DEFAULT,
  category: null,
  spec: null,
  ref: null,
  steps: [],
  type: null,
  acceptance: [],
  filesExpected: [],
}

export function newTask(
  id: TaskId,
  text: Partial<TaskText> & { readonly title: string },
  deps: readonly TaskId[],
  now: Instant,
): Task {
  return {
    ...checkedText({ ...emptyText, ...text }),
    id,
    deps: [...new Set(deps)],
    fixedClaim: null,
    status: 'open',
    build: null,
    assignee: null,
    leaseExpiresAt: null,
    heldBy: null,
    reportedDone: null,
    fence: 0,
    retryCount: 0,
    failReason: null,
    result: null,
    createdAt: now,
    updatedAt: now,
  }
}

/** A settled task blocks nothing: its dependants may start. */
export function isSettled(status: TaskStatus): boolean {
  return status === 'done' || status === 'skipped' || status === 'split' || status === 'deleted'
}

/** Takes the task; the caller makes sure that its blockers are finished (see plan.ts). */
export function claimTask(
  task: Task,
  agent: AgentId,
  leaseSeconds: number,
  now: Instant,
  holder: Holder = 'agent',
): Task {
  if (!isFree(task, now, holder)) throw refuse('TASK_NOT_ELIGIBLE')
  return {
    ...task,
    status: 'active',
    assignee: agent,
    leaseExpiresAt: now + leaseSeconds * 1000,
    heldBy: holder,
    reportedDone: outsideWord(task),
    fence: task.fence + 1,
    // A holder that reported the task done did not give up.
    retryCount: task.retryCount + (task.status === 'active' && outsideWord(task) === null ? 1 : 0),
    updatedAt: now,
  }
}

/** Open, or active with an expired lease. Only a loop may take a task that was reported done, to prove it. */
export function isFree(task: Task, now: Instant, holder: Holder = 'agent'): boolean {
  if (holder === 'agent' && outsideWord(task) !== null) return false
  return task.status === 'open' || (task.status === 'active' && hasLapsed(task, now))
}

/**
 * A clock that was set back by more than the lease would keep the lease of a dead holder alive: a living holder would
 * have renewed it since.
 */
function hasLapsed({ leaseExpiresAt, updatedAt }: Task, now: Instant): boolean {
  const ends = leaseExpiresAt ?? 0
  return ends <= now || now < updatedAt - (ends - updatedAt)
}

export function renewLease(task: Task, agent: AgentId, leaseSeconds: number, now: Instant): Task {
  requireHeld(task, agent)
  return { ...task, leaseExpiresAt: now + leaseSeconds * 1000, updatedAt: now }
}

/** For a task outside a build. `agent` is null for the operator, who need not be the assignee. */
export function markCompleted(task: Task, agent: AgentId | null, result: TaskResult | null, now: Instant): Task {
  requireHeld(task, agent)
  const reportedDone: ReportedDone = { where: 'outside', by: task.reportedDone?.by ?? task.assignee, result }
  return { ...releaseTask(task, now), status: 'done', result, reportedDone }
}

/**
 * The counterpart of `markCompleted` in a build. Any loop may take the work of an agent outside the build now; a loop's
 * own session continues.
 */
export function reportDone(task: Task, agent: AgentId | null, result: TaskResult | null, now: Instant): Task {
  requireHeld(task, agent)
  const where = task.reportedDone?.where ?? (task.heldBy === 'loop' ? 'session' : 'outside')
  const reportedDone: ReportedDone = { where, by: task.reportedDone?.by ?? task.assignee, result }
  return { ...task, reportedDone, updatedAt: now, ...(task.heldBy === 'loop' ? {} : { leaseExpiresAt: now }) }
}

export function markFailed(task: Task, agent: AgentId | null, reason: string | null, now: Instant): Task {
  requireHeld(task, agent)
  return reopenTask(task, reason, now)
}

export function reopenTask(task: Task, reason: string | null, now: Instant): Task {
  const retryCount = task.retryCount + 1
  return { ...releaseTask(task, now), status: 'open', failReason: reason, retryCount, reportedDone: null }
}

/** The text of the operator or the planner, which also says what the task claims. */
export function rewriteTask(task: Task, text: Partial<TaskText>, now: Instant): Task {
  return { ...withText(task, text, now), fixedClaim: claimAfter(task, text) }
}

/** The text of SIA, or of a session: a new title does not change what the task claims; only SIA's type does. */
export function rewordTask(task: Task, text: Partial<TaskText>, by: 'sia' | 'session', now: Instant): Task {
  const isTyped = (text.type ?? null) !== null
  if (by === 'sia' && isTyped) return rewriteTask(task, text, now)
  const isAsBefore = (text.title ?? task.title) === task.title && !isTyped
  return { ...withText(task, text, now), fixedClaim: isAsBefore ? task.fixedClaim : claimOf(task) }
}

function withText(task: Task, text: Partial<TaskText>, now: Instant): Task {
  if (task.status === 'done') throw refuse('TASK_DONE', { id: task.id, verb: 'updated' })
  if (task.status === 'deleted') throw refuse('TASK_DELETED', { id: task.id })
  return { ...task, ...checkedText({ ...task, ...text }), updatedAt: now }
}

/** A type that a session set stays without effect, also where the operator changes the title alone. */
function claimAfter({ fixedClaim, title }: Task, text: Partial<TaskText>): TaskClaim | null {
  if (fixedClaim === null || (text.type ?? null) !== null) return null
  return text.title === undefined || text.title === title ? fixedClaim : claimOf({ title: text.title, type: null })
}

export function markDeleted(task: Task, now: Instant): Task {
  if (task.status === 'done') throw refuse('TASK_DONE', { id: task.id, verb: 'deleted' })
  if (task.status === 'deleted') return task
  return { ...releaseTask(task, now), status: 'deleted', reportedDone: null }
}

/**
 * Deletes the task on request. Deleting would unblock its dependants, so it is refused while a loop works on the task.
 */
export function withdrawTask(task: Task, now: Instant): Task {
  if (task.status === 'active' && task.heldBy === 'loop' && (task.leaseExpiresAt ?? 0) > now)
    throw refuse('TASK_HELD', { id: task.id })
  return markDeleted(task, now)
}

/** Frees the task. The previous holder can no longer write, since the fencing number grows. */
export function releaseTask(task: Task, now: Instant): Task {
  const nobody = { assignee: null, leaseExpiresAt: null, heldBy: null, reportedDone: outsideWord(task) }
  return { ...task, ...nobody, fence: task.fence + 1, updatedAt: now }
}

/** The report that survives a change of the holder: a session runs again, and the next one reports for itself. */
export function outsideWord({ reportedDone }: Task): ReportedDone | null {
  return reportedDone?.where === 'outside' ? reportedDone : null
}

function requireHeld(task: Task, agent: AgentId | null): void {
  if (task.status !== 'active') throw refuse('TASK_NOT_ACTIVE', { id: task.id, status: task.status })
  if (agent !== null && task.assignee !== agent) throw refuse('NOT_THE_ASSIGNEE', { id: task.id, agent })
}

function checkedText(text: TaskText & Partial<Task>): TaskText & Partial<Task> {
  if (text.title.trim() === '') throw refuse('TASK_TITLE_MISSING')
  requireLine('title', text.title)
  if (!Number.isSafeInteger(text.priority) || text.priority < 0) throw refuse('PRIORITY_BAD')
  requireLine('category', text.category)
  requireLine('spec', text.spec)
  requireLine('ref', text.ref)
  requireText('description', text.description ?? '')
  for (const line of [...text.steps, ...text.acceptance, ...text.filesExpected]) requireText('a step', line)
  return text
}

// Half a surrogate pair does not survive UTF-8: the store would return a different text.
const brokenLine = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u
const brokenText = /[\0\p{Cs}]/u

function requireLine(field: string, value: string | null): void {
  if (value !== null && (value.length > TITLE_LENGTH_MAX || brokenLine.test(value)))
    throw refuse('TASK_LINE_BAD', { field, limit: TITLE_LENGTH_MAX })
}

function requireText(field: string, value: string): void {
  if (value.length > TEXT_LENGTH_MAX || brokenText.test(value))
    throw refuse('TASK_TEXT_BAD', { field, limit: TEXT_LENGTH_MAX })
}
