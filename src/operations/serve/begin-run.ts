// Opens the runs of a server's loops.
import type { Build } from '../../core/builds/build.ts'
import type { BuildId } from '../../core/values/id.ts'
import type { StopSwitch } from '../../engine/stop.ts'
import { type FirstRun, openFirstRun, openRun, type Run, type RunOptions } from '../open-run.ts'
import type { ServedRepository } from './served-repository.ts'

export interface DriveOptions extends Pick<RunOptions, 'budget' | 'by'> {
  /** Iterations in this run; default: as many as the build may still have. */
  readonly iterationsMax?: number
  /** Tasks at the same time; default: as in its settings. */
  readonly workers?: number
}

/** A run of a server with the limits that stop it. */
export interface BegunRun {
  readonly run: Run
  readonly stops: StopSwitch
}

/** Finds agents that cannot work before the build moves. */
export async function begin(
  servedRepo: ServedRepository,
  id: BuildId,
  { iterationsMax, ...how }: DriveOptions,
): Promise<BegunRun> {
  return limited(await openRun({ ...servedRepo, note: noteOf(servedRepo, id) }, id, how), iterationsMax)
}

/** The same for a build that does not exist yet; null where there is nothing to do. `before`: ends before it begins. */
export async function beginFirst(
  servedRepo: ServedRepository,
  first: FirstRun,
  { iterationsMax, ...how }: DriveOptions,
  before: () => Promise<void>,
  started: (id: BuildId) => void,
): Promise<BegunRun | null> {
  let { note } = servedRepo
  const place = { ...servedRepo, note: (sentence: string) => note(sentence) }
  const start = async (): Promise<Build | null> => {
    await before()
    const build = await first.begin()
    if (build === null) return null
    started(build.id)
    note = noteOf(servedRepo, build.id)
    return build
  }
  const run = await openFirstRun(place, { ...first, begin: start }, how)
  return run === null ? null : limited(run, iterationsMax)
}

function noteOf({ note }: ServedRepository, id: BuildId): ServedRepository['note'] {
  return (sentence) => note(`build ${id}: ${sentence}`)
}

async function limited(run: Run, iterationsMax: number | null = null): Promise<BegunRun> {
  try {
    return { run, stops: await run.limits({ mode: 'to-the-end', iterationsMax, until: null }) }
  } catch (error) {
    await run.close()
    throw error
  }
}
