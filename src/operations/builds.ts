// Every verb about a build as a whole: starting, going on, steering it from any process, and writing down how it ended.
import type { Config } from '../config/config.ts'
import type { Build, BuildState } from '../core/build.ts'
import { raisingCommand, spentSentence } from '../core/budget.ts'
import { refuse } from '../core/error.ts'
import type { BuildFact } from '../core/fact.ts'
import type { BuildId, IdeaId, Instant } from '../core/id.ts'
import { released } from '../core/task.ts'
import type { Stop } from '../engine/stop.ts'
import type { Scope, Store } from '../store/store.ts'
import { budgetNow } from './budget.ts'

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

export function isOver(state: BuildState): state is 'complete' | 'aborted' {
  return state === 'complete' || state === 'aborted'
}

/** A build that was neither finished nor aborted; null where there is none. */
export async function unfinishedBuild({ store, scope }: BuildDesk): Promise<Build | null> {
  const newest = await store.builds.newest(scope)
  return newest === null || isOver(newest.state) ? null : newest
}

/** What a build was frozen with, and the file its plan came from. */
export interface Frozen {
  readonly config: Config
  readonly source: string | null
}

export async function frozenOf({ store }: Pick<BuildDesk, 'store'>, id: BuildId): Promise<Frozen> {
  const kept = (await store.builds.keepsakes(id, 'config'))[0]
  if (kept === undefined) throw refuse('INTERNAL', { reason: `the settings of build ${id} were not kept` })
  return { config: kept.config as Config, source: kept.source }
}

/** A new build over every open task; null where there is nothing to do. */
export async function startBuild(
  desk: BuildDesk,
  { config, source, hash = config.hash }: Frozen & { readonly hash?: string },
): Promise<Build | null> {
  const { store, scope, now, unique } = desk
  await reopenLeftWaiting(desk)
  const tasks = await store.tasks.list(scope, { statuses: ['open', 'active'] })
  if (tasks.length === 0) return null
  const build: Build = {
    id: `b_${unique()}` as BuildId,
    idea: `i_${unique()}` as IdeaId,
    spec: tasks[0]?.spec ?? null,
    state: 'running',
    configHash: hash,
    lastError: null,
    startedAt: now(),
    lastActivityAt: now(),
  }
  const ids = tasks.map((task) => task.id)
  await store.builds.create(scope, build, ids, [{ kind: 'config', config, source }])
  return build
}

/** What waited for a human when its build was aborted: nobody could answer it in a new one, so that tries it afresh. */
async function reopenLeftWaiting({ store, scope }: BuildDesk): Promise<void> {
  await store.tasks.changeAll(scope, { statuses: ['waiting'] }, (task, now) => ({
    ...released(task, now),
    status: 'open',
  }))
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

/** Writes down how a loop ended, where that ends the build and nobody else has said so before. */
export async function endBuild(desk: BuildDesk, id: BuildId, stop: Stop): Promise<void> {
  const { store } = desk
  const isDone = stop.reason === 'AllTasksComplete' || stop.reason === 'RalphDoneMarker'
  const isSpent = stop.reason === 'BudgetExhausted'
  if (!isDone && !isSpent && stop.reason !== 'Failed') return
  const state = (await store.builds.find(id))?.state
  if (state !== 'running') return
  if (isSpent) {
    await store.builds.move(id, state, await exhaustion(desk, id))
    return
  }
  if (isDone) await store.builds.move(id, 'complete', { type: 'buildComplete' })
  else await store.builds.move(id, 'failed', { type: 'buildFailed', error: stop.detail ?? 'unknown' })
}

/** The build stays as it is, and can go on; that it ran out is told all the same. */
async function exhaustion(desk: BuildDesk, id: BuildId): Promise<BuildFact> {
  const { budget } = await budgetNow(desk, id, (await frozenOf(desk, id)).config)
  return { type: 'budgetExhausted', sentence: spentSentence(budget), goOn: raisingCommand(budget) }
}
