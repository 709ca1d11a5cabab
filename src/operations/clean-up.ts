// The only thing that forgets: folders, pins and transcripts of builds that are over.
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { BuildId } from '../core/values/id.ts'
import { namesIn } from '../system/names-in.ts'
import type { Removal, Workspaces } from '../workspace/workspace.ts'
import type { BuildContext } from './builds/builds.ts'

export interface CleanUpPlace {
  readonly context: BuildContext
  readonly workspaces: Workspaces
  /** Where transcripts are, a folder for each build. */
  readonly transcripts: string
}

/** What every build that is not over needs stays, on whichever branch it was started. `dry`: only says it. */
export async function cleanUp(attic: CleanUpPlace, mode: 'dry' | 'remove'): Promise<Removal[]> {
  const { context, workspaces, transcripts } = attic
  const builds = await namesIn(transcripts)
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
