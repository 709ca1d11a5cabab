// Runs a build in this process until it ends or has to stop, and records how it ended.
import { type Role, ROLES } from '../../agents/agent.ts'
import type { Build } from '../../core/builds/build.ts'
import type { DoneReason } from '../../core/builds/done-reason.ts'
import { refuse } from '../../core/error/error.ts'
import { MEND_PAUSE_MS } from '../../core/session/fallback.ts'
import type { AgentId, BuildId } from '../../core/values/id.ts'
import { releaseTask } from '../../core/task/task.ts'
import { checkBaseline } from '../../engine/verify/baseline.ts'
import { watchingCheckout } from '../../engine/checkout-watch.ts'
import { runClaimLoop } from '../../engine/claim/claim-loop.ts'
import { obeyOperator } from '../../engine/control.ts'
import { rejectUnproved, soundBranch } from '../../engine/verify/landing.ts'
import { noteOutage } from '../../engine/session/limited-agents.ts'
import { runLoop } from '../../engine/loop.ts'
import { mirrorNow } from '../../engine/debounced-mirror.ts'
import type { EngineDeps } from '../../engine/deps.ts'
import { type Stop, type StopSwitch, stopSwitch } from '../../engine/stop.ts'
import { type BuildContext, endBuild } from './builds.ts'
import { countingRun } from './run-tally.ts'

/** `engine`: each session gets its task. `agent`: the session sees the tasks and claims one. */
export type Claims = 'engine' | 'agent'

export interface RunLimits {
  /** `--once` */
  readonly mode: 'one-iteration' | 'to-the-end'
  /** Iterations in this run; null: as many as the build may still have. */
  readonly iterationsMax: number | null
  /** Milliseconds since 1970; null: no end time. */
  readonly until: number | null
}

/** `done`: iterations of the build so far. An explicit number for this run may exceed the limit of the build. */
export function runLimits(limits: RunLimits, done: number, buildMax: number, now: () => number): StopSwitch {
  const { mode, iterationsMax, until } = limits
  if (mode === 'one-iteration')
    return stopSwitch({ iterations: 1, whenSpent: { reason: 'SingleIterationComplete' }, until, now })
  if (iterationsMax !== null)
    return stopSwitch({ iterations: iterationsMax, whenSpent: { reason: 'MaxIterationsReached' }, until, now })
  const detail = `The build may have ${buildMax} iterations ([limits] max_iterations); 'ralph build -n N' allows N more.`
  const whenSpent: Stop = { reason: 'MaxIterationsReached', detail }
  return stopSwitch({ iterations: Math.max(0, buildMax - done), whenSpent, until, now })
}

/** Finds agents that cannot work before the first iteration, not after 200 of them. Returns notes for the operator. */
export async function requireAgents(engine: Able, plan: 'planned' | 'unplanned'): Promise<readonly string[]> {
  const isIdle = {
    planner: plan === 'planned',
    reviewer: engine.config.review.when === 'never',
    implementer: false,
    sia: false,
  }
  const wanted = ROLES.filter((role) => !isIdle[role])
  return requireRoles(engine, wanted)
}

type Able = Pick<EngineDeps, 'config' | 'agents' | 'fallbacks' | 'memory' | 'now'>

/** Refuses if the agent of a role cannot work. If another agent can take over, it only returns a note. */
export async function requireRoles(
  { agents, fallbacks = [], memory, now }: Omit<Able, 'config'>,
  roles: readonly Role[],
): Promise<readonly string[]> {
  const wanted = new Set(roles.map((role) => agents[role]))
  const asked = [...new Set([...wanted, ...fallbacks])]
  const answers = await Promise.all(asked.map(async (agent) => ({ agent, readiness: await agent.ready() })))
  const unready = answers.flatMap(({ agent, readiness }) => (readiness.ready ? [] : [{ agent, ...readiness }]))
  const isCovered = answers.some(({ agent, readiness }) => readiness.ready && fallbacks.includes(agent))
  const lost = unready.find(({ agent }) => wanted.has(agent))
  if (lost !== undefined && !isCovered) throw refuse('AGENT_NOT_READY', { name: lost.agent.name, reason: lost.reason })
  for (const { agent, reason } of unready)
    noteOutage(memory.outages, agent, { is: 'mend', kind: 'auth', reason, until: now() + MEND_PAUSE_MS }, now())
  return unready.map(({ agent, reason }) => `${agent.name} cannot work: ${reason}`)
}

