// A build that begins with a goal or a spec is planned first: one loop plans it under a lease, while the others wait.
import { type BuildGraph, listedTasks } from '../core/plan/build-graph.ts'
import { refuse } from '../core/error/error.ts'
import type { BuildFact } from '../core/fact/fact.ts'
import type { BuildId } from '../core/values/id.ts'
import {
  type Planning,
  planningClaimed,
  planningReleased,
  planningRenewed,
  planningTold,
} from '../core/builds/planning.ts'
import { type Placement, placePlan } from '../core/plan/plan-placement.ts'
import { groupOf, type Seed, versionOf } from '../core/plan/seed.ts'
import type { Task } from '../core/task/task.ts'
import type { NewPlan } from '../store/store.ts'
import { LEASE_SECONDS } from './claimed-task.ts'
import type { Control } from './control.ts'
import { askPlanner, type PlanRequest } from './effects/plan.ts'
import { sleepUntil } from './effects/wait.ts'
import { freeDeadPlanner, LOOK_FOR_THE_DEAD_MS } from './recover.ts'
import type { Loop, EngineDeps } from './deps.ts'
import type { Stop, StopSwitch } from './stop.ts'

export type PlanStops = Pick<StopSwitch, 'signal' | 'asking' | 'asked'> & Partial<Pick<StopSwitch, 'atWait'>>

export type PlanTurn =
  | { readonly is: 'planned' }
  | { readonly is: 'held' }
  | { readonly is: 'stopped'; readonly stop: Stop }

/** Null: there is a plan, whoever made it. */
export async function planFirst(loop: Loop, stops: PlanStops, control: Control): Promise<Stop | null> {
  for (;;) {
    const seen = control.seen()
    const stop = stops.asked()
    const turn = stop === null ? await planBuild(loop, stops) : ({ is: 'stopped', stop } as const)
    if (turn.is === 'planned') return null
    if (turn.is === 'stopped') return turn.stop
    await control.changed(seen, LOOK_FOR_THE_DEAD_MS)
  }
}

/** Plans the build, if it has no plan and no other loop plans it. */
export async function planBuild(loop: Loop, stops: PlanStops): Promise<PlanTurn> {
  const { engine, build, agentId } = loop
  const { builds } = engine.store
  if (await hasPlan(engine, build)) return { is: 'planned' }
  await freeDeadPlanner(engine, build)
  const claimed = await builds.changePlanning(build, (planning, now) =>
    planningClaimed(planning, agentId, LEASE_SECONDS, now),
  )
  if (claimed === null) return (await hasPlan(engine, build)) ? { is: 'planned' } : { is: 'held' }
  engine.watcher.fact({ type: 'planning', attempt: claimed.attempt })
  engine.failpoint('begun plan')
  const planningLease = keepPlanningLease(loop, claimed)
  try {
    return await plan(loop, claimed, planningLease, stops)
  } catch (error) {
    if (planningLease.lost.aborted) return { is: 'held' }
    await planningLease.leave({ type: 'planningFailed', attempt: claimed.attempt, error: messageOf(error) })
    throw error
  } finally {
    planningLease.end()
  }
}

/** A build that was started over existing tasks has its plan. */
export async function hasPlan({ store }: Pick<EngineDeps, 'store'>, build: BuildId): Promise<boolean> {
  return (await store.builds.attachments(build, 'planning'))[0]?.isPlanned ?? true
}

