// Finds changes in the user's checkout while agents work elsewhere: branches and tags, and tracked files. It watches
// nothing; it compares two snapshots, each of one git process and a few small files.
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { CheckoutChanges } from '../../workspace.ts'
import { isFolder, namesIn, readIfThere } from '../../../system/files.ts'
import type { GitContext } from '../repository/git-context.ts'
import { callOn } from '../repository/user-repository.ts'

/** Names and their states in a snapshot. */
type Look = Readonly<Record<'refs' | 'paths', ReadonlyMap<string, string>>>

/** Dirty files that are also compared by their times; with more of them, the checkout is in the middle of something. */
const STAMPED_MAX = 1_000

/** No untracked files: finding them takes as long again, and tools leave them everywhere. */
const STATUS = [
  '--no-optional-locks',
  'status',
  '--porcelain=v2',
  '-z',
  '--untracked-files=no',
  '--ignore-submodules=all',
  '--no-renames',
]

export function startCheckoutChanges(context: GitContext): (ours: readonly string[]) => Promise<CheckoutChanges> {
  let before: Look | null = null
  return async (ours) => {
    const now = { refs: await refsOf(context), paths: await dirtyFiles(context) }
    const [last, isOurs] = [before ?? now, new Set(ours)]
    before = now
    return {
      refs: changedNames(last.refs, now.refs),
      paths: changedNames(last.paths, now.paths).filter((one) => !isOurs.has(one)),
    }
  }
}

function changedNames(before: Look['refs'], now: Look['refs']): string[] {
  const names = new Set([...before.keys(), ...now.keys()])
  return [...names].filter((name) => before.get(name) !== now.get(name)).sort()
}

/** Without remote branches, because editors fetch by themselves, and without the build branches. */
const FOLDERS = ['refs/heads', 'refs/tags']

async function refsOf({ user }: GitContext): Promise<Map<string, string>> {
  const refs = new Map<string, string>()
  const packed = (await readIfThere(join(user.commonDir, 'packed-refs'))) ?? ''
  for (const line of packed.split('\n')) {
    const [id = '', name = ''] = line.split(' ')
    if (isTheirs(name)) refs.set(name, id)
  }
  for (const folder of FOLDERS) await readLoose(user.commonDir, folder, refs)
  const head = (await readIfThere(join(user.gitDir, 'HEAD')))?.trim()
  return refs.set('HEAD', head ?? '')
}

async function readLoose(commonDir: string, name: string, refs: Map<string, string>): Promise<void> {
  for (const part of await namesIn(join(commonDir, name))) {
    const path = `${name}/${part}`
    if (!isTheirs(path) || path.endsWith('.lock')) continue
    if (await isFolder(join(commonDir, path))) await readLoose(commonDir, path, refs)
    else refs.set(path, (await readIfThere(join(commonDir, path)))?.trim() ?? '')
  }
}

function isTheirs(name: string): boolean {
  return FOLDERS.some((folder) => name.startsWith(`${folder}/`)) && !/^refs\/heads\/ralph(\/|$)/.test(name)
}

/** Files that differ from HEAD, with their times. */
async function dirtyFiles({ git, user }: GitContext): Promise<Map<string, string>> {
  const { worktree } = user
  if (worktree === null) return new Map()
  const { stdout } = await git.user(STATUS, callOn(user))
  const lines = stdout.toString('utf8').split('\0')
  const files = lines.flatMap((line): [string, string][] => {
    // `1 XY sub mH mI mW hH hI path`; of a file in conflict `u XY sub m1 m2 m3 mW h1 h2 h3 path`.
    const fields = /^(?:1 (?:\S+ ){7}|u (?:\S+ ){9})/.exec(line)?.[0]
    return fields === undefined ? [] : [[line.slice(fields.length), fields]]
  })
  const stamped = files.map(async ([path, fields], at): Promise<[string, string]> => {
    const stats = at < STAMPED_MAX ? await lstat(join(worktree, path), { bigint: true }).catch(() => null) : null
    return [path, stats === null ? fields : `${fields}${stats.mtimeNs} ${stats.size}`]
  })
  return new Map(await Promise.all(stamped))
}
