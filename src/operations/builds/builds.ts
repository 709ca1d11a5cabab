// Every operation on a build as a whole: start, continue, control it from any process, and record how it ended.
import { EVIDENCE_WITHOUT_PROBES, type EvidenceSettings } from '../../core/probes/settings.ts'
import type { Config } from '../../config/settings/config.ts'
import { type Build, type BuildState, isOver } from '../../core/builds/build.ts'
import { raisingCommand, spentSentence } from '../../core/money/budget.ts'
import { refuse } from '../../core/error/error.ts'
import type { BuildFact } from '../../core/fact/fact.ts'
import type { BuildId, IdeaId, Instant } from '../../core/values/id.ts'
import type { Attachment } from '../../core/builds/attachment.ts'
import { UNPLANNED } from '../../core/builds/planning.ts'
import { groupOf, type Seed, seedName } from '../../core/plan/seed.ts'
import { releaseTask, type Task } from '../../core/task/task.ts'
import { hasPlan } from '../../engine/plan-build.ts'
import type { Stop } from '../../engine/stop.ts'
import type { Scope, Store, Why } from '../../store/store.ts'
import type { Workspaces } from '../../workspace/workspace.ts'
import { budgetNow } from './budget.ts'
import { digest } from '../digest.ts'

export interface BuildContext {
  readonly store: Store
  readonly scope: Scope
  readonly now: () => Instant
  /** A unique part of an id. */
  readonly unique: () => string
  /** Who acts, for the record. */
  readonly person: string
}

/** The named build, or the newest of this repository and branch. */
export async function findBuild({ store, scope }: BuildContext, id?: string): Promise<Build> {
  const build = id === undefined ? await store.builds.newest(scope) : await store.builds.find(id as BuildId)
  if (build !== null) return build
  // Without the branch's name, a user who has switched branches would think that everything is lost.
  if (id === undefined) throw refuse('NO_BUILD', { where: `of branch '${scope.branch}'` })
  throw refuse('BUILD_NOT_FOUND', { id })
}

/** The build with this id, or the newest one of the idea with this id. */
export async function buildNamed({ store, scope }: BuildContext, ref: string): Promise<Build | null> {
  const [named] = await store.builds.list(scope, { id: ref as BuildId, limit: 1 })
  if (named !== undefined) return named
  const [newest] = await store.builds.list(scope, { idea: ref as IdeaId, limit: 1 })
  return newest ?? null
}

export async function requireNamed(context: BuildContext, ref: string): Promise<Build> {
  const build = await buildNamed(context, ref)
  if (build === null) throw refuse('BUILD_NOT_FOUND', { id: ref })
  return build
}

/** A build that is neither finished nor aborted; null where there is none. */
export async function unfinishedBuild({ store, scope }: BuildContext): Promise<Build | null> {
  const newest = await store.builds.newest(scope)
  return newest === null || isOver(newest.state) ? null : newest
}

/** What a build was frozen with: its settings, its progress file, and what it is planned from. */
export interface FrozenBuild {
  readonly config: Config
  readonly source: string | null
  readonly seed: Seed | null
  /** Whether agents work in their own folders or in the user's checkout. */
  readonly where: 'isolated' | 'in-place'
}

/** For people. */
export function planName({ source, seed }: Pick<FrozenBuild, 'source' | 'seed'>): string {
  return source ?? (seed === null ? 'the open tasks' : seedName(seed))
}

export async function frozenOf(
  { store }: { readonly store: Pick<Store, 'builds'> },
  id: BuildId,
): Promise<FrozenBuild> {
  const [kept] = await store.builds.attachments(id, 'config')
  const [seed] = await store.builds.attachments(id, 'seed')
  if (kept === undefined) throw refuse('INTERNAL', { reason: `the settings of build ${id} were not kept` })
  const { source, where = 'isolated' } = kept
  // A build that was frozen before a section existed has none.
  const config: Config = { ...NO_EXAMPLES, ...(kept.config as Config), evidence: sectionOf(kept.config) }
  return { config, source, seed: seed?.seed ?? null, where }
}

const NO_EXAMPLES: Pick<Config, 'sealed' | 'examples'> = { sealed: { file: null }, examples: {} }

function sectionOf(config: unknown): EvidenceSettings {
  return (config as Partial<Config>).evidence ?? EVIDENCE_WITHOUT_PROBES
}

/** A build that was started over existing tasks has its plan. */
export function isPlanned({ store }: Pick<BuildContext, 'store'>, id: BuildId): Promise<boolean> {
  return hasPlan({ store }, id)
}

/** `hash`: of the settings, if it differs from their own. */
interface Start extends Omit<FrozenBuild, 'seed' | 'where'> {
  readonly seed?: Seed | null
  /** The idea it belongs to; a new one where nobody names one. */
  readonly idea?: IdeaId
  /** The reason that moves its idea. */
  readonly why?: Why
  readonly where?: FrozenBuild['where']
  readonly hash?: string
}

