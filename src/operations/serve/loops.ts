// The loops that a server runs beside answering requests. A build stays with the server: after a pause or a question
// for a human it continues as soon as it can, whoever answers from whichever process. After a stop or a kill, the next
// start resumes what its loops drove.
import { type Build, isOver } from '../../core/builds/build.ts'
import { DONE_REASONS, type DoneReason } from '../../core/builds/done-reason.ts'
import { RalphError, refuse } from '../../core/error/error.ts'
import type { BuildId } from '../../core/values/id.ts'
import type { Stop, StopSwitch } from '../../engine/stop.ts'
import { isDriven, reportBuild } from '../read/build-report.ts'
import { type BuildContext, findBuild, unfinishedBuild } from '../builds/builds.ts'
import type { FirstRun } from '../open-run.ts'
import { begin, beginFirst, type BegunRun, type DriveOptions } from './begin-run.ts'
import type { ServedRepository } from './served-repository.ts'

export interface Loops {
  /** Hands a build to a loop. Refuses if it is already driven, or if an agent cannot work. */
  readonly drive: (build: Build, how?: DriveOptions) => Promise<Build>
  /** Starts a build and hands it to a loop; null where there is nothing to do. Refuses if an agent cannot work. */
  readonly start: (first: FirstRun, how?: DriveOptions) => Promise<Build | null>
  /** Whether the build continues here by itself, now or as soon as it can. */
  readonly keeps: (build: BuildId) => boolean
  /** Resolves when the loops of builds that are over have released everything. */
  readonly ended: () => Promise<void>
  /** Lets the operator drive the build by hand for now. Refuses while the loop works. */
  readonly driveManually: <T>(build: BuildId, work: () => Promise<T>) => Promise<T>
  /** Resumes what the server before this one drove. */
  readonly resumeAfterRestart: () => Promise<void>
  /** Resolves when everything has been saved and given back. */
  readonly stop: () => Promise<void>
}

/** After one of these reasons, a build continues by itself once the reason has passed. */
const resting: readonly DoneReason[] = ['HumanNeeded', 'Paused']

interface KeptBuild {
  /** Null while the build rests. */
  stops: StopSwitch | null
  readonly over: AbortController
  ended: Promise<void>
  readonly workers: Workers
}

/** Stays valid until somebody asks for another number. */
type Workers = Pick<DriveOptions, 'workers'>

/** `complete`: called for every build that was driven to its end. */
export function openLoops(servedRepo: ServedRepository, complete: (build: BuildId) => void): Loops {
  const { context } = servedRepo
  const builds = new Map<BuildId, KeptBuild>()
  let isStopping = false

  const keepUp = (id: BuildId, begun: BegunRun | null, workers: Workers): void => {
    const own: KeptBuild = { stops: null, over: new AbortController(), ended: Promise.resolve(), workers }
    builds.set(id, own)
    own.ended = keepDriving(servedRepo, id, own, begun)
      .finally(() => {
        if (builds.get(id) === own) builds.delete(id)
      })
      .then((reason) => {
        if (reason === 'AllTasksComplete' || reason === 'RalphDoneMarker') complete(id)
      })
  }

  const requireRunning = (): void => {
    if (isStopping) throw refuse('STOPPING')
  }
  const reserving = reservations((id) => {
    requireRunning()
    if ((builds.get(id)?.stops ?? null) !== null) throw refuse('BUILD_DRIVEN', { id, what: 'tasks' })
  })
  /** Refuses while a loop or another request drives the build, and ends a loop that only waits. */
  const alone = <T>(id: BuildId, work: () => Promise<T>): Promise<T> =>
    reserving(async (reserve) => {
      reserve(id)
      builds.get(id)?.over.abort()
      await builds.get(id)?.ended
      return work()
    })
  const driveBegun = async (begun: BegunRun, { workers }: DriveOptions): Promise<Build> => {
    const { build } = begun.run
    const asked: Workers = workers === undefined ? {} : { workers }
    await context.store.builds.keep(build.id, [{ kind: 'drive', by: 'server', ...asked }])
    if (isStopping) {
      await begun.run.close()
      throw refuse('STOPPING')
    }
    keepUp(build.id, begun, asked)
    return build
  }
  const ended = (): Promise<void> => loopsOfOver(context, builds)

  return {
    drive: (build, how = {}) => alone(build.id, async () => driveBegun(await begin(servedRepo, build.id, how), how)),
    start: (first, how = {}) =>
      reserving(async (reserve) => {
        requireRunning()
        const begun = await beginFirst(servedRepo, first, how, ended, reserve)
        return begun === null ? null : driveBegun(begun, how)
      }),
    keeps: (id) => builds.has(id),
    ended,
    driveManually: (id, work) =>
      alone(id, async () => {
        await context.store.builds.keep(id, [{ kind: 'drive', by: 'hand' }])
        return work()
      }),
    resumeAfterRestart: async () => {
      const left = await drivenBefore(context)
      if (left !== null) keepUp(left.build.id, null, left.workers)
    },
    stop: async () => {
      isStopping = true
      await stopAll([...builds.values()])
    },
  }
}

