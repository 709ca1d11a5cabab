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
import { openRun, type Run, type RunOptions } from '../open-run.ts'
import type { ServedRepository } from './served-repository.ts'

export interface Loops {
  /** Hands a build to a loop. Refuses if it is already driven, or if an agent cannot work. */
  readonly drive: (build: Build, how?: DriveOptions) => Promise<void>
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

export interface DriveOptions extends Pick<RunOptions, 'budget' | 'age'> {
  /** Iterations in this run; default: as many as the build may still have. */
  readonly iterationsMax?: number
  /** Tasks at the same time; default: as in its settings. */
  readonly workers?: number
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
  const kept = new Map<BuildId, KeptBuild>()
  const manuallyDriven = new Set<BuildId>()
  let isStopping = false

  const keepUp = (id: BuildId, begun: BegunRun | null, workers: Workers): void => {
    const own: KeptBuild = { stops: null, over: new AbortController(), ended: Promise.resolve(), workers }
    kept.set(id, own)
    own.ended = keepDriving(servedRepo, id, own, begun)
      .finally(() => {
        if (kept.get(id) === own) kept.delete(id)
      })
      .then((reason) => {
        if (reason === 'AllTasksComplete' || reason === 'RalphDoneMarker') complete(id)
      })
  }

  /** One driver at a time: refuses while a loop or another person drives the build, and ends a loop that only waits. */
  const alone = async <T>(id: BuildId, work: () => Promise<T>): Promise<T> => {
    if (isStopping) throw refuse('STOPPING')
    if (manuallyDriven.has(id) || (kept.get(id)?.stops ?? null) !== null)
      throw refuse('BUILD_DRIVEN', { id, what: 'tasks' })
    manuallyDriven.add(id)
    try {
      kept.get(id)?.over.abort()
      await kept.get(id)?.ended
      return await work()
    } finally {
      manuallyDriven.delete(id)
    }
  }

  return {
    drive: (build, how = {}) =>
      alone(build.id, async () => {
        const begun = await begin(servedRepo, build.id, how)
        const asked: Workers = how.workers === undefined ? {} : { workers: how.workers }
        await context.store.builds.keep(build.id, [{ kind: 'drive', by: 'server', ...asked }])
        if (!isStopping) return keepUp(build.id, begun, asked)
        await begun.run.close()
        throw refuse('STOPPING')
      }),
    keeps: (id) => kept.has(id),
    ended: async () => {
      for (const [id, { ended }] of kept) if (isOver((await findBuild(context, id)).state)) await ended
    },
    driveManually: (id, work) =>
      alone(id, async () => {
        await context.store.builds.keep(id, [{ kind: 'drive', by: 'hand' }])
        return work()
      }),
    resumeAfterRestart: async () => {
      const build = await unfinishedBuild(context)
      if (build === null) return
      const [record] = await context.store.builds.attachments(build.id, 'drive')
      if (record?.by !== 'server' || build.state === 'failed') return
      keepUp(build.id, null, record.workers === undefined ? {} : { workers: record.workers })
    },
    stop: async () => {
      isStopping = true
      for (const { stops, over } of kept.values()) {
        stops?.demand({ reason: 'UserCancelled' })
        over.abort()
      }
      await Promise.all([...kept.values()].map(({ ended }) => ended))
    },
  }
}

interface BegunRun {
  readonly run: Run
  readonly stops: StopSwitch
}

/** Finds agents that cannot work before the build moves. */
async function begin(
  servedRepo: ServedRepository,
  id: BuildId,
  { iterationsMax, ...how }: DriveOptions,
): Promise<BegunRun> {
  const run = await openRun({ ...servedRepo, note: (sentence) => servedRepo.note(`build ${id}: ${sentence}`) }, id, how)
  try {
    return { run, stops: await run.limits({ mode: 'to-the-end', iterationsMax: iterationsMax ?? null, until: null }) }
  } catch (error) {
    await run.close()
    throw error
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
