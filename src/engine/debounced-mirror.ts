// Shows merged work in the user's own repository with a short delay: mirroring starts several git processes and takes more
// processor time than everything else between two quick tasks.
import type { BuildId } from '../core/values/id.ts'
import type { Workspaces } from '../workspace/workspace.ts'
import type { EngineDeps } from './deps.ts'

interface Mirror extends Pick<EngineDeps, 'memory'> {
  readonly workspaces: Pick<Workspaces, 'mirror'>
}

const EVERY_MS = 1_000

export interface MirrorPause {
  readonly timer: NodeJS.Timeout
  /** Something was merged since the pause began. */
  isDue: boolean
}

/** Mirrors at once if the last time is long ago, else at the end of the pause. Callers do not wait for it. */
export function mirrorDebounced(engine: Mirror, build: BuildId): void {
  const pauses = engine.memory.mirrorPauses
  const pause = pauses.get(build)
  if (pause !== undefined) {
    pause.isDue = true
    return
  }
  void engine.workspaces.mirror(build)
  const timer = setTimeout(() => {
    const { isDue } = pauses.get(build) ?? { isDue: false }
    pauses.delete(build)
    if (isDue) mirrorDebounced(engine, build)
  }, EVERY_MS)
  pauses.set(build, { timer: timer.unref(), isDue: false })
}

/** Mirrors now and cancels a mirror that is due later. */
export async function mirrorNow({ workspaces, memory }: Mirror, build: BuildId): Promise<void> {
  clearTimeout(memory.mirrorPauses.get(build)?.timer)
  memory.mirrorPauses.delete(build)
  await workspaces.mirror(build)
}
