// A build that has no tasks yet: who plans it now, and how often that was tried. One loop at a time, by a lease, as with
// tasks: who lost it can write nothing, since every claim and every release takes a larger fencing number.
import type { BuildFact } from '../fact/fact.ts'
import type { AgentId, Instant } from '../values/id.ts'
import type { PlanItem } from '../plan/plan.ts'

export interface Planning {
  /** How often it was begun. */
  readonly attempt: number
  readonly holder: AgentId | null
  readonly leaseExpiresAt: Instant | null
  readonly fence: number
  readonly isPlanned: boolean
}

export const UNPLANNED: Planning = { attempt: 0, holder: null, leaseExpiresAt: null, fence: 0, isPlanned: false }
/** For a plan that was there before the build. */
export const PLANNED: Planning = { ...UNPLANNED, isPlanned: true }

/** How planning stands, and what is told of it; null: nothing changes. */
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

/** Told by whoever holds it: a limit that is waited out, for one. */
export function planningTold(planning: Planning, fence: number, fact: BuildFact): PlanningChange {
  return holds(planning, fence) ? { planning, facts: [fact] } : null
}

/** Without a plan; `fact` says why. */
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

/** What a plan is to those who listen; `taskCount`: all that the build works on. */
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
