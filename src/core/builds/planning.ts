// A build that has no tasks yet: which loop plans it now, and how often that was tried. One loop at a time holds a
// lease, as with tasks: a loop that lost its lease can write nothing, since every claim and every release takes a
// larger fencing number.
import type { BuildFact } from '../fact/fact.ts'
import type { AgentId, Instant } from '../values/id.ts'
import type { PlanItem } from '../plan/plan.ts'

export interface Planning {
  /** How many times planning started. */
  readonly attempt: number
  readonly holder: AgentId | null
  readonly leaseExpiresAt: Instant | null
  readonly fence: number
  readonly isPlanned: boolean
}

export const UNPLANNED: Planning = { attempt: 0, holder: null, leaseExpiresAt: null, fence: 0, isPlanned: false }
/** For a build that starts with a plan. */
export const PLANNED: Planning = { ...UNPLANNED, isPlanned: true }

/** The new state and the facts to record with it; null: nothing changes. */
export type PlanningChange = { readonly planning: Planning; readonly facts: readonly BuildFact[] } | null

export function isPlanHeld({ holder, leaseExpiresAt, isPlanned }: Planning, now: Instant): boolean {
  return !isPlanned && holder !== null && (leaseExpiresAt ?? 0) > now
}

export function planningClaimed(
  planning: Planning,
  agent: AgentId,
  leaseSeconds: number,
  now: Instant,
): PlanningChange {
  if (planning.isPlanned || isPlanHeld(planning, now)) return null
  const attempt = planning.attempt + 1
  const fence = planning.fence + 1
  return {
    planning: { ...planning, attempt, holder: agent, leaseExpiresAt: now + leaseSeconds * 1000, fence },
    facts: [{ type: 'planning', attempt }],
  }
}

export function planningRenewed(planning: Planning, fence: number, leaseSeconds: number, now: Instant): PlanningChange {
  if (!holds(planning, fence)) return null
  return { planning: { ...planning, leaseExpiresAt: now + leaseSeconds * 1000 }, facts: [] }
}

/** A fact from the loop that holds the lease, such as a limit that it waits out. */
export function planningTold(planning: Planning, fence: number, fact: BuildFact): PlanningChange {
  return holds(planning, fence) ? { planning, facts: [fact] } : null
}

/** The loop gives up the lease without a plan; `fact` says why. */
export function planningReleased(planning: Planning, fence: number, fact: BuildFact): PlanningChange {
  if (!holds(planning, fence)) return null
  return { planning: { ...planning, holder: null, leaseExpiresAt: null, fence: fence + 1 }, facts: [fact] }
}

/** Null: the lease is lost, and the plan with it. */
export function planningDone(planning: Planning, fence: number): Planning | null {
  if (!holds(planning, fence)) return null
  return { ...planning, holder: null, leaseExpiresAt: null, fence: fence + 1, isPlanned: true }
}

function holds(planning: Planning, fence: number): boolean {
  return !planning.isPlanned && planning.holder !== null && planning.fence === fence
}

/** The fact that announces a plan; `taskCount` counts all tasks of the build. */
export function plannedFacts(items: readonly PlanItem[], notes: string, taskCount: number): BuildFact[] {
  const tasks = items.map(({ id, text, deps = [] }) => ({
    id,
    title: text.title,
    type: text.type ?? null,
    dependsOn: deps,
  }))
  return [
    { type: 'planned', taskCount: items.length, tasks, notes },
    { type: 'buildStarted', taskCount },
  ]
}
