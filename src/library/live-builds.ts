// Builds that run in this process while it does other things.
import { type Build, isOver } from '../core/builds/build.ts'
import type { RecordedFact } from '../core/fact/fact.ts'
import type { BuildId } from '../core/values/id.ts'
import { followFacts } from '../operations/builds/build-facts.ts'
import { reportBuild } from '../operations/read/build-report.ts'
import { type BuildSession, sessionOf } from '../operations/read/build-session.ts'
import { findBuild } from '../operations/builds/builds.ts'
import type { DriveOptions } from '../operations/serve/begin-run.ts'
import { openRun, type Run, type RunOptions } from '../operations/open-run.ts'
import type { ServedRepository } from '../operations/serve/served-repository.ts'

/** How a loop of this process continues a build. */
export interface LiveDrive extends DriveOptions, Pick<RunOptions, 'paused'> {}

export interface LiveBuild {
  /** One object for its whole life, kept up to date with the build. */
  readonly session: BuildSession
  /** Whether a loop of this process works on it, or is about to. */
  readonly isDriven: () => boolean
  /** Lets a loop work on it; if one already does, another follows it. Refuses like `openRun`. */
  readonly drive: (how?: LiveDrive) => Promise<void>
  /** The same with a run that is open; closes it. */
  readonly driveRun: (run: Run) => Promise<void>
  /** Resolves when no loop of this process works on it. */
  readonly atRest: () => Promise<void>
  readonly close: () => Promise<void>
}

export interface Listener {
  readonly facts: (session: BuildSession, facts: readonly RecordedFact[]) => Promise<void>
  /** A loop ended. */
  readonly rested: (build: BuildId) => Promise<void>
  /** What went wrong outside the build itself. */
  readonly failed: (error: unknown) => void
}

/** `after`: facts up to this number are known already. */
export async function liveBuild(
  servedRepo: ServedRepository,
  { id }: Build,
  listener: Listener,
  after = 0,
): Promise<LiveBuild> {
  const { context } = servedRepo
  const session: BuildSession = sessionOf(await reportBuild(context, id))
  const over = new AbortController()
  let next: LiveDrive | null = null
  let working: Promise<void> | null = null

  const refresh = async (): Promise<void> => {
    Object.assign(session, sessionOf(await reportBuild(context, id)))
  }
  const following = (async () => {
    for await (const facts of followFacts(context, id, after, over.signal)) {
      await refresh()
      await listener.facts(session, facts)
    }
  })().catch(listener.failed)

  /** What was asked for meanwhile. A build that has ended or was paused since then stays as it is. */
  const openNext = async (): Promise<OpenedRun | null> => {
    const how = next
    next = null
    if (how === null || over.signal.aborted || isOver((await findBuild(context, id)).state)) return null
    return openLoop(servedRepo, id, { ...how, paused: 'kept' })
  }
  const work = async (first: OpenedRun): Promise<void> => {
    for (let opened: OpenedRun | null = first; opened !== null; opened = await openNext()) {
      await runLoop(opened, over.signal)
      await refresh()
      await listener.rested(id)
    }
  }
  const driveOpened = async (opening: Promise<OpenedRun>): Promise<void> => {
    working = opening
      .then(
        (opened) => work(opened).catch(listener.failed),
        // The caller of `drive` gets the error.
        () => {},
      )
      .finally(() => {
        working = null
      })
    await opening
  }
  return {
    session,
    isDriven: () => working !== null,
    drive: async (how = {}) => {
      if (working === null) await driveOpened(openLoop(servedRepo, id, how))
      else next = how
    },
    driveRun: async (run) => {
      if (working === null) return driveOpened(Promise.resolve({ run, iterationsMax: null }))
      next = {}
      await run.close()
    },
    atRest: async () => {
      for (let now = working; now !== null; now = working) await now
    },
    close: async () => {
      over.abort()
      await working
      await following
    },
  }
}

interface OpenedRun {
  readonly run: Run
  readonly iterationsMax: number | null
}

async function openLoop(
  servedRepo: ServedRepository,
  id: BuildId,
  { iterationsMax, ...how }: LiveDrive,
): Promise<OpenedRun> {
  return { run: await openRun(servedRepo, id, how), iterationsMax: iterationsMax ?? null }
}

async function runLoop({ run, iterationsMax }: OpenedRun, signal: AbortSignal): Promise<void> {
  try {
    const stops = await run.limits({ mode: 'to-the-end', iterationsMax, until: null })
    const stop = (): void => stops.demand({ reason: 'UserCancelled' })
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    await run.loop(stops).finally(() => signal.removeEventListener('abort', stop))
  } finally {
    await run.close()
  }
}
