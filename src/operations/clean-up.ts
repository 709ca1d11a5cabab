// Removes what builds that are over have left: folders, pins and transcripts. Nothing else in the program deletes
// history.
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { BuildId } from '../core/values/id.ts'
import type { Removal, Workspaces } from '../workspace/workspace.ts'
import type { BuildContext } from './builds/builds.ts'
import { readableNames } from '../system/readable-names.ts'

export interface CleanUpPlace {
  readonly context: BuildContext
  readonly workspaces: Workspaces
  /** The folder of all transcripts, with one folder for each build. */
  readonly transcripts: string
}

/** Keeps what every unfinished build needs, on any branch. `dry`: only lists what it would remove. */
export async function cleanUp(attic: CleanUpPlace, mode: 'dry' | 'remove'): Promise<Removal[]> {
  const { context, workspaces, transcripts } = attic
  const builds = readableNames(transcripts)
  const keep = (await context.store.builds.unfinished()).map(({ id }) => id)
  const old = builds.filter((build) => !keep.includes(build as BuildId)).map((build) => join(transcripts, build))
  const removals = await Promise.all(
    old.map(async (folder) => ({
      what: `transcripts of build ${folder.slice(transcripts.length + 1)}`,
      bytes: await bytesIn(folder),
    })),
  )
  if (mode === 'remove') for (const folder of old) await rm(folder, { recursive: true, force: true })
  return [...(await workspaces.clean(keep, mode)), ...removals]
}

async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const sizes = await Promise.all(
    names.map(async (name) => (await stat(join(folder, name)).catch(() => null))?.size ?? 0),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
