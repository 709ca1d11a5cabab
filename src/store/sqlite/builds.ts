// The builds of the store: attempts, the facts that changed them, and the lease's fence on every write.
import { type Attempt, type Effect, next } from '../../core/attempt/attempt.ts'
import { announcements, effectKey, intents, repeatedIntents } from '../../core/attempt/attempt-facts.ts'
import { type Build, type BuildState, lastErrorAfter } from '../../core/builds/build.ts'
import { refuse } from '../../core/error/error.ts'
import { applyInFamily } from '../../core/attempt/split-family.ts'
import type { BuildFact, Cause, Fact, OperatorCause, ReportFact } from '../../core/fact/fact.ts'
import type { BuildId, TaskId } from '../../core/values/id.ts'
import type { Attachment } from '../../core/builds/attachment.ts'
import { afterReport } from '../../core/attempt/reported-on-head.ts'
import { isReported } from '../../core/task/reported.ts'
import { partsOf, taskAfter } from '../../core/attempt/settlement.ts'
import type { BeginResult, BuildStore, Lease } from '../store.ts'
import { type BuildRow, findBuild, insertBuild, listBuilds, saveBuild } from './rows/build-rows.ts'
import type { Connection } from './database/connection.ts'
import { appendFacts, readFacts, readLastSeq } from './facts.ts'
import { ideaFollows, ideaForBuild, newestOf } from './rows/idea-rows.ts'
import { saveAttachments, readAttachments, readRedCheck, takeMessages } from './attachments.ts'
import { changePlanning, plan, takeIn } from './planning.ts'
import { placeParts } from './split.ts'
import { ensureScope, findTask, requireTask, scopeKey, type TaskRow, updateTask } from './rows/task-rows.ts'

export function buildStore(db: Connection): BuildStore {
  return {
    create: (scope, build, tasks, attachments = [], why = { by: 'ralph', reason: `build ${build.id} was started` }) =>
      db.write(() => {
        const key = ensureScope(db, scope)
        insertBuild(db, key, build)
        saveAttachments(db, build.id, attachments)
        ideaForBuild(db, build, { repository: scope.repo, base: scope.branch }, why)
        if (tasks === null) return
        takeIn(db, key, build.id, tasks)
        appendFacts(db, build.id, [{ type: 'buildStarted', taskCount: tasks.length }])
      }),

    changePlanning: (id, rule) => db.write(() => changePlanning(db, id, rule)),

    plan: (id, fence, rule) => db.write(() => plan(db, requireBuild(db, id), fence, rule)),

    find: (id) => db.readOne(() => findBuild(db, id)?.build ?? null),

    newest: (scope) => db.read(() => listBuilds(db, scopeKey(db, scope), { limit: 1 })[0] ?? null),

    list: (scope, filter) => db.read(() => listBuilds(db, scopeKey(db, scope), filter)),

    newestOf: (idea) => db.read(() => buildOf(db, newestOf(db, idea))),

    unfinished: () => db.read(() => unfinishedBuilds(db)),

    move: (id, from, to, fact) => db.write(() => move(db, id, from, to, fact)),

    note: (id, fact, attachments = []) => db.write(() => note(db, requireBuild(db, id).build, fact, attachments)),

    takeMessages: (id, taker) => takeMessages(db, id, taker),

    attempts: (id) => db.read(() => savedAttempts(db, id)),

    attempt: (id, task) => db.readOne(() => savedAttempt(db, id, task)?.attempt ?? null),

    begin: (lease, attempt, effect) => db.write(() => begin(db, lease, attempt, effect)),

    intend: (lease, id, attachments) => db.write(() => intend(db, lease, id, attachments)),

    record: (lease, id, fact, attachments = [], goesOn = () => false) =>
      db.write(() => {
        const row = heldTask(db, lease)
        if (row === null) return { kept: false }
        saveAttachments(db, id, attachments)
        const folded = fold(db, row, id, fact, 'held')
        const effect = next(folded.attempt)
        const begun = effect !== null && goesOn(effect) ? begin(db, lease, folded.attempt, effect) : null
        return { kept: true, ...folded, ...(begun === null ? {} : { begun }) }
      }),

    tell: (id, fact, first) => db.write(() => tell(db, id, fact, first)),

    settleReport: (id, fact) => db.write(() => settleReport(db, requireBuild(db, id), fact)),

    facts: (id, after, limit) => db.read(() => readFacts(db, id, after, limit)),
    lastSeq: (id) => db.readOne(() => readLastSeq(db, id)),

    keep: (id, attachments) => db.write(() => saveAttachments(db, requireBuild(db, id).build.id, attachments)),
    attachments: (id, kind, task) => db.readOne(() => readAttachments(db, id, kind, task)),
    redCheck: (key) => db.readOne(() => readRedCheck(db, key)),
  }
}

function buildOf(db: Connection, id: BuildId | null): Build | null {
  return id === null ? null : requireBuild(db, id).build
}

function requireBuild(db: Connection, id: BuildId): BuildRow {
  const row = findBuild(db, id)
  if (row === null) throw refuse('BUILD_NOT_FOUND', { id })
  return row
}

function unfinishedBuilds(db: Connection): Build[] {
  const rows = db.all<{ id: BuildId }>("SELECT id FROM builds WHERE state NOT IN ('complete', 'aborted') ORDER BY key")
  return rows.map(({ id }) => requireBuild(db, id).build)
}

