// The one way to open a run of a build. A command, a server and a library show different things, but what happens
// before the first agent starts, and what is kept up to date while it works, is the same.
import type { Config } from '../config/settings/config.ts'
import type { Budget } from '../core/money/budget.ts'
import { type Build, isOver } from '../core/builds/build.ts'
import { refuse } from '../core/error/error.ts'
import type { BuildId } from '../core/values/id.ts'
import type { EngineDeps } from '../engine/deps.ts'
import { freeDeadLoops } from '../engine/recover.ts'
import type { Stop, StopSwitch } from '../engine/stop.ts'
import { isKnownGone } from '../system/known-gone.ts'
import { agreeOnBudget, type BudgetNow } from './builds/budget.ts'
import { type BuildContext, findBuild, type FrozenBuild, frozenOf, goOn, isPlanned } from './builds/builds.ts'
import { sendNotices } from './feed/notices.ts'
import {
  type Claims,
  requireAgents,
  runBuild,
  runLimits,
  type RunLimits,
  withLimitsLifted,
} from './builds/run-build.ts'
import { keepingSource, type ServedRepository } from './serve/served-repository.ts'
import { requireUndriven, stepBuild } from './builds/step-build.ts'
import { asWorker, asWorkers, workersOf } from './builds/workers.ts'

/** Where a run is opened. `note` gets one sentence for the operator at a time. */
export type RunPlace = Pick<ServedRepository, 'context' | 'root' | 'openEngine' | 'openNotifying' | 'note'>

export interface RunOptions {
  /** Tasks at the same time; default: as in the build's settings. */
  readonly workers?: number | null
  /** The total that the build may use from now on. */
  readonly budget?: Partial<Budget>
  /** `allowed`: other processes may work on it too, except in place, where there is one folder. */
  readonly others?: 'refused' | 'allowed'
  /** `kept`: a paused build stays paused, as after a single step. */
  readonly paused?: 'resumed' | 'kept'
  /** A new build may have taken over tasks that a loop of an aborted build is just giving back. */
  readonly age?: 'new'
  /** `try`: does not wait for limits that agents met before this run. */
  readonly limited?: 'wait' | 'try'
  /** The settings of the build with another agent; default: as frozen. */
  readonly config?: Config
  /** Who resumes it, for the record; default: the person of the place. */
  readonly by?: string
}

/** A build that begins once its agents are known to work. */
export interface FirstRun extends Pick<FrozenBuild, 'config' | 'source' | 'where'> {
  readonly plan: 'planned' | 'unplanned'
  /** Null: there is nothing to do. */
  readonly begin: () => Promise<Build | null>
}

/** The caller that opens a run closes it. */
export interface Run {
  readonly build: Build
  /** Keeps the progress file that the plan came from. */
  readonly engine: EngineDeps
  /** Has the run's own store, which is closed with the run. */
  readonly context: BuildContext
  readonly workers: number
  readonly budget: BudgetNow
  /** The limits that stop the loops of this run. */
  readonly limits: (limits: RunLimits) => Promise<StopSwitch>
  /** Works until the build ends or has to stop. */
  readonly loop: (stops: StopSwitch, claims?: Claims) => Promise<Stop>
  /** Null: there may be more steps. */
  readonly step: (signal: AbortSignal) => Promise<Stop | null>
  readonly close: () => Promise<void>
}

/** Refuses if somebody else works on the build, or an agent cannot work. Then the build stays as it was. */
export async function openRun(place: RunPlace, id: BuildId, options: RunOptions = {}): Promise<Run> {
  const { context } = place
  const { state } = await findBuild(context, id)
  if (isOver(state)) throw refuse('BUILD_STATE', { id, state, done: 'resumed' })
  const frozen = await frozenOf(context, id)
  await freeDeadLoops({ ...context, isKnownGone }, id)
  const isShared = options.others === 'allowed' && frozen.where === 'isolated'
  if (options.age !== 'new' && !isShared) await requireUndriven(context, id)
  const plan = (await isPlanned(context, id)) ? 'planned' : 'unplanned'
  const settings = { ...frozen, config: options.config ?? frozen.config }
  return withReadyEngine(place, settings, plan, async (engine) =>
    resumeRun(place, engine, await findBuild(context, id), settings, options),
  )
}

/** The same for a build that does not exist yet; null where there is nothing to do. */
export function openFirstRun(place: RunPlace, first: FirstRun, options: RunOptions): Promise<Run | null> {
  return withReadyEngine(place, first, first.plan, async (engine) => {
    await engine.workspaces.admit()
    const build = await first.begin()
    if (build !== null) return resumeRun(place, engine, build, first, { ...options, age: 'new' })
    engine.store.close()
    return null
  })
}

type Settings = Pick<FrozenBuild, 'config' | 'source' | 'where'>

/** Leaves the engine open, unless the work fails. */
async function withReadyEngine<T>(
  { openEngine, note }: RunPlace,
  { config, source, where }: Settings,
  plan: FirstRun['plan'],
  work: (engine: EngineDeps) => Promise<T>,
): Promise<T> {
  const engine = await openEngine(config, { source, where })
  try {
    for (const sentence of await requireAgents(engine, plan)) note(sentence)
    return await work(engine)
  } catch (error) {
    engine.store.close()
    throw error
  }
}

async function resumeRun(
  place: RunPlace,
  opened: EngineDeps,
  found: Build,
  { config, source, where }: Settings,
  options: RunOptions,
): Promise<Run> {
  const { id } = found
  const { note } = place
  const context = { ...place.context, store: opened.store }
  const kept = keepingSource(place, opened, id, source)
  for (const sentence of await startBranch(kept, id, options.age)) note(sentence)
  const build =
    options.paused === 'kept' ? found : await goOn({ ...context, person: options.by ?? context.person }, found)
  const budget = await agreeOnBudget(context, id, config, options.budget ?? {})
  const workers = workersOf(config, where, options.workers)
  const engine = options.limited === 'try' ? await withLimitsLifted(kept, id) : kept
  const whom = await place.openNotifying(config)
  const notices = sendNotices(context, { ...whom, build: id, note })
  const mirror = async (): Promise<void> => {
    const mirrored = await engine.workspaces.mirror(id)
    if (!mirrored.done) note(mirrored.reason)
  }
  return {
    build,
    engine,
    context,
    workers,
    budget,
    limits: async (limits) => {
      const done = (await context.store.builds.attachments(id, 'iteration')).length
      return runLimits(limits, done, config.limits.maxIterations, context.now)
    },
    loop: async (stops, claims) => {
      const stop = await asWorkers(context, workers, (ids) => runBuild(context, engine, build, stops, ids, claims))
      await mirror()
      return stop
    },
    step: async (signal) => {
      try {
        return await asWorker(context, (worker) => stepBuild(context, engine, id, worker, signal))
      } finally {
        await engine.progress?.refresh()
        await mirror()
      }
    },
    close: async () => {
      await notices.end()
      engine.store.close()
    },
  }
}

/** Returns notes for the operator. */
async function startBranch({ workspaces }: EngineDeps, id: BuildId, age: RunOptions['age']): Promise<string[]> {
  const { isDirty, notes, moved } = await workspaces.startBuild(id)
  const dirty = 'your checkout has changes that are not committed: the build starts from HEAD, without them'
  return [
    ...(age === 'new' && isDirty ? [dirty] : []),
    ...(age === 'new' ? notes : []),
    ...(moved === undefined ? [] : [moved]),
  ]
}
