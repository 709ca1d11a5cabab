// Which build is run, with which config: the unfinished one as it was frozen, or a new one over the open tasks.
import { hostname } from 'node:os'
import { openEngine } from '../../compose.ts'
import type { Build } from '../../core/builds/build.ts'
import { refuse } from '../../core/error/error.ts'
import type { BuildId } from '../../core/values/id.ts'
import { configForContinued, configForNew } from '../../operations/builds/build-config.ts'
import {
  type BuildContext,
  type Frozen,
  frozenOf,
  goOn,
  isPlanned,
  unfinishedBuild,
} from '../../operations/builds/builds.ts'
import { freeDeadLoops } from '../../operations/builds/dead-loops.ts'
import { leftBehind } from '../../operations/ship/unshipped-work.ts'
import { requireSamePlan, seedOf, sourceAt, type PlanInput } from '../../operations/plans/plan-source.ts'
import { withProgressFile } from '../../operations/builds/progress-file.ts'
import { requireAgents } from '../../operations/builds/run-build.ts'
import { startFromPlan, wasPlanned } from '../../operations/plans/start-build.ts'
import { requireUndriven } from '../../operations/builds/step-build.ts'
import type { Call } from '../command.ts'
import { checkoutOf, userPlace } from './build-context.ts'
import { note } from './reporter.ts'
import type { BuildOptions } from './options.ts'

type EngineDeps = Awaited<ReturnType<typeof openEngine>>
type Watcher = Parameters<typeof openEngine>[3]

/** What is known before anything is opened or changed. */
export interface Chosen extends Frozen {
  /** Null: a new build is to be started. */
  readonly unfinished: Build | null
  /** What a new one is over; null: the open tasks. */
  readonly wanted: PlanInput | null
  /** Whether it is to be planned first. */
  readonly plan: 'planned' | 'unplanned'
  readonly notes: readonly string[]
}

export async function choose(
  context: BuildContext,
  call: Call,
  options: BuildOptions,
  wanted: PlanInput | null,
): Promise<Chosen> {
  const place = { folder: checkoutOf(call), env: call.env }
  const unfinished = await unfinishedBuild(context)
  if (unfinished === null) {
    const { config, notes } = await configForNew(place, options.agent)
    const source = wanted?.is === 'progress' ? wanted.source : null
    const seed = wanted === null || wanted.is === 'progress' ? null : seedOf(wanted)
    const plan = wanted?.is === 'seed' && !(await wasPlanned(context, wanted.seed)) ? 'unplanned' : 'planned'
    return { unfinished, wanted, config, source, seed, where: options.where, plan, notes }
  }
  const frozen = await frozenOf(context, unfinished.id)
  requireSamePlan(unfinished, frozen, wanted)
  await requireSamePlace(context, unfinished.id, frozen, options)
  const { config, notes } = await configForContinued(place, frozen.config, options.agent)
  const plan = (await isPlanned(context, unfinished.id)) ? 'planned' : 'unplanned'
  return { ...frozen, unfinished, wanted, config, plan, notes: [...notes, ...changedSince(frozen, wanted)] }
}

function changedSince({ seed }: Frozen, wanted: PlanInput | null): string[] {
  if (wanted?.is !== 'seed' || seed === null || !('text' in seed) || seed.text === wanted.seed.text) return []
  if (wanted.seed.from !== 'spec') return []
  return [
    `${wanted.seed.path} has changed since: the build keeps the text it started with; 'ralph abort', then 'ralph build ${wanted.seed.path}', takes the new one`,
  ]
}

/** In place there is one folder, so one loop with one task at a time. */
async function requireSamePlace(
  context: BuildContext,
  id: BuildId,
  { where }: Frozen,
  options: BuildOptions,
): Promise<void> {
  if (where === 'isolated' && options.where === 'in-place') throw refuse('NOT_IN_PLACE', { id })
  if (where === 'isolated') return
  if (options.workers !== null && options.workers > 1) throw refuse('IN_PLACE_ALONE')
  await freeDeadLoops(context, id, hostname())
  await requireUndriven(context, id)
}

export interface Prepared {
  readonly build: Build
  readonly engine: EngineDeps
  readonly notes: readonly string[]
}

/** Null: there is nothing to do. Who cannot work is found out before a new build is begun. */
export async function prepare(
  context: BuildContext,
  call: Call,
  chosen: Chosen,
  watcher: Watcher,
): Promise<Prepared | null> {
  const { unfinished, source, plan } = chosen
  const engine = await openCheckedEngine(call, chosen, plan, watcher)
  if (unfinished === null) await engine.workspaces.admit()
  const behind = unfinished === null ? await leftBehind(context, userPlace(call)) : null
  const { build: found, told } =
    unfinished === null ? await startFromPlan(context, checkoutOf(call), chosen) : { build: unfinished, told: [] }
  if (found === null) return null
  const { isDirty, notes, moved } = await engine.workspaces.startBuild(found.id)
  const build = await goOn(context, found)
  const now = moved === undefined ? [] : [moved]
  const dirty = isDirty
    ? ['your checkout has changes that are not committed: the build starts from HEAD, without them']
    : []
  return {
    build,
    engine: withPlan(call, engine, build.id, source),
    notes: [
      ...(unfinished === null ? [...told, ...dirty, ...(behind === null ? [] : [behind]), ...notes] : []),
      ...now,
    ],
  }
}

/** The same shop, keeping the file that the plan came from. */
export function withPlan(call: Call, engine: EngineDeps, build: BuildId, source: string | null): EngineDeps {
  if (source === null) return engine
  return withProgressFile(engine, build, sourceAt(checkoutOf(call), source), (sentence) => note(`Note: ${sentence}.`))
}

export async function openCheckedEngine(
  call: Call,
  frozen: Frozen,
  plan: Chosen['plan'],
  watcher: Watcher,
): Promise<EngineDeps> {
  const engine = await openEngine(checkoutOf(call), call.env, frozen.config, watcher, frozen)
  for (const sentence of await requireAgents(engine, plan)) note(`Note: ${sentence}.`)
  return engine
}
