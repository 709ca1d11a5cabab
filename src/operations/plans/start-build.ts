// Starts a build over a plan input: imports a list, and plans a goal or a spec first unless it was planned before.
import type { Config } from '../../config/settings/config.ts'
import type { Build } from '../../core/builds/build.ts'
import { FORM_NAMES } from '../../core/plan/plan-form.ts'
import type { Placement } from '../../core/plan/plan-placement.ts'
import { groupOf, type Seed, seedName, versionOf } from '../../core/plan/seed.ts'
import type { Task, TaskStatus } from '../../core/task/task.ts'
import { type BuildContext, type FrozenBuild, startBuild, startUnplanned } from '../builds/builds.ts'
import { digest } from '../digest.ts'
import { type ListPlan, planOfList } from './import-plan.ts'
import { type PlanList, seedOf, sourceAt, type PlanInput } from './plan-source.ts'
import { importProgressFile } from '../builds/progress-file.ts'

export interface StartOptions {
  /** Null: the open tasks. */
  readonly wanted: PlanInput | null
  readonly config: Config
  readonly source: string | null
  readonly seed: Seed | null
  readonly where?: FrozenBuild['where']
  readonly plan: 'planned' | 'unplanned'
}

export interface StartResult {
  /** Null: there is nothing to do. */
  readonly build: Build | null
  /** Notes for the operator. */
  readonly notes: readonly string[]
}

/** Whether the tasks that were planned from this very text exist, in any state. */
export async function wasPlanned(
  { store, scope }: Pick<BuildContext, 'store' | 'scope'>,
  seed: Seed,
): Promise<boolean> {
  const [spec, ref] = [groupOf(seed, digest), versionOf(seed, digest)]
  const tasks = await store.tasks.list(scope, {})
  return tasks.some((task) => task.spec === spec && task.ref === ref && task.status !== 'deleted')
}

export async function startFromPlan(context: BuildContext, root: string, options: StartOptions): Promise<StartResult> {
  const { wanted, config, source, seed, plan, where = 'isolated' } = options
  if (seed !== null && plan === 'unplanned') {
    const notes = alsoBuilt(await openTasks(context), groupOf(seed, digest))
    return { build: await startUnplanned(context, { config, source, seed, where }), notes }
  }
  const takenOver = wanted === null ? [] : await takeOver(context, root, wanted)
  const others = wanted === null ? [] : alsoBuilt(await openTasks(context), groupOfPlanInput(wanted))
  return { build: await startBuild(context, { config, source, seed, where }), notes: [...takenOver, ...others] }
}

function openTasks({ store, scope }: BuildContext): Promise<Task[]> {
  return store.tasks.list(scope, { statuses: [...UNSETTLED] })
}

const UNSETTLED = ['open', 'active', 'waiting'] as const satisfies readonly TaskStatus[]
const NAMED_MAX = 3

/** The spec of a plan's tasks; null where each line names its own. */
export function groupOfPlanInput(wanted: PlanInput): string | null {
  if (wanted.is === 'progress') return wanted.source
  return wanted.is === 'list' && wanted.form === 'jsonl' ? null : groupOf(seedOf(wanted), digest)
}

/** A build covers every open task, so it announces those of other plans, for example of an aborted build. */
export function alsoBuilt(tasks: readonly Pick<Task, 'id' | 'spec' | 'status'>[], group: string | null): string[] {
  const open = tasks.filter(({ status }) => UNSETTLED.some((one) => one === status))
  const others = group === null ? [] : open.filter(({ spec }) => spec !== group)
  const [first] = others
  if (first === undefined) return []
  if (others.length === 1)
    return [
      `one task that is open already is built as well: ${first.id}; 'ralph task delete ${first.id}' leaves it out`,
    ]
  const names = others.slice(0, NAMED_MAX).map(({ id }) => id)
  const more = others.length > NAMED_MAX ? ', …' : ''
  return [
    `${others.length} tasks that are open already are built as well: ${names.join(', ')}${more}; 'ralph task delete ID' leaves one out`,
  ]
}

async function takeOver(context: BuildContext, root: string, wanted: PlanInput): Promise<string[]> {
  if (wanted.is === 'progress') {
    const { doneBefore, notes } = await importProgressFile(context, sourceAt(root, wanted.source))
    const done = `done already, and not done again although unchecked in ${wanted.source}: ${doneBefore.join(', ')}`
    return [...(doneBefore.length === 0 ? [] : [done]), ...notes]
  }
  if (wanted.is === 'list') return importList(context, wanted)
  const name = seedName(wanted.seed)
  return [`${name} was planned before, so its tasks are built as they are; 'ralph plan' plans it anew`]
}

async function importList({ store, scope }: BuildContext, list: PlanList): Promise<string[]> {
  const rule = planOfList(list)
  let made: ListPlan | null = null
  const { inserted, updated } = await store.tasks.syncPlan(scope, (current) => (made = rule(current)))
  const fresh = inserted.length === 1 ? 'one task is new' : `${inserted.length} tasks are new`
  const takenOver = `${list.name} is ${FORM_NAMES[list.form]}: ${fresh}, ${updated.length} changed`
  return [takenOver, ...(made === null ? [] : listNotes(made, list.name))]
}

/** What a list was read as, where its writer may think otherwise. */
export function listNotes(
  { checkedOff, ...placed }: Placement & { readonly checkedOff: number },
  name: string,
): string[] {
  return [
    ...(checkedOff === 0
      ? []
      : [`${checkedOff} checked off in ${name} ${checkedOff === 1 ? 'is' : 'are'} taken as done before`]),
    ...placementNotes(placed),
  ]
}

function placementNotes({ renamed, doneBefore }: Omit<Placement, 'items'>): string[] {
  const names = renamed.map(({ from, to }) => `'${from}' is '${to}' here`).join(', ')
  return [
    ...(renamed.length === 0 ? [] : [`ids that other work has already are given anew: ${names}`]),
    ...(doneBefore.length === 0 ? [] : [`done already, and not done again: ${doneBefore.join(', ')}`]),
  ]
}
