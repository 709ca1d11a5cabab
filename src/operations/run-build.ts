// Runs a build in this process: takes it up, works until it ends or is to stop, and writes down how it ended.
import type { Role } from '../agents/agent.ts'
import { ROLES } from '../agents/agent.ts'
import type { Build } from '../core/build.ts'
import { refuse } from '../core/error.ts'
import type { AgentId } from '../core/id.ts'
import { runLoop } from '../engine/loop.ts'
import type { Shop } from '../engine/shop.ts'
import { type Stop, type StopSwitch, stopSwitch } from '../engine/stop.ts'
import type { BuildStart } from '../workspace/workspace.ts'
import { type BuildDesk, endBuild } from './builds.ts'

export interface RunLimits {
  /** `--once` */
  readonly mode: 'one-iteration' | 'to-the-end'
  /** Iterations in this run; null: as many as the build may still have. */
  readonly iterationsMax: number | null
  /** Milliseconds since 1970; null: no end time. */
  readonly until: number | null
  readonly workers: number
}

export function runLimits(desk: BuildDesk, shop: Shop, begun: number, limits: RunLimits): StopSwitch {
  const left = Math.max(0, shop.config.limits.maxIterations - begun)
  const wanted = limits.mode === 'one-iteration' ? 1 : (limits.iterationsMax ?? left)
  const whenSpent: Stop =
    limits.mode === 'one-iteration' ? { reason: 'SingleIterationComplete' } : { reason: 'MaxIterationsReached' }
  return stopSwitch({ iterations: Math.min(left, wanted), whenSpent, until: limits.until, now: desk.now })
}

/** Who plays a role must be able to: found before the first iteration, not after 200 of them. */
export async function requireAgents(shop: Shop): Promise<void> {
  const wanted = new Set<Role>(shop.config.review.when === 'never' ? ['implementer', 'sia'] : ROLES)
  wanted.delete('planner')
  const asked = new Map([...wanted].map((role) => [shop.agents[role].name, shop.agents[role]]))
  for (const agent of asked.values()) {
    const readiness = await agent.ready()
    if (!readiness.ready) throw refuse('AGENT_NOT_READY', { name: agent.name, reason: readiness.reason })
  }
}

export async function takeUp(shop: Shop, build: Build): Promise<BuildStart> {
  await requireAgents(shop)
  return shop.workspaces.startBuild(build.id)
}

/** Several loops in one process share the store and the workspaces as several processes would. */
export async function runBuild(
  desk: BuildDesk,
  shop: Shop,
  build: Build,
  stops: StopSwitch,
  workers: readonly AgentId[],
): Promise<Stop> {
  const ends = await Promise.all(
    workers.map((worker) =>
      runLoop(shop, build.id, worker, stops).catch((error: unknown) => {
        stops.demand({ reason: 'Failed', detail: error instanceof Error ? error.message : String(error) })
        throw error
      }),
    ),
  )
  const stop = weightiest(ends)
  await endBuild(desk, build.id, stop)
  await shop.workspaces.mirror(build.id)
  return stop
}

/** Where loops end for different reasons, the one that asks most of the user counts. */
function weightiest(ends: readonly Stop[]): Stop {
  const order = ['Failed', 'Aborted', 'UserCancelled', 'HumanNeeded', 'Paused', 'MaxIterationsReached'] as const
  for (const reason of order) {
    const end = ends.find((stop) => stop.reason === reason)
    if (end !== undefined) return end
  }
  return ends[0] ?? { reason: 'AllTasksComplete' }
}
