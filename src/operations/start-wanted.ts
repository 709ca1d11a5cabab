// A new build over what somebody wants: a list is taken over, a goal or a spec is planned first unless it was before.
import type { Config } from '../config/config.ts'
import type { Build } from '../core/build.ts'
import { FORM_NAMES } from '../core/plan-form.ts'
import type { Placement } from '../core/plan-placement.ts'
import { groupOf, type Seed, seedName, versionOf } from '../core/seed.ts'
import { type BuildDesk, type Frozen, startBuild, startUnplanned } from './builds.ts'
import { digest } from './digest.ts'
import { type ListPlan, planOfList } from './import-plan.ts'
import { type PlanList, sourceAt, type Wanted } from './plan-source.ts'
import { importProgressFile } from './progress.ts'

export interface StartWish {
  /** Null: the open tasks. */
  readonly wanted: Wanted | null
  readonly config: Config
  readonly source: string | null
  readonly seed: Seed | null
  readonly where?: Frozen['where']
  readonly plan: 'planned' | 'unplanned'
}

export interface Started {
  /** Null: there is nothing to do. */
  readonly build: Build | null
  /** What the operator should know, a sentence each. */
  readonly told: readonly string[]
}

/** Whether the tasks that came of this very text are there, in whatever state. */
export async function wasPlanned({ store, scope }: Pick<BuildDesk, 'store' | 'scope'>, seed: Seed): Promise<boolean> {
  const [spec, ref] = [groupOf(seed, digest), versionOf(seed, digest)]
  const tasks = await store.tasks.list(scope, {})
  return tasks.some((task) => task.spec === spec && task.ref === ref && task.status !== 'deleted')
}

export async function startWanted(desk: BuildDesk, root: string, wish: StartWish): Promise<Started> {
  const { wanted, config, source, seed, plan, where = 'isolated' } = wish
  if (seed !== null && plan === 'unplanned') {
    const others = await openTasks(desk, groupOf(seed, digest))
    return { build: await startUnplanned(desk, { config, source, seed, where }), told: alsoBuilt(others) }
  }
  const told = wanted === null ? [] : await takeOver(desk, root, wanted)
  return { build: await startBuild(desk, { config, source, seed, where }), told }
}

/** Those of its own group are what is planned anew. */
async function openTasks({ store, scope }: BuildDesk, group: string): Promise<number> {
  const open = await store.tasks.list(scope, { statuses: ['open', 'active', 'waiting'] })
  return open.filter(({ spec }) => spec !== group).length
}

function alsoBuilt(others: number): string[] {
  if (others === 0) return []
  return [
    `${others === 1 ? 'one task that is open already is' : `${others} tasks that are open already are`} built as well`,
  ]
}

async function takeOver(desk: BuildDesk, root: string, wanted: Wanted): Promise<string[]> {
  if (wanted.is === 'progress') {
    const { doneBefore } = await importProgressFile(desk, sourceAt(root, wanted.source))
    return doneBefore.length === 0
      ? []
      : [`done already, and not done again although unchecked in ${wanted.source}: ${doneBefore.join(', ')}`]
  }
  if (wanted.is === 'list') return importList(desk, wanted)
  const name = seedName(wanted.seed)
  return [`${name} was planned before, so its tasks are built as they are; 'ralph plan' plans it anew`]
}

async function importList({ store, scope }: BuildDesk, list: PlanList): Promise<string[]> {
  const rule = planOfList(list)
  let made: ListPlan | null = null
  const { inserted, updated } = await store.tasks.syncPlan(scope, (current) => (made = rule(current)))
  const taken = `${list.name} is ${FORM_NAMES[list.form]}: ${inserted.length} tasks are new, ${updated.length} changed`
  return [taken, ...(made === null ? [] : listRemarks(made, list.name))]
}

/** What of a list did not become what its writer may think. */
export function listRemarks(
  { checkedOff, ...placed }: Placement & { readonly checkedOff: number },
  name: string,
): string[] {
  return [
    ...(checkedOff === 0
      ? []
      : [`${checkedOff} checked off in ${name} ${checkedOff === 1 ? 'is' : 'are'} taken as done before`]),
    ...placementRemarks(placed),
  ]
}

function placementRemarks({ renamed, doneBefore }: Omit<Placement, 'items'>): string[] {
  const names = renamed.map(({ from, to }) => `'${from}' is '${to}' here`).join(', ')
  return [
    ...(renamed.length === 0 ? [] : [`ids that other work has already are given anew: ${names}`]),
    ...(doneBefore.length === 0 ? [] : [`done already, and not done again: ${doneBefore.join(', ')}`]),
  ]
}
