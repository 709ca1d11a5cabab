// `ralph build --dry-run`: prints what would be done, and changes nothing.
import { openDryRunDeps } from '../../compose.ts'
import { budgetOf } from '../../core/money/budget.ts'
import { budgetNow } from '../../operations/builds/budget.ts'
import { configForContinued, configForNew } from '../../operations/builds/build-config.ts'
import {
  type BuildContext,
  type FrozenBuild,
  frozenOf,
  isPlanned,
  planName,
  unfinishedBuild,
} from '../../operations/builds/builds.ts'
import { type DryRun, planAhead, dryRunBuild } from '../../operations/plans/dry-run.ts'
import { unshippedWork } from '../../operations/ship/unshipped-work.ts'
import { requireSamePlan, seedOf, sourceAt, type PlanInput } from '../../operations/plans/plan-source.ts'
import { alsoBuilt, groupOfPlanInput, wasPlanned } from '../../operations/plans/start-build.ts'
import type { Call } from '../command.ts'
import { print, printJson } from '../output.ts'
import { checkoutOf, hasStore, openBuildContext, userPlace } from './build-context.ts'
import { dryText } from './dry-run-text.ts'
import { note } from './reporter.ts'
import type { BuildOptions } from './options.ts'

export async function dryRun(call: Call, options: BuildOptions, wanted: PlanInput | null): Promise<void> {
  note('Dry run: nothing is started and nothing is changed.')
  const place = { folder: checkoutOf(call), env: call.env }
  const context = hasStore(call) ? await openBuildContext(call) : null
  const build = context === null ? null : await unfinishedBuild(context)
  const frozen = context === null || build === null ? null : await frozenOf(context, build.id)
  if (build !== null && frozen !== null) requireSamePlan(build, frozen, wanted)
  const { config, notes } =
    frozen === null
      ? await configForNew(place, options.agent)
      : await configForContinued(place, frozen.config, options.agent)
  for (const sentence of notes) note(`Note: ${sentence}.`)
  const from = frozen ?? plannedFrom(wanted)
  const now = Date.now()
  const isTaken = frozen === null && wanted?.is === 'list'
  const origin = from.source === null ? (isTaken ? wanted : null) : sourceAt(place.folder, from.source)
  const plan = await planAhead(context, build, origin, now)
  if (build === null) {
    const others = wanted === null ? [] : alsoBuilt(plan.tasks, groupOfPlanInput(wanted))
    const behind = context === null ? null : await unshippedWork(context, userPlace(call))
    for (const sentence of [...plan.notes, ...others, ...(behind === null ? [] : [behind])]) note(`Note: ${sentence}.`)
  }
  const cast = await openDryRunDeps(place.folder, call.env, config)
  const unplanned = await isUnplanned(context, build?.id ?? null, from)
  const found = await dryRunBuild(cast, build, plan, unplanned ? from.seed : null, place.folder, now, options.claim)
  const frozenBudget = context === null || build === null ? null : (await budgetNow(context, build.id, config)).budget
  const budget = { ...(frozenBudget ?? budgetOf(config.limits)), ...options.budget }
  if (call.wantsJson) printJson({ ...json(found, options, from), budget })
  else print(dryText(found, options, planName(from), budget))
}

type PlannedFrom = Pick<FrozenBuild, 'source' | 'seed'>

function plannedFrom(wanted: PlanInput | null): PlannedFrom {
  if (wanted === null) return { source: null, seed: null }
  return wanted.is === 'progress' ? { source: wanted.source, seed: null } : { source: null, seed: seedOf(wanted) }
}

async function isUnplanned(
  context: BuildContext | null,
  build: Parameters<typeof isPlanned>[1] | null,
  { seed }: PlannedFrom,
) {
  if (seed === null || seed.from === 'list') return false
  if (context === null) return true
  return build === null ? !(await wasPlanned(context, seed)) : !(await isPlanned(context, build))
}

function json({ config, ...found }: DryRun, options: BuildOptions, from: PlannedFrom): Record<string, unknown> {
  const { checks, validators, limits, workspace, review } = config
  const plan = planName(from)
  return {
    ...found,
    source: from.source,
    plan,
    checks,
    validators,
    limits,
    setup: workspace.setup,
    review,
    run: options,
  }
}
