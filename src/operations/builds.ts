// Every verb about a build as a whole: starting, going on, steering it from any process, and how it stands.
import type { Attempt } from '../core/attempt.ts'
import { type Build, type BuildState, type BuildView, viewBuild } from '../core/build.ts'
import { refuse } from '../core/error.ts'
import type { BuildFact } from '../core/fact.ts'
import type { BuildId, IdeaId, Instant, TaskId } from '../core/id.ts'
import type { FrozenConfig, IterationRecord } from '../core/keepsake.ts'
import type { Task } from '../core/task.ts'
import type { Stop } from '../engine/stop.ts'
import type { Scope, Store } from '../store/store.ts'

export interface BuildDesk {
  readonly store: Store
  readonly scope: Scope
  readonly now: () => Instant
  /** A part of an id that nobody else makes. */
  readonly unique: () => string
  /** Who speaks, for the record. */
  readonly person: string
}

/** The named build, or the newest of this repository and branch. */
export async function findBuild({ store, scope }: BuildDesk, id?: string): Promise<Build> {
  const build = id === undefined ? await store.builds.newest(scope) : await store.builds.find(id as BuildId)
  if (build !== null) return build
  throw id === undefined ? refuse('NO_BUILD') : refuse('BUILD_NOT_FOUND', { id })
}

/** A build that was neither finished nor aborted; null where there is none. */
export async function unfinishedBuild({ store, scope }: BuildDesk): Promise<Build | null> {
  const newest = await store.builds.newest(scope)
  return newest === null || newest.state === 'complete' || newest.state === 'aborted' ? null : newest
}

/** A new build over every open task; null where there is nothing to do. */
export async function startBuild(
  { store, scope, now, unique }: BuildDesk,
  frozen: Pick<FrozenConfig, 'config' | 'source'> & { readonly hash: string },
): Promise<Build | null> {
  const tasks = await store.tasks.list(scope, { statuses: ['open', 'active', 'waiting'] })
  if (tasks.length === 0) return null
  const build: Build = {
    id: `b_${unique()}` as BuildId,
    idea: `i_${unique()}` as IdeaId,
    spec: tasks[0]?.spec ?? null,
    state: 'running',
    configHash: frozen.hash,
    lastError: null,
    startedAt: now(),
    lastActivityAt: now(),
  }
  const ids = tasks.map((task) => task.id)
  await store.builds.create(scope, build, ids, [{ kind: 'config', config: frozen.config, source: frozen.source }])
  return build
}

/** A build that was paused or had failed runs again. */
export async function goOn({ store, person }: BuildDesk, build: Build): Promise<Build> {
  return build.state === 'running'
    ? build
    : store.builds.move(build.id, 'running', { type: 'buildResumed', by: person })
}

const moves = {
  pause: { from: ['running'], to: 'paused', fact: 'buildPaused', done: 'paused' },
  resume: { from: ['paused', 'failed'], to: 'running', fact: 'buildResumed', done: 'resumed' },
  abort: { from: ['running', 'paused', 'failed'], to: 'aborted', fact: 'buildAborted', done: 'aborted' },
} as const satisfies Record<string, { from: BuildState[]; to: BuildState; fact: BuildFact['type']; done: string }>

export type BuildMove = keyof typeof moves

/** Works across processes: the loop that runs the build sees it in the store. */
export async function moveBuild(desk: BuildDesk, move: BuildMove, id?: string): Promise<Build> {
  const build = await findBuild(desk, id)
  const { from, to, fact, done } = moves[move]
  if (!from.some((state) => state === build.state))
    throw refuse('BUILD_STATE', { id: build.id, state: build.state, done })
  return desk.store.builds.move(build.id, to, { type: fact, by: desk.person })
}

/** Writes down how a loop ended, where that ends the build. */
export async function endBuild({ store }: BuildDesk, id: BuildId, stop: Stop): Promise<void> {
  if (stop.reason === 'AllTasksComplete') await store.builds.move(id, 'complete', { type: 'buildComplete' })
  if (stop.reason === 'Failed')
    await store.builds.move(id, 'failed', { type: 'buildFailed', error: stop.detail ?? 'unknown' })
}

export interface BuildReport {
  readonly build: Build
  readonly view: BuildView
  readonly tasks: readonly Task[]
  readonly attempts: ReadonlyMap<TaskId, Attempt>
  readonly iterations: readonly IterationRecord[]
}

export async function reportBuild(desk: BuildDesk, id?: string): Promise<BuildReport> {
  const build = await findBuild(desk, id)
  const { store, scope } = desk
  const tasks = (await store.tasks.list(scope, {}))
    .filter((task) => task.build === build.id && task.status !== 'split' && task.status !== 'deleted')
    .toSorted((a, b) => a.createdAt - b.createdAt)
  const attempts = await store.builds.attempts(build.id)
  const iterations = await store.builds.keepsakes(build.id, 'iteration')
  return { build, view: viewBuild(build, tasks, attempts), tasks, attempts, iterations }
}
