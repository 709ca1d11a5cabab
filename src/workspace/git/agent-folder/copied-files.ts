// `[workspace] copy`: ignored files of the user's checkout that an app needs to run, such as `.env`. The engine copies
// them into the folders of agents and checks, and never into a tree (see never-taken.ts).
import { constants } from 'node:fs'
import { copyFile, lstat, mkdir, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { GitContext } from '../repository/git-context.ts'
import { ignoredAmong } from '../tree/ignored.ts'
import { removeAll } from '../../../system/remove-all.ts'
import { insideOf } from './sync.ts'
import { callOn } from '../repository/user-repository.ts'
import type { Place } from '../repository/fast-path.ts'

/** Copies are for settings; the setup command makes dependencies. */
const FILES_MAX = 1_000

/** Why a path cannot be copied, in words for the user. */
export async function copyProblems({ user, git, copy }: GitContext): Promise<string[]> {
  const { worktree } = user
  if (worktree === null) return []
  const kinds = new Map<string, Kind>()
  for (const path of copy) kinds.set(path, isInside(path) ? await kindOf(worktree, path) : 'outside')
  const plain = copy.filter((path) => kinds.get(path) === 'file' || kinds.get(path) === 'folder')
  const ignored = await ignoredAmong(git.user, callOn(user), plain.map(latin1))
  return copy.flatMap((path) => {
    const kind = kinds.get(path) ?? 'missing'
    const problem = kind in PROBLEMS || !ignored.has(latin1(path)) ? (PROBLEMS[kind] ?? NOT_IGNORED) : null
    return problem === null ? [] : [`${path} is not copied: ${problem}`]
  })
}

type Kind = 'file' | 'folder' | 'missing' | 'link' | 'outside'

const PROBLEMS: Partial<Record<Kind, string>> = {
  outside: 'name a path inside the checkout',
  missing: 'your checkout has no such file',
  link: 'it is, or lies behind, a link',
}
const NOT_IGNORED = 'git does not ignore it; commit it, or add it to .gitignore'

export async function copyIn(context: GitContext, place: Place): Promise<void> {
  const { git, copy } = context
  const { worktree } = context.user
  if (worktree === null) return
  const files: string[] = []
  for (const path of copy.filter(isInside)) files.push(...(await filesAt(worktree, path)))
  const open: string[] = []
  for (const path of files.slice(0, FILES_MAX)) if (await hasWay(place.folder, path)) open.push(path)
  const ignored = await ignoredAmong(git.engine, insideOf(context, place), open.map(latin1))
  for (const path of open) {
    if (!ignored.has(latin1(path))) continue
    await mkdir(dirname(join(place.folder, path)), { recursive: true })
    // Removed first, so nothing is written through a link that an agent put there.
    await removeAll(join(place.folder, path))
    await copyFile(join(worktree, path), join(place.folder, path), constants.COPYFILE_EXCL)
  }
}

function latin1(path: string): string {
  return Buffer.from(path, 'utf8').toString('latin1')
}

function isInside(path: string): boolean {
  const parts = path.split('/')
  return !path.includes('\0') && parts.every((part) => part !== '' && part !== '.' && part !== '..' && part !== '.git')
}

async function filesAt(root: string, path: string): Promise<string[]> {
  const kind = await kindOf(root, path)
  if (kind !== 'folder') return kind === 'file' ? [path] : []
  const inner: string[] = []
  for (const name of await readdir(join(root, path))) inner.push(...(await filesAt(root, `${path}/${name}`)))
  return inner
}

/** No part of the path may be a link. */
async function kindOf(root: string, path: string): Promise<Kind> {
  if (!(await hasWay(root, path))) return 'link'
  const stats = await lstat(join(root, path)).catch(() => null)
  if (stats === null) return 'missing'
  if (stats.isFile()) return 'file'
  return stats.isDirectory() ? 'folder' : 'link'
}

/** The existing folders above it are folders, not links. */
async function hasWay(root: string, path: string): Promise<boolean> {
  const parts = path.split('/')
  for (let at = 1; at < parts.length; at += 1) {
    const stats = await lstat(join(root, ...parts.slice(0, at))).catch(() => null)
    if (stats === null) return true
    if (!stats.isDirectory()) return false
  }
  return true
}