async function stopAll(builds: readonly KeptBuild[]): Promise<void> {
  for (const { stops, over } of builds) {
    stops?.demand({ reason: 'UserCancelled' })
    over.abort()
  }
  await Promise.all(builds.map(({ ended }) => ended))
}

async function loopsOfOver(context: BuildContext, builds: ReadonlyMap<BuildId, KeptBuild>): Promise<void> {
  for (const [id, own] of builds) if (isOver((await findBuild(context, id)).state)) await own.ended
}

/** The build that a server before this one drove; null where there is none. */
async function drivenBefore(context: BuildContext): Promise<{ build: Build; workers: Workers } | null> {
  const build = await unfinishedBuild(context)
  if (build === null || build.state === 'failed') return null
  const [record] = await context.store.builds.attachments(build.id, 'drive')
  if (record?.by !== 'server') return null
  return { build, workers: record.workers === undefined ? {} : { workers: record.workers } }
}

/** One driver of a build at a time. What `work` reserves is free again when it ends. */
function reservations(
  requireFree: (id: BuildId) => void,
): <T>(work: (reserve: (id: BuildId) => void) => Promise<T>) => Promise<T> {
  const reserved = new Set<BuildId>()
  return async (work) => {
    const own: BuildId[] = []
    try {
      return await work((id) => {
        requireFree(id)
        if (reserved.has(id)) throw refuse('BUILD_DRIVEN', { id, what: 'tasks' })
        reserved.add(id)
        own.push(id)
      })
    } finally {
      for (const id of own) reserved.delete(id)
    }
  }
}

/**
 * Runs until the build is over, was released (null), or ended for a reason that does not pass by itself. Never throws.
 */
async function keepDriving(
  servedRepo: ServedRepository,
  id: BuildId,
  own: KeptBuild,
  first: BegunRun | null,
): Promise<DoneReason | null> {
  try {
    for (let begun = first; ; begun = null) {
      if (begun === null && !(await untilItCanGoOn(servedRepo.context, id, own.over.signal))) return null
      const turn = begun ?? (await begin(servedRepo, id, own.workers).catch(unlessDriven))
      if (turn === null) continue
      const { reason, detail } = await runTurn(own, turn)
      servedRepo.note(`build ${id}: ${DONE_REASONS[reason].sentence}${detail === undefined ? '' : ` ${detail}`}`)
      if (!resting.includes(reason)) return reason
    }
  } catch (error) {
    servedRepo.note(`build ${id} is not driven any more: ${error instanceof Error ? error.message : String(error)}`)
    return null
  }
}

/** Somebody else was faster; the caller looks again. */
function unlessDriven(error: unknown): null {
  if (error instanceof RalphError && error.code === 'BUILD_DRIVEN') return null
  throw error
}

async function runTurn(own: KeptBuild, { run, stops }: BegunRun): Promise<Stop> {
  own.stops = stops
  if (own.over.signal.aborted) stops.demand({ reason: 'UserCancelled' })
  try {
    return await run.loop(stops)
  } finally {
    own.stops = null
    await run.close()
  }
}

/** False: the build is over or failed, or nobody waits for it any more. */
async function untilItCanGoOn(context: BuildContext, id: BuildId, signal: AbortSignal): Promise<boolean> {
  // Opened before the first read, so that no change is missed in between.
  const changes = context.store.changes(signal)[Symbol.asyncIterator]()
  try {
    while (!signal.aborted) {
      const report = await reportBuild(context, id)
      const { build, view } = report
      if (build.state !== 'running' && build.state !== 'paused') return false
      // If a fix is being merged or another process works on it, their end is also a change.
      if (view.status === 'active' && !isDriven(report)) return true
      if ((await changes.next()).done === true) return false
    }
    return false
  } finally {
    await changes.return?.()
  }
}
