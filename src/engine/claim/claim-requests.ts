// Answers a session that chooses its task. Until the session claims a task it may only read; from then on it is bound
// to that task like any other session (session-requests.ts), and cannot claim a second one.
import { firstAttempt, next } from '../../core/attempt/attempt.ts'
import { intents } from '../../core/attempt/attempt-facts.ts'
import { refuse } from '../../core/error/error.ts'
import type { TaskId } from '../../core/values/id.ts'
import {
  answerRequest,
  type BuildStanding,
  type ClaimAnswer,
  type RequestHandlers,
  type RequestOf,
  type SessionRequest,
} from '../../core/request/session-request.ts'
import { outsideWord, type Task, type TaskStatus } from '../../core/task/task.ts'
import type { Claim, Lease } from '../../store/store.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { buildBrief, messagesFor } from '../session/brief.ts'
import { giveBack, LEASE_SECONDS, leaseOn } from '../claimed-task.ts'
import { newMutex } from '../mutex.ts'
import { keepLease, type LeaseKeeper } from '../lease-renewal.ts'
import type { Iterate } from '../effects/iterate.ts'
import type { ProgressSession } from '../progress.ts'
import { scratchpadFile } from '../session/scratchpad-file.ts'
import {
  type IterationRequestHandler,
  iterationRequestHandler,
  type SessionReport,
  type SessionRequestHandler,
  tellingRefused,
} from '../session/session-requests.ts'
import type { TaskRun, Loop } from '../deps.ts'
import { readingAnswers, showTask } from '../session/task-reading.ts'
import { EXITED } from './failed-tasks.ts'

/** The folder of a session, and what stops it. */
export interface Place {
  /** The folder the session works in. It belongs to no task yet. */
  readonly workspace: Workspace
  readonly signal: AbortSignal
  /** Called with the keeper of the lease as soon as there is one. */
  readonly onLease: (keeper: LeaseKeeper) => void
}

export interface ClaimedTask {
  readonly taskRun: TaskRun
  readonly effect: Iterate
  readonly lease: Lease
  readonly workspace: Workspace
  readonly keeper: LeaseKeeper
  readonly plan: ProgressSession | null
  readonly said: () => SessionReport
}

export interface ClaimRequestHandler extends SessionRequestHandler {
  /** Ask this when the session is over. */
  readonly claimed: () => ClaimedTask | null
}

interface BoundTask {
  readonly claimed: ClaimedTask
  readonly answer: ClaimAnswer
  readonly context: IterationRequestHandler
  /** The status that the session reported for its task; null until it reports one. */
  reported: TaskStatus | null
}

export function claimRequestHandler(loop: Loop, place: Place): ClaimRequestHandler {
  const { engine } = loop
  const exclusively = newMutex()
  let bound: BoundTask | null = null
  const refusedBefore = tellingRefused(loop, null)

  const claim = async ({ id }: RequestOf<'claim'>): Promise<ClaimAnswer> => {
    bound ??= await bindTo(loop, place, await take(loop, id))
    const own = bound.claimed.taskRun.task.id
    if (id !== null && id !== own) throw refuse('OTHER_TASK', { id: own })
    if (bound.reported !== null) throw refuse('TASK_NOT_ELIGIBLE')
    return bound.answer
  }
  const requireBound = async (id: TaskId | null): Promise<BoundTask> => {
    if (bound !== null) return bound
    if (id === null) throw refuse('NO_TASK_YET')
    const { status } = await showTask(engine, id)
    throw status === 'active'
      ? refuse('NOT_THE_ASSIGNEE', { id, agent: loop.agentId })
      : refuse('TASK_NOT_ACTIVE', { id, status })
  }
  const report = async (request: RequestOf<'done' | 'fail'>): Promise<Task> => {
    const mine = await requireBound(request.id)
    const { task } = mine.claimed.taskRun
    if (request.id === task.id && mine.reported !== null)
      throw refuse('TASK_NOT_ACTIVE', { id: task.id, status: mine.reported })
    // The end of the session says nothing about the work.
    const isExit = request.do === 'fail' && request.id === task.id && request.reason === EXITED
    const answer = isExit ? task : await mine.context.answer(request)
    mine.reported = request.do === 'done' ? 'done' : 'open'
    return answer
  }
  const whenBound = async <Request extends SessionRequest>(request: Request) =>
    (await requireBound(null)).context.answer(request)
  const handlers: RequestHandlers = {
    ...readingAnswers(engine),
    claim: (request) => exclusively(() => claim(request)),
    done: (request) => exclusively(() => report(request)),
    fail: (request) => exclusively(() => report(request)),
    renew: async (request) => (await requireBound(request.id)).context.answer(request),
    create: whenBound,
    scratchpad: whenBound,
    signal: whenBound,
    applyPatch: whenBound,
    runChecks: whenBound,
    refused: (request) => (bound === null ? refusedBefore(request) : bound.context.answer(request)),
    buildStatus: (request) => (bound === null ? unboundStanding(loop) : bound.context.answer(request)),
  }
  return { answer: (request) => answerRequest(handlers, request), claimed: () => bound?.claimed ?? null }
}