async function plan(
  loop: Loop,
  { attempt, fence }: Planning,
  planningLease: PlanningLease,
  stops: PlanStops,
): Promise<PlanTurn> {
  const { engine, build } = loop
  const planRequest = await planRequestOf(engine, build)
  const requestContext = {
    engine,
    build,
    agentId: loop.agentId,
    signal: AbortSignal.any([stops.signal, planningLease.lost]),
  }
  for (let waits = 0; ; waits += 1) {
    let late: Stop | null = null
    const answer = await askPlanner(requestContext, { number: attempt, waits }, planRequest)
    engine.failpoint('performed plan')
    if (planningLease.lost.aborted) return { is: 'held' }
    if (answer.is === 'plan') {
      const planned = await engine.store.builds.plan(build, fence, ruleFor(engine, planRequest.seed, answer.graph))
      engine.failpoint('recorded plan')
      if (planned.kept) for (const fact of planned.facts) engine.watcher.fact(fact)
      return { is: planned.kept ? 'planned' : 'held' }
    }
    if (answer.is === 'failed') {
      await planningLease.leave({ type: 'planningFailed', attempt, error: answer.reason })
      return { is: 'stopped', stop: { reason: 'Failed', detail: answer.reason } }
    }
    if (answer.is === 'broke') {
      await planningLease.leave({ type: 'planningInterrupted', reason: 'the budget is spent' })
      return { is: 'stopped', stop: { reason: 'BudgetExhausted', detail: answer.reason } }
    }
    if (answer.is === 'limited') {
      const { until, reason, agent } = answer
      await planningLease.tell({ type: 'planningLimited', until, reason, agent })
      late = stops.atWait?.(until) ?? null
      if (late === null) await sleepUntil(until, engine.now, AbortSignal.any([stops.asking, planningLease.lost]))
    }
    const stop = stops.asked() ?? late ?? (answer.is === 'stopped' ? CANCELLED : null)
    if (stop === null) continue
    await planningLease.leave({
      type: 'planningInterrupted',
      reason: answer.is === 'stopped' ? answer.reason : 'stopped while waiting',
    })
    return { is: 'stopped', stop }
  }
}

/** One name for all sessions of the planner. */
const PLANNER = 'planner'

const CANCELLED: Stop = { reason: 'UserCancelled' }

async function planRequestOf({ store, scope, workspaces }: EngineDeps, build: BuildId): Promise<PlanRequest> {
  const [kept] = await store.builds.attachments(build, 'seed')
  if (kept === undefined) throw refuse('INTERNAL', { reason: `what build ${build} is planned from was not kept` })
  return {
    seed: kept.seed,
    tree: (await workspaces.head(build)).tree,
    tasks: await store.tasks.list(scope, {}),
    said: await store.builds.takeMessages(build, PLANNER),
  }
}

/** Placing the tasks is left to the moment of writing, since another plan may come in between. */
export function ruleFor(
  { digest }: Pick<EngineDeps, 'digest'>,
  seed: Seed,
  graph: BuildGraph,
  spec = groupOf(seed, digest),
): (current: readonly Task[]) => Placement & NewPlan {
  const listed = listedTasks(graph, versionOf(seed, digest))
  return (current) => ({ ...placePlan(listed, current, spec), specs: [spec], notes: graph.notes })
}

/** The exclusive right to plan, kept as long as the work lasts. */
interface PlanningLease {
  readonly lost: AbortSignal
  readonly tell: (fact: BuildFact) => Promise<void>
  /** Gives the right back without a plan. */
  readonly leave: (fact: BuildFact) => Promise<void>
  readonly end: () => void
}

function keepPlanningLease({ engine, build }: Loop, { fence }: Planning): PlanningLease {
  const lost = new AbortController()
  const change: EngineDeps['store']['builds']['changePlanning'] = async (id, rule) => {
    const planning = await engine.store.builds.changePlanning(id, rule)
    if (planning === null) lost.abort(new Error('the planning was lost'))
    return planning
  }
  const tell = async (fact: BuildFact, rule: typeof planningTold): Promise<void> => {
    const planning = await change(build, (now) => rule(now, fence, fact))
    if (planning !== null) engine.watcher.fact(fact)
  }
  const renew = (): Promise<unknown> => change(build, (now, at) => planningRenewed(now, fence, LEASE_SECONDS, at))
  // The next renewal tries an unreachable store again. Nobody else plans before the lease runs out.
  const timer = setInterval(() => void renew().catch(() => {}), (LEASE_SECONDS * 1000) / 3)
  return {
    lost: lost.signal,
    tell: (fact) => tell(fact, planningTold),
    leave: (fact) => tell(fact, planningReleased),
    end: () => clearInterval(timer),
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