/** The same engine without the limits that were met before; later limits still apply. */
export async function withLimitsLifted(engine: EngineDeps, build: BuildId): Promise<EngineDeps> {
  const attempts = await engine.store.builds.attempts(build)
  const lifted = new Set([...attempts.values()].flatMap(({ task, phase }) => (phase.at === 'limited' ? [task] : [])))
  return { ...engine, isLifted: (task) => lifted.delete(task) }
}

/** Several loops in one process share the store and the workspaces as several processes would. */
export async function runBuild(
  context: BuildContext,
  engine: EngineDeps,
  build: Build,
  stops: StopSwitch,
  workers: readonly AgentId[],
  claims: Claims = 'engine',
): Promise<Stop> {
  // Before any agent works, we know what is on the branch and what is done.
  await soundBranch(engine, build.id)
  await rejectUnproved(engine, build.id)
  const counted = countingRun(engine)
  const unable = await baselineFirst(engine, build.id, stops, workers)
  const ends =
    unable !== null
      ? [unable]
      : await watchingCheckout(counted.engine, build.id, (watched) =>
          Promise.all(workers.map((worker) => runWorker(watched, build.id, stops, worker, claims))),
        )
  const stop = counted.outcome(weightiest(ends))
  await giveBackAll(engine, workers)
  // Anybody who hears that the build is over finds its branch, including work after the last task, such as a revert.
  await mirrorNow(engine, build.id)
  await endBuild(context, build.id, stop)
  return stop
}

/** Runs once, however many loops there are. Obeys a pause or an abort meanwhile. */
async function baselineFirst(
  engine: EngineDeps,
  build: BuildId,
  stops: StopSwitch,
  [agentId]: readonly AgentId[],
): Promise<Stop | null> {
  if (agentId === undefined) return null
  const control = await obeyOperator({ engine, build, agentId }, stops)
  try {
    return stops.asked() ?? (await checkBaseline(engine, build, stops.signal))
  } catch (cause) {
    return stopBy(cause, stops)
  } finally {
    await control.end()
  }
}

async function runWorker(
  engine: EngineDeps,
  build: BuildId,
  stops: StopSwitch,
  worker: AgentId,
  claims: Claims,
): Promise<Stop> {
  try {
    return await (claims === 'agent' ? runClaimLoop : runLoop)(engine, build, worker, stops)
  } catch (cause) {
    return stopBy(cause, stops)
  }
}

function stopBy(cause: unknown, stops: StopSwitch): Stop {
  // Interrupted work may fail in its own way; that is not the real cause.
  const demanded = stops.signal.aborted ? stops.asked() : null
  if (demanded !== null) return demanded
  const stop: Stop = { reason: 'Failed', detail: cause instanceof Error ? cause.message : String(cause), cause }
  stops.demand(stop)
  return stop
}

/** A loop that failed still holds its task. */
async function giveBackAll({ store, scope }: EngineDeps, workers: readonly AgentId[]): Promise<void> {
  for (const assignee of workers) {
    await store.tasks.changeAll(scope, { statuses: ['active'], assignee }, (task, now) => ({
      ...releaseTask(task, now),
      status: 'open',
    }))
  }
}

/** If loops end for different reasons, the one that asks most of the user counts. */
const weights: readonly DoneReason[] = [
  'Failed',
  'Aborted',
  'UserCancelled',
  'UnverifiedDone',
  'BudgetExhausted',
  'HumanNeeded',
  'NoProgress',
  'Paused',
  'MaxIterationsReached',
  'SingleIterationComplete',
  'RalphDoneMarker',
  'AllTasksComplete',
]

function weightiest(ends: readonly Stop[]): Stop {
  const [first, ...rest] = ends.toSorted((one, other) => weights.indexOf(one.reason) - weights.indexOf(other.reason))
  return first ?? rest[0] ?? { reason: 'AllTasksComplete' }
}