async function unboundStanding({ engine, build }: Loop): Promise<BuildStanding> {
  const found = await engine.store.builds.find(build)
  const plan = await engine.store.tasks.counts(engine.scope)
  return { build: found === null ? null : { id: found.id, state: found.state }, plan, iteration: null }
}

async function take({ engine, build, agentId }: Loop, id: TaskId | null): Promise<Claim> {
  const request = { agent: agentId, leaseSeconds: LEASE_SECONDS, build }
  const claim = await engine.store.tasks.claim(engine.scope, id === null ? request : { ...request, id })
  if (claim === null) throw refuse(id === null ? 'NO_ELIGIBLE_TASKS' : 'TASK_NOT_ELIGIBLE')
  return claim
}

/** Begins an iteration on the task. If that fails, the task stays open and the session may choose again. */
async function bindTo(loop: Loop, place: Place, { task, blockerResults }: Claim): Promise<BoundTask> {
  const { engine, build } = loop
  const lease = leaseOn(engine, task)
  const keeper = keepLease(loop, lease, LEASE_SECONDS)
  try {
    const attempt =
      (await engine.store.builds.attempt(build, task.id)) ?? firstAttempt(task, build, engine.config.limits)
    const effect = next(attempt)
    // Proving is no work for an agent: the loop does it before the next session.
    if (effect?.do !== 'iterate' || outsideWord(task) !== null) throw refuse('TASK_NOT_ELIGIBLE')
    const begun = await engine.store.builds.begin(lease, attempt, effect)
    if (!begun.kept) throw refuse('TASK_NOT_ELIGIBLE')
    for (const intent of intents(attempt, effect)) engine.watcher.fact(intent)
    engine.failpoint('begun iterate')
    const taskRun: TaskRun = { ...loop, task, attempt, begun, signal: place.signal }
    const mode = effect.iteration === 1 && !begun.resumed ? 'fresh' : 'keep'
    const pad = scratchpadFile(place.workspace, loop.agentId)
    const brief = await buildBrief(taskRun, effect.iteration, pad, await messagesFor(taskRun, effect.iteration))
    const workspace = await engine.workspaces.handOver(place.workspace, task.id, attempt.tree, mode)
    const plan = (await engine.progress?.startSession(workspace.folder)) ?? null
    const context = iterationRequestHandler(taskRun, workspace.folder, effect.iteration, pad)
    place.onLease(keeper)
    const claimed = { taskRun, effect, lease, workspace, keeper, plan, said: context.said }
    return { claimed, answer: { task, blockerResults, brief }, context, reported: null }
  } catch (error) {
    keeper.end()
    await giveBack(engine, task)
    throw error
  }
}
