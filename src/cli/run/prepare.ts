// Which build is run, with which config: the unfinished one as it was frozen, or a new one over the open tasks.
import { openNotifying, openEngine } from '../../compose.ts'
import type { Build } from '../../core/builds/build.ts'
import { refuse } from '../../core/error/error.ts'
import type { BuildId } from '../../core/values/id.ts'
import { configForContinued, configForNew } from '../../operations/builds/build-config.ts'
import {
  type BuildContext,
  type FrozenBuild,
  frozenOf,
  isPlanned,
  unfinishedBuild,
} from '../../operations/builds/builds.ts'
import { unshippedWork } from '../../operations/ship/unshipped-work.ts'
import { openFirstRun, openRun, type Run, type RunPlace, type RunOptions } from '../../operations/open-run.ts'
import { requireSamePlan, seedOf, type PlanInput } from '../../operations/plans/plan-source.ts'
import { startFromPlan, wasPlanned } from '../../operations/plans/start-build.ts'
import type { Call } from '../command.ts'
import { checkoutOf, userPlace } from './build-context.ts'
import { note } from './reporter.ts'
import type { BuildOptions } from './options.ts'

type Watcher = Parameters<typeof openEngine>[3]

/** What is known before anything is opened or changed. */
export interface Chosen extends FrozenBuild {
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
  requireSamePlace(unfinished.id, frozen, options)
  const { config, notes } = await configForContinued(place, frozen.config, options.agent)
  const plan = (await isPlanned(context, unfinished.id)) ? 'planned' : 'unplanned'
  return { ...frozen, unfinished, wanted, config, plan, notes: [...notes, ...changedSince(frozen, wanted)] }
}

function changedSince({ seed }: FrozenBuild, wanted: PlanInput | null): string[] {
  if (wanted?.is !== 'seed' || seed === null || !('text' in seed) || seed.text === wanted.seed.text) return []
  if (wanted.seed.from !== 'spec') return []
  return [
    `${wanted.seed.path} has changed since: the build keeps the text it started with; 'ralph abort', then 'ralph build ${wanted.seed.path}', takes the new one`,
  ]
}

/** In place there is one folder, so one task at a time. */
function requireSamePlace(id: BuildId, { where }: FrozenBuild, options: BuildOptions): void {
  if (where === 'isolated' && options.where === 'in-place') throw refuse('NOT_IN_PLACE', { id })
  if (where === 'in-place' && options.workers !== null && options.workers > 1) throw refuse('IN_PLACE_ALONE')
}

/** What a command opens a run with; `say` prints a whole line. */
export function runPlace(
  context: BuildContext,
  call: Call,
  watcher: Watcher = NOBODY,
  say: (line: string) => void = note,
): RunPlace {
  const root = checkoutOf(call)
  return {
    context,
    root,
    openEngine: (config, at) => openEngine(root, call.env, config, watcher, at),
    openNotifying: (config) => openNotifying(call.folder, call.env, config),
    note: (sentence) => say(`Note: ${sentence}.`),
  }
}

const NOBODY: Watcher = { fact: () => {}, agent: () => {} }

/** Null: there is nothing to do. Several processes may work on one build. */
export function openChosen(place: RunPlace, call: Call, chosen: Chosen, options: BuildOptions): Promise<Run | null> {
  const { unfinished, config } = chosen
  const { workers, budget, limited } = options
  const how: RunOptions = { workers, budget, limited, others: 'allowed', config }
  if (unfinished !== null) return openRun(place, unfinished.id, how)
  return openFirstRun(place, { ...chosen, begin: () => beginChosen(place, call, chosen) }, how)
}

async function beginChosen({ context, root, note }: RunPlace, call: Call, chosen: Chosen): Promise<Build | null> {
  const behind = await unshippedWork(context, userPlace(call))
  const { build, notes } = await startFromPlan(context, root, chosen)
  if (build !== null) for (const sentence of [...notes, ...(behind === null ? [] : [behind])]) note(sentence)
  return build
}
