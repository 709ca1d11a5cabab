// `[workspace] copy`: ignored files of the user's checkout that an app needs to run, such as `.env`. They are copied into
// the folders of agents and checks, and never into a tree (see never-taken.ts).
import { constants, type Dirent } from 'node:fs'
import { copyFile, lstat, mkdir, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isFolder, removeAll } from './files.ts'
import type { Ground } from './ground.ts'
import type { Place } from './pool.ts'
import { insideOf } from './sync.ts'

/** A copy is for settings, not for dependencies: those are made by the setup command. */
const FILES_MAX = 1_000

/** What lies in the way of each path that is to be copied, in words for the user. */
export async function copyProblems(ground: Ground): Promise<string[]> {
  const { user, git, copy } = ground
  if (copy.length === 0 || user.worktree === null) return []
  const ignored = await ignoredOf(copy, (input) =>
    git.user(['check-ignore', '-z', '--stdin'], {
      gitDir: user.gitDir,
      ...atHome(user.worktree),
      input,
      answers: [1, 128],
    }),
  )
  const problems = copy.map(async (path) => {
    if (!isInside(path)) return `${path} is not copied: name a path inside the checkout`
    const kind = await kindOf(user.worktree ?? '', path)
    if (kind === 'missing') return `${path} is not copied: your checkout has no such file`
    if (kind === 'other') return `${path} is not copied: it is, or lies behind, a link`
    return ignored.has(path)
      ? null
      : `${path} is not copied: git does not ignore it; commit it, or add it to .gitignore`
  })
  return (await Promise.all(problems)).filter((problem) => problem !== null)
}

export async function copyIn({ user, git, copy }: Ground, place: Place): Promise<void> {
  const { worktree } = user
  const paths = copy.filter(isInside)
  if (paths.length === 0 || worktree === null) return
  const ignored = await ignoredOf(paths, (input) =>
    git.engine(['check-ignore', '-z', '--stdin'], { ...insideOf(place), input, answers: [1, 128] }),
  )
  const left = { files: FILES_MAX }
  for (const path of paths) if (ignored.has(path)) await copyPath(worktree, place.folder, path, left)
}

function atHome(worktree: string | null): { workTree: string; cwd: string } {
  return { workTree: worktree ?? '', cwd: worktree ?? '' }
}

async function ignoredOf(
  paths: readonly string[],
  ask: (input: string) => Promise<{ readonly stdout: Buffer }>,
): Promise<Set<string>> {
  const { stdout } = await ask(
    paths
      .filter(isInside)
      .map((path) => `${path}\0`)
      .join(''),
  )
  return new Set(stdout.toString('utf8').split('\0'))
}

function isInside(path: string): boolean {
  const parts = path.split('/')
  return !path.includes('\0') && parts.every((part) => part !== '' && part !== '.' && part !== '..' && part !== '.git')
}

async function copyPath(from: string, to: string, path: string, left: { files: number }): Promise<void> {
  const kind = await kindOf(from, path)
  if (kind === 'folder') {
    for (const { name } of await entriesOf(join(from, path))) await copyPath(from, to, `${path}/${name}`, left)
    return
  }
  if (kind !== 'file' || left.files === 0 || !(await madeParents(to, path))) return
  left.files -= 1
  // Removed first: a link that an agent put there must not be written through.
  await removeAll(join(to, path))
  await copyFile(join(from, path), join(to, path), constants.COPYFILE_EXCL)
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  return (await readdir(folder, { withFileTypes: true })).filter((one) => one.isFile() || one.isDirectory())
}

/** Looks at every part of the path: none may be a link. */
async function kindOf(root: string, path: string): Promise<'file' | 'folder' | 'missing' | 'other'> {
  const parts = path.split('/')
  for (let at = 1; at < parts.length; at += 1) if (!(await isFolder(join(root, ...parts.slice(0, at))))) return 'other'
  const stats = await lstat(join(root, path)).catch(() => null)
  if (stats === null) return 'missing'
  if (stats.isFile()) return 'file'
  return stats.isDirectory() ? 'folder' : 'other'
}

/** False where something else than a folder is in the way. */
async function madeParents(root: string, path: string): Promise<boolean> {
  const parts = dirname(path) === '.' ? [] : dirname(path).split('/')
  for (let at = 1; at <= parts.length; at += 1) {
    const folder = join(root, ...parts.slice(0, at))
    if (await isFolder(folder)) continue
    if ((await lstat(folder).catch(() => null)) !== null) return false
    await mkdir(folder)
  }
  return true
}
