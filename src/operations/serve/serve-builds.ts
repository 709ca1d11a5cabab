// Starts builds through a server: one unfinished build at a time, for an idea that the caller names.
import type { Config } from '../../config/settings/config.ts'
import { type Build, isOver } from '../../core/builds/build.ts'
import { refuse } from '../../core/error/error.ts'
import type { IdeaId } from '../../core/values/id.ts'
import type { Idea } from '../../core/idea/idea.ts'
import { SEED_BYTES_MAX, type Seed, seedText } from '../../core/plan/seed.ts'
import { utf8Length } from '../../core/values/text-bounds.ts'
import type { Why } from '../../store/store.ts'
import { agreeOnBudget } from '../builds/budget.ts'
import { configForNew } from '../builds/build-config.ts'
import { buildIdea, isPlannedIdea, requireBuildable } from '../ideas/build-idea.ts'
import {
  type BuildContext,
  buildNamed,
  findBuild,
  frozenOf,
  moveBuild,
  planName,
  startBuild,
  startUnplanned,
  unfinishedBuild,
} from '../builds/builds.ts'
import type { DriveOptions } from './begin-run.ts'
import type { Loops } from './loops.ts'
import type { FirstRun } from '../open-run.ts'
import { requireAgents } from '../builds/run-build.ts'
import type { ServedRepository } from './served-repository.ts'

/** Starts a build over the open tasks and hands it to a loop. */
export async function startAndDrive(
  servedRepo: ServedRepository,
  loops: Loops,
  ref: string,
  how: DriveOptions,
): Promise<Build> {
  const { context } = servedRepo
  await requireNoneUnfinished(context)
  const { config } = await configForNew({ folder: servedRepo.root, env: servedRepo.env }, null)
  const begin = async (): Promise<Build | null> =>
    startBuild(context, { config, source: null, idea: await ideaNamed(context, ref) })
  const build = await loops.start({ config, source: null, where: 'isolated', plan: 'planned', begin }, how)
  if (build === null) throw refuse('NOTHING_TO_BUILD')
  return build
}

/** Creates a build that has to be planned and that nobody drives yet. */
export async function createFromDocuments(
  servedRepo: ServedRepository,
  ref: string,
  documents: Omit<Extract<Seed, { from: 'documents' }>, 'from'>,
): Promise<Build> {
  const seed: Seed = { from: 'documents', ...documents }
  const bytes = utf8Length(seedText(seed))
  if (bytes > SEED_BYTES_MAX) {
    const problem = `seed: has ${Math.ceil(bytes / 1024)} KiB, and at most ${SEED_BYTES_MAX / 1024} can be planned from`
    throw refuse('INPUT_BAD', { problem })
  }
  await requireNoneUnfinished(servedRepo.context)
  const { config } = await configForNew({ folder: servedRepo.root, env: servedRepo.env }, null)
  return startUnplanned(servedRepo.context, {
    config,
    source: null,
    seed,
    idea: await ideaNamed(servedRepo.context, ref),
  })
}

/** Hands a build to a loop, or ends a pause where a loop has it already. */
export async function resumeAndDrive(
  context: BuildContext,
  loops: Loops,
  build: Build,
  how: DriveOptions,
): Promise<void> {
  if (isOver(build.state)) throw refuse('BUILD_STATE', { id: build.id, state: build.state, done: 'resumed' })
  if (build.state === 'paused' && loops.keeps(build.id)) {
    await moveBuild(context, 'resume', build.id)
    await agreeOnBudget(context, build.id, (await frozenOf(context, build.id)).config, how.budget ?? {})
  } else await loops.drive(await findBuild(context, build.id), how)
}

/**
 * Starts a build of an idea, or continues its failed one, for somebody to step through. `before`: has to end before the
 * build begins.
 */
export async function startIdeaBuild(
  servedRepo: ServedRepository,
  idea: Idea,
  agent: string | null,
  why: Why,
  before: () => Promise<void>,
): Promise<Build> {
  const { context, root, env } = servedRepo
  await requireBuildable(context, idea)
  const { config } = await configForNew({ folder: root, env }, agent)
  for (const sentence of await requireReadyEngine(servedRepo, config, isPlannedIdea(idea)))
    servedRepo.note(`idea ${idea.id}: ${sentence}`)
  await before()
  return buildIdea(context, idea, config, why)
}

/** How an idea is built: in a new build, or in its failed one. */
export type IdeaRun =
  | { readonly in: 'new build'; readonly first: FirstRun }
  | { readonly in: 'failed build'; readonly build: Build }

/** Nothing is checked or changed here but the idea: opening the run does that. */
export async function ideaRun(
  { context, root, env }: ServedRepository,
  idea: Idea,
  agent: string | null,
  why: Why,
): Promise<IdeaRun> {
  const failed = await requireBuildable(context, idea)
  if (failed !== null) return { in: 'failed build', build: failed }
  const { config } = await configForNew({ folder: root, env }, agent)
  const begin = (): Promise<Build> => buildIdea(context, idea, config, why)
  return { in: 'new build', first: { config, source: null, where: 'isolated', plan: isPlannedIdea(idea), begin } }
}

async function requireNoneUnfinished(context: BuildContext): Promise<void> {
  const unfinished = await unfinishedBuild(context)
  if (unfinished === null) return
  const plan = planName(await frozenOf(context, unfinished.id))
  throw refuse('BUILD_UNFINISHED', { id: unfinished.id, plan })
}

/** A build's id stands for its idea. */
async function ideaNamed(context: BuildContext, ref: string): Promise<IdeaId> {
  return (await buildNamed(context, ref))?.idea ?? (ref as IdeaId)
}

/**
 * Finds agents that cannot work, and a repository that cannot be built in, before a build begins. Returns notes for the
 * operator.
 */
export async function requireReadyEngine(
  { openEngine }: Pick<ServedRepository, 'openEngine'>,
  config: Config,
  plan: 'planned' | 'unplanned',
): Promise<readonly string[]> {
  const engine = await openEngine(config)
  try {
    const notes = await requireAgents(engine, plan)
    await engine.workspaces.admit()
    return notes
  } finally {
    engine.store.close()
  }
}