function move(
  db: Connection,
  id: BuildId,
  from: readonly BuildState[],
  state: BuildState,
  fact: BuildFact,
): Build | null {
  const { build } = requireBuild(db, id)
  if (!from.includes(build.state)) return null
  const moved: Build = { ...build, state, lastError: lastErrorAfter(build, fact), lastActivityAt: db.now() }
  saveBuild(db, moved)
  note(db, moved, fact)
  return moved
}

/** Records a fact of the build and moves its idea. */
function note(db: Connection, build: Build, fact: BuildFact, attachments: readonly Attachment[] = []): void {
  appendFacts(db, build.id, [fact])
  saveAttachments(db, build.id, attachments)
  ideaFollows(db, build, fact)
}

/** The task of a lease, if the lease still holds. */
function heldTask(db: Connection, lease: Lease): TaskRow | null {
  const row = findTask(db, scopeKey(db, lease.scope), lease.task)
  return row?.task.status === 'active' && row.task.fence === lease.fence ? row : null
}

function begin(db: Connection, lease: Lease, attempt: Attempt, effect: Effect): BeginResult {
  const row = attempt.task === lease.task ? heldTask(db, lease) : null
  if (row === null) return { kept: false }
  const saved = savedAttempt(db, attempt.build, attempt.task)
  if (saved === null) requireBuild(db, attempt.build)
  const key = effectKey(attempt, effect)
  const resumed = saved?.underWay === key
  if (!resumed) saveAttempt(db, attempt, key)
  appendFacts(db, attempt.build, resumed ? repeatedIntents(attempt, effect) : intents(attempt, effect))
  return { kept: true, resumed, task: row.task }
}

function intend(db: Connection, lease: Lease, build: BuildId, attachments: readonly Attachment[]): boolean {
  if (heldTask(db, lease) === null) return false
  saveAttachments(db, build, attachments)
  return true
}

function tell(db: Connection, id: BuildId, fact: OperatorCause, first: Attempt | undefined): Attempt {
  const row = requireTask(db, requireBuild(db, id).scope, fact.taskId)
  const { status } = row.task
  if (status === 'deleted') throw refuse('TASK_DELETED', { id: fact.taskId })
  // Another loop may have recorded it before, and a loop may work on the task again.
  if (fact.type === 'statusRejected' && status !== fact.status)
    throw refuse('FACT_REFUSED', { fact: fact.type, phase: status, why: `it was to be ${fact.status}` })
  if (first !== undefined && savedAttempt(db, id, fact.taskId) === null) saveAttempt(db, first, null)
  return fold(db, row, id, fact, 'free').attempt
}

function settleReport(db: Connection, { scope, build }: BuildRow, fact: ReportFact): boolean {
  const row = findTask(db, scope, fact.taskId)
  if (row === null || !isReported(row.task)) return false
  const now = db.now()
  updateTask(db, row, afterReport(row.task, fact, build.id, now))
  note(db, build, fact)
  saveBuild(db, { ...build, lastActivityAt: now })
  return true
}

interface Folded {
  readonly attempt: Attempt
  readonly facts: readonly Fact[]
}

/** Saves one outcome completely: the attempt, the facts, the row of the task and its parts. */
function fold(db: Connection, row: TaskRow, id: BuildId, fact: Cause, lease: 'held' | 'free'): Folded {
  const before = savedAttempt(db, id, row.task.id)?.attempt
  if (before === undefined) throw refuse('ATTEMPT_NOT_FOUND', { id: row.task.id })
  const after = applyInFamily(before, fact, () => savedAttempts(db, id))
  const now = db.now()
  saveAttempt(db, after, null)
  const facts = [fact, ...announcements(before, fact, after)]
  appendFacts(db, id, facts)
  // A human may act on a task that was added after the start of the build and that no loop has claimed for it yet.
  updateTask(db, row, { ...taskAfter(row.task, after, fact, lease, now), build: id })
  // A settled task that was split was split before.
  if (before.phase.at !== 'settled') placeParts(db, row, partsOf(row.task, after, now))
  const build = { ...requireBuild(db, id).build, lastError: after.lastError, lastActivityAt: now }
  saveBuild(db, build)
  // The end of an iteration moves no idea: only the start or end of a wait does.
  if (after.phase.at === 'waiting' || before.phase.at === 'waiting') ideaFollows(db, build, fact)
  return { attempt: after, facts }
}

function savedAttempt(
  db: Connection,
  build: BuildId,
  task: TaskId,
): { readonly attempt: Attempt; readonly underWay: string | null } | null {
  const row = db.get<{ state: string; under_way: string | null }>(
    'SELECT state, under_way FROM attempts WHERE build = ? AND task = ?',
    build,
    task,
  )
  return row === undefined ? null : { attempt: JSON.parse(row.state) as Attempt, underWay: row.under_way }
}

function savedAttempts(db: Connection, build: BuildId): Map<TaskId, Attempt> {
  const rows = db.all<{ state: string }>('SELECT state FROM attempts WHERE build = ?', build)
  const attempts = rows.map((row) => JSON.parse(row.state) as Attempt)
  return new Map(attempts.map((attempt) => [attempt.task, attempt]))
}

function saveAttempt(db: Connection, attempt: Attempt, underWay: string | null): void {
  db.run(
    `INSERT INTO attempts (build, task, state, under_way) VALUES (?, ?, ?, ?)
     ON CONFLICT (build, task) DO UPDATE SET state = excluded.state, under_way = excluded.under_way`,
    attempt.build,
    attempt.task,
    JSON.stringify(attempt),
    underWay,
  )
}
