// Removes folders, whatever was done to them.
import { randomBytes } from 'node:crypto'
import { lstatSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs'
import { chmod, readdir, rename, rm, rmdir, unlink } from 'node:fs/promises'
import { errnoOf } from './errno.ts'
import { isFolder, isShortFolder } from './files.ts'

/**
 * Also removes what was made unwritable, and what lies deeper than a path can name. Removes links and never follows
 * them.
 */
export async function removeAll(path: string | Buffer): Promise<void> {
  if (isRemovedAtOnce(path)) return
  try {
    await rm(path, { recursive: true, force: true })
  } catch (error) {
    if (!['EACCES', 'EPERM', 'ENOTEMPTY', 'ENAMETOOLONG'].includes(errnoOf(error))) throw error
    await removeByHand(Buffer.from(path))
  }
}

/** Files and folders; they take some 10 µs each, where a call through Node's thread pool takes 100. */
const AT_ONCE_MAX = 64

/** False where some of it is left: there is much, or it was made unwritable. */
export function isRemovedAtOnce(path: string | Buffer): boolean {
  try {
    return removeFew(Buffer.from(path), { left: AT_ONCE_MAX })
  } catch {
    return false
  }
}

function removeFew(path: Buffer, budget: { left: number }): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return true
  if (!stats.isDirectory()) {
    unlinkSync(path)
    return true
  }
  const names = fewNamesIn(path, budget)
  if (names === null || !names.every((name) => removeFew(below(path, name), budget))) return false
  rmdirSync(path)
  return true
}

function fewNamesIn(path: Buffer, budget: { left: number }): Buffer[] | null {
  if (!isShortFolder(path)) return null
  const names = readdirSync(path, { encoding: 'buffer' })
  budget.left -= names.length
  return budget.left < 0 ? null : names
}

/** The system accepts 4,096 bytes (macOS: 1,024); deeper folders are moved up first. */
const PATH_BYTES_MAX = 900

async function removeByHand(root: Buffer): Promise<void> {
  if (!(await isFolder(root))) return ifThere(unlink(root))
  for (let names = await openFolder(root); names.length > 0; names = await openFolder(root))
    for (const name of names) await removeBelow(root, below(root, name))
  return ifThere(rmdir(root))
}

async function removeBelow(root: Buffer, path: Buffer): Promise<void> {
  if (!(await isFolder(path))) return ifThere(unlink(path))
  if (path.length - root.length > PATH_BYTES_MAX)
    return ifThere(rename(path, below(root, Buffer.from(randomBytes(8).toString('hex')))))
  for (const name of await openFolder(path)) await removeBelow(root, below(path, name))
  return ifThere(rmdir(path))
}

/** Node's own removal may still be busy elsewhere in the tree when it gives up. */
async function ifThere(removal: Promise<void>): Promise<void> {
  try {
    await removal
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error
  }
}

async function openFolder(folder: Buffer): Promise<Buffer[]> {
  try {
    await chmod(folder, 0o700)
    return await readdir(folder, { encoding: 'buffer' })
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return []
    throw error
  }
}

function below(folder: Buffer, name: Buffer): Buffer {
  return Buffer.concat([folder, Buffer.from('/'), name])
}