/** Starts a build over every open task, and every one that was only reported done; null where there is nothing to do. */
export async function startBuild(context: BuildContext, start: Start): Promise<Build | null> {
  const { store, scope } = context
  await reopenLeftWaiting(context)
  // Tasks that were reported done are verified first.
  const reported = await store.tasks.reported(scope)
  const tasks = [...(await store.tasks.list(scope, { statuses: ['open', 'active'] })), ...reported]
  if (tasks.length === 0) return null
  const build = newBuild(context, start, tasks[0]?.spec ?? null)
  const ids = tasks.map((task) => task.id)
  await store.builds.create(scope, build, ids, frozenAttachments(start), start.why)
  return build
}

/** Starts a build without a plan. Its first run or step plans it. */
export async function startUnplanned(context: BuildContext, start: Start & { readonly seed: Seed }): Promise<Build> {
  await reopenLeftWaiting(context)
  const build = newBuild(context, start, groupOf(start.seed, digest))
  const planning: Attachment = { kind: 'planning', ...UNPLANNED }
  await context.store.builds.create(context.scope, build, null, [...frozenAttachments(start), planning], start.why)
  return build
}

function newBuild({ now, unique }: BuildContext, start: Start, spec: string | null): Build {
  const { config, hash = config.hash } = start
  return {
    id: `b_${unique()}` as BuildId,
    idea: start.idea ?? (`i_${unique()}` as IdeaId),
    spec,
    state: 'running',
    configHash: hash,
    lastError: null,
    startedAt: now(),
    lastActivityAt: now(),
  }
}

function frozenAttachments({ config, source, seed = null, where = 'isolated' }: Start): Attachment[] {
  const place = where === 'isolated' ? {} : { where }
  return [{ kind: 'config', config, source, ...place }, ...(seed === null ? [] : [{ kind: 'seed', seed } as const])]
}

/** Opens tasks again that waited for a human when their build was aborted: nobody could answer them in a new build. */
async function reopenLeftWaiting({ store, scope }: BuildContext): Promise<void> {
  await store.tasks.changeAll(scope, { statuses: ['waiting'] }, openAgain)
}

export function openAgain(task: Task, now: Instant): Task {
  return { ...releaseTask(task, now), status: 'open' }
}

/** Lets a paused or failed build run again. */
export async function goOn(context: BuildContext, build: Build): Promise<Build> {
  return build.state === 'running' ? build : moveBuild(context, 'resume', build.id)
}

const moves = {
  pause: { from: ['running'], to: 'paused', fact: 'buildPaused', done: 'paused' },
  resume: { from: ['paused', 'failed'], to: 'running', fact: 'buildResumed', done: 'resumed' },
  abort: { from: ['running', 'paused', 'failed'], to: 'aborted', fact: 'buildAborted', done: 'aborted' },
} as const satisfies Record<string, { from: BuildState[]; to: BuildState; fact: BuildFact['type']; done: string }>

export type BuildMove = keyof typeof moves

/** Works across processes: the loop that runs the build sees it in the store. */
export async function moveBuild(context: BuildContext, move: BuildMove, id?: string): Promise<Build> {
  const build = await findBuild(context, id)
  const { from, to, fact, done } = moves[move]
  const moved = await context.store.builds.move(build.id, from, to, { type: fact, by: context.person })
  if (moved !== null) return moved
  const { state } = await findBuild(context, build.id)
  if (move === 'resume' && state === 'running') throw refuse('BUILD_NOT_PAUSED', { id: build.id })
  throw refuse('BUILD_STATE', { id: build.id, state, done })
}

/** Records how a loop ended, if that ends the build and nobody has recorded an end before. */
export async function endBuild(context: BuildContext, id: BuildId, stop: Stop): Promise<void> {
  const { store } = context
  const isDone = stop.reason === 'AllTasksComplete' || stop.reason === 'RalphDoneMarker'
  const isSpent = stop.reason === 'BudgetExhausted'
  if (!isDone && !isSpent && stop.reason !== 'Failed') return
  if (isSpent) await store.builds.move(id, ['running'], 'running', await exhaustion(context, id))
  else if (isDone) await store.builds.move(id, ['running'], 'complete', { type: 'buildComplete' })
  else await store.builds.move(id, ['running'], 'failed', { type: 'buildFailed', error: stop.detail ?? 'unknown' })
}

/** The build stays as it is and can continue, but its log says that the budget ran out. */
async function exhaustion(context: BuildContext, id: BuildId): Promise<BuildFact> {
  const { budget } = await budgetNow(context, id, (await frozenOf(context, id)).config)
  return { type: 'budgetExhausted', sentence: spentSentence(budget), goOn: raisingCommand(budget) }
}

/** Where the agents of a build work; by default in their own folders. */
export type WorkedAt = Pick<FrozenBuild, 'where' | 'source'>

export type OpenWorkspaces = (at: WorkedAt) => Promise<Workspaces>
