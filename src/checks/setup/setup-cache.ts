// The products of a setup, kept for the next checkout. One checkout at a time uses a cached setup, which moves there by
// renaming and so costs nothing. Nothing is shared, so a check that writes into node_modules spoils at most its own
// cached setup, and that is noticed before the next use: new files are removed, and where a product of the setup has
// changed, the cached setup is deleted and the setup runs again.
//
//   made by a setup ──> given to a checkout ── release ──> parked ── take, looked over ──> given …
//
//   <key>/<id>/outfit.json     what and for whom
//              stock.home, stock.<n>
//              home/           HOME during setup and checks; stays where it is, tools note absolute paths in it
//              holder          the checkout that has it
//              parked/<n>      or given/: the name tells whether it is free, and renaming it takes it
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { TreeId } from '../../core/values/id.ts'
import { writeWhole } from '../../system/files.ts'
import { removeAll } from '../../system/remove-all.ts'
import { isRealFolder, isThere } from './folders.ts'
import { readManifest, restoreManifest, type FileManifest, writtenManifest } from './file-manifest.ts'
import { readableNames } from '../../system/readable-names.ts'

export interface CachedSetupRecord {
  /** The checkout that it was made in; the only one that can use it where `isMovable` is false. */
  readonly folder: string
  readonly isMovable: boolean
  /** The only tree that it fits; null: any with the same key. */
  readonly tree: TreeId | null
  readonly paths: readonly string[]
}

export interface CachedSetup {
  readonly place: string
  readonly record: CachedSetupRecord
}

export interface SetupRequest {
  readonly key: string
  readonly folder: string
  readonly tree: TreeId
}

/** A cached setup is trusted after a power cut, so its files are flushed. */
const LASTING = { mode: 0o600, flushed: true } as const

export function homeOf(place: string): string {
  return join(place, 'home')
}

/** A place for a setup to fill; it is no cached setup until `settle`. */
export async function newPlace(root: string, { key, folder }: SetupRequest): Promise<string> {
  const place = join(root, key, randomBytes(8).toString('hex'))
  await mkdir(homeOf(place), { recursive: true })
  await writeWhole(join(place, 'holder'), folder, LASTING)
  await mkdir(join(place, 'given'))
  return place
}

export async function settle(
  place: string,
  record: CachedSetupRecord,
  manifests: readonly FileManifest[],
): Promise<CachedSetup> {
  const names = ['home', ...record.paths.keys()]
  for (const [at, manifest] of manifests.entries())
    await writeWhole(join(place, `stock.${names[at]}`), writtenManifest(manifest), LASTING)
  await writeWhole(join(place, 'outfit.json'), JSON.stringify(record), LASTING)
  return { place, record }
}

/** Moves a fitting cached setup into the checkout; null where there is none. */
export async function take(root: string, wanted: SetupRequest): Promise<CachedSetup | null> {
  for (const id of readableNames(join(root, wanted.key))) {
    const place = join(root, wanted.key, id)
    const record = await recordIn(place)
    if (record === null || !fits(record, wanted) || !(await isFree(record, wanted.folder))) continue
    if (!(await isMoved(join(place, 'parked'), join(place, 'given')))) continue
    const cached = { place, record }
    await writeWhole(join(place, 'holder'), wanted.folder, LASTING)
    if ((await isPristine(cached)) && (await moveIn(cached, wanted.folder))) return cached
    await removeAll(place)
  }
  return null
}

function fits({ folder, isMovable, tree }: CachedSetupRecord, wanted: SetupRequest): boolean {
  return (isMovable || folder === wanted.folder) && (tree === null || tree === wanted.tree)
}

/** Whether the tree leaves room: products of the setup must not cover files of the tree, nor lie behind a link. */
async function isFree({ paths }: CachedSetupRecord, folder: string): Promise<boolean> {
  for (const path of paths) {
    const parent = dirname(path)
    if ((await isThere(join(folder, path))) || !(await isRealFolder(folder, parent))) return false
  }
  return true
}

async function isPristine({ place, record }: CachedSetup): Promise<boolean> {
  const roots = new Map([['home', homeOf(place)]])
  for (const at of record.paths.keys()) roots.set(String(at), join(place, 'given', String(at)))
  try {
    for (const [name, root] of roots) {
      const manifest = readManifest(await readFile(join(place, `stock.${name}`), 'utf8'))
      const isFolder = (await stat(root)).isDirectory()
      if (isFolder && (await restoreManifest(root, manifest)) === 'changed') return false
      if (!isFolder && manifest.get('') !== (await contentStamp(root))) return false
    }
    return true
  } catch {
    return false
  }
}

/** The stamp of a single file that moves: moving changes its times. */
export async function contentStamp(path: string): Promise<string> {
  return (await readFile(path)).toString('base64')
}

async function moveIn({ place, record }: CachedSetup, folder: string): Promise<boolean> {
  for (const [at, path] of record.paths.entries()) {
    if (await isMoved(join(place, 'given', String(at)), join(folder, path))) continue
    for (const before of record.paths.slice(0, at)) await removeAll(join(folder, before))
    return false
  }
  return true
}

/**
 * Each folder has one user, so a cached setup still given to it was left by a process that died or did not release it.
 */
export async function reclaim(root: string, folder: string): Promise<void> {
  for (const place of await placesIn(root)) {
    if ((await textIn(join(place, 'holder'))) !== folder || !(await isThere(join(place, 'given')))) continue
    const record = await recordIn(place)
    if (record === null) await removeAll(place)
    else await park({ place, record }, folder)
  }
}

/** Takes it back from the checkout; where a part is gone, the rest is useless. */
export async function park(cached: CachedSetup, folder: string): Promise<void> {
  const { place, record } = cached
  for (const [at, path] of record.paths.entries()) {
    const isInside = await isRealFolder(folder, dirname(path))
    if (isInside && (await isMoved(join(folder, path), join(place, 'given', String(at))))) continue
    await removeAll(place)
    return
  }
  const now = new Date()
  await utimes(join(place, 'outfit.json'), now, now)
  await isMoved(join(place, 'given'), join(place, 'parked'))
}

async function isMoved(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to)
    return true
  } catch {
    return false
  }
}

async function recordIn(place: string): Promise<CachedSetupRecord | null> {
  try {
    return JSON.parse((await textIn(join(place, 'outfit.json'))) ?? '') as CachedSetupRecord
  } catch {
    return null
  }
}

async function textIn(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(() => null)
}

function placesIn(root: string): string[] {
  return readableNames(root).flatMap((key) => readableNames(join(root, key)).map((id) => join(root, key, id)))
}

/**
 * Removes the least recently used first. One that is given out or half made stays until it is older than any check can
 * run.
 */
export async function prune(root: string, limit: number, now: number): Promise<void> {
  const aged = await Promise.all(
    placesIn(root).map(async (place) => {
      const times = await stat(join(place, 'outfit.json')).catch(() => stat(place).catch(() => ({ mtimeMs: now })))
      return { place, at: times.mtimeMs, isParked: await isThere(join(place, 'parked')) }
    }),
  )
  const lost = aged.filter(({ at, isParked }) => !isParked && now - at > GIVEN_MAX_MS)
  const parked = aged.filter(({ isParked }) => isParked).sort((one, other) => other.at - one.at)
  for (const { place } of [...lost, ...parked.slice(limit)]) await removeAll(place)
}

/** The longest time limit of a check is a day. */
const GIVEN_MAX_MS = 2 * 24 * 60 * 60 * 1000
