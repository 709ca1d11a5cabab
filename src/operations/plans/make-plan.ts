// `ralph plan`: a plan without a build, by the planner or from a list, for the store, for a file, or only to look at.
import type { BuildGraph } from '../../core/plan/build-graph.ts'
import { refuse } from '../../core/error/error.ts'
import type { Instant } from '../../core/values/id.ts'
import { diffPlan, type Plan, type PlanDiff, type PlanItem } from '../../core/plan/plan.ts'
import type { Placement } from '../../core/plan/plan-placement.ts'
import type { Seed } from '../../core/plan/seed.ts'
import type { Task } from '../../core/task/task.ts'
import { askPlanner } from '../../engine/effects/plan.ts'
import { sleepUntil } from '../../engine/effects/wait.ts'
import { ruleFor } from '../../engine/plan-build.ts'
import type { EngineDeps } from '../../engine/deps.ts'
import type { BuildContext } from '../builds/builds.ts'
import { digest } from '../digest.ts'
import { planOfList } from './import-plan.ts'
import type { PlanList } from './plan-source.ts'

/** A plan as it would be among the existing tasks. */
export interface Draft extends Placement, Plan {
  readonly notes: string
  /** How many the source list marks as done before. */
  readonly checkedOff: number
}

export type DraftRule = (current: readonly Task[]) => Draft

export interface PlannerCall {
  readonly engine: EngineDeps
  /** The name of its transcript. */
  readonly name: string
  readonly signal: AbortSignal
  /** Gets each note for the operator. */
  readonly note: (sentence: string) => void
  /** Called when it waits for a limit to pass. */
  readonly waiting: (until: Instant, reason: string) => void
}

/** Asks until there is an answer, and waits for limits to pass. */
export async function makePlan(call: PlannerCall, seed: Seed): Promise<BuildGraph> {
  const { engine, name, signal } = call
  const { tree, isDirty } = await engine.workspaces.takeHead()
  if (isDirty) call.note('your checkout has changes that are not committed: the planner sees HEAD, without them')
  const tasks = await engine.store.tasks.list(engine.scope, {})
  for (let number = 1; ; number += 1) {
    const tried = { number, waits: number - 1 }
    const answer = await askPlanner({ engine, build: name, signal }, tried, { seed, tree, tasks })
    if (answer.is === 'plan') return answer.graph
    if (answer.is === 'failed' || answer.is === 'broke') throw refuse('PLAN_FAILED', { problem: answer.reason })
    if (answer.is === 'limited') {
      call.waiting(answer.until, answer.reason)
      await sleepUntil(answer.until, engine.now, signal)
    }
    if (signal.aborted || answer.is === 'stopped') throw refuse('INTERRUPTED')
  }
}

/** `spec`: the group of its tasks, if it differs from the seed's own. */
export function draftOfGraph(graph: BuildGraph, seed: Seed, spec?: string): DraftRule {
  const rule = ruleFor({ digest }, seed, graph, spec)
  return (current) => ({ ...rule(current), checkedOff: 0 })
}

export function draftOfList(list: PlanList, spec?: string): DraftRule {
  const rule = planOfList(list, spec)
  return (current) => ({ ...rule(current), notes: '' })
}

/** A plan among the existing tasks, without writing anything. Refuses an invalid one. */
export async function seenAhead(
  context: Pick<BuildContext, 'store' | 'scope' | 'now'> | null,
  rule: DraftRule,
): Promise<Draft> {
  const current = context === null ? [] : await context.store.tasks.list(context.scope, {})
  const draft = rule(current)
  diffPlan(current, draft.items, context?.now() ?? 0, draft.specs)
  return draft
}

export async function keepPlan(
  { store, scope }: Pick<BuildContext, 'store' | 'scope'>,
  rule: DraftRule,
): Promise<{ readonly draft: Draft; readonly diff: PlanDiff }> {
  const made: Draft[] = []
  const diff = await store.tasks.syncPlan(scope, (current) => {
    const draft = rule(current)
    made.push(draft)
    return draft
  })
  const draft = made.at(-1)
  if (draft === undefined) throw refuse('INTERNAL', { reason: 'the plan was not asked for' })
  return { draft, diff }
}

/** Puts each task after the tasks it waits for, and otherwise keeps the order. */
export function inOrder(items: readonly PlanItem[]): PlanItem[] {
  const left = [...items]
  const ids = new Set(items.map(({ id }) => id))
  const placed: PlanItem[] = []
  while (left.length > 0) {
    const at = left.findIndex(({ deps = [] }) => deps.every((dep) => !ids.has(dep)))
    const [next] = left.splice(Math.max(0, at), 1)
    if (next === undefined) break
    ids.delete(next.id)
    placed.push(next)
  }
  return placed
}
