// The commits that an agent has made in its throw-away git dir, read as text and never by git: the dir may be poisoned.
import { join } from 'node:path'
import { entriesIn, isFolder, plainBytes } from '../../../system/files.ts'
import { type Objects, isObjectId } from '../objects/objects.ts'

/** A branch file has 41 bytes; a log of 1,000 commits some 200,000. */
const FILE_BYTES_MAX = 1_048_576
const REFS_MAX = 256
const REF_DEPTH_MAX = 8
const COMMITS_MAX = 64

/** Ids from branches, the stash and the log of HEAD, as they are written there, true or not. */
export async function agentCommitIds(objects: Objects, folder: string): Promise<string[]> {
  const gitDir = join(folder, '.git')
  if (!(await isFolder(gitDir))) return []
  const refs = await filesBelow(join(gitDir, 'refs'), REF_DEPTH_MAX)
  const logs = (await filesBelow(join(gitDir, 'logs'), REF_DEPTH_MAX)).filter((path) => /\/(HEAD|stash)$/.test(path))
  const ids = new Set<string>()
  for (const path of [join(gitDir, 'HEAD'), join(gitDir, 'packed-refs'), ...refs, ...logs])
    // Newest line first: the older ones are mostly its ancestors.
    for (const word of plainText(path)
      .split(/[\s^]+/)
      .reverse())
      if (isObjectId(objects, word)) ids.add(word)
  ids.delete('0'.repeat(objects.format === 'sha1' ? 40 : 64))
  return [...ids].slice(0, COMMITS_MAX)
}

async function filesBelow(folder: string, depth: number): Promise<string[]> {
  if (depth === 0 || !(await isFolder(folder))) return []
  const files: string[] = []
  for (const entry of await entriesIn(folder)) {
    const path = join(folder, entry.name)
    if (entry.isFile()) files.push(path)
    else if (entry.isDirectory()) files.push(...(await filesBelow(path, depth - 1)))
    if (files.length >= REFS_MAX) break
  }
  return files
}

function plainText(path: string): string {
  return plainBytes(path, FILE_BYTES_MAX)?.toString('latin1') ?? ''
}
