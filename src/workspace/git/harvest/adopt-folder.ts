// The content of a folder that a person names.
import { randomBytes } from 'node:crypto'
import { copyFile, mkdir, realpath, stat, utimes } from 'node:fs/promises'
import { isAbsolute, join, resolve } from 'node:path'
import type { CommitId, TreeId } from '../../../core/values/id.ts'
import { readIfThere } from '../../../system/files.ts'
import type { GitContext } from '../repository/git-context.ts'
import { gather, reasonOf } from './harvest.ts'
import { removeAll } from '../../../system/remove-all.ts'
import { insideOf, preparePlace } from '../agent-folder/sync.ts'
import { hasObject, takeOver } from '../repository/take-objects.ts'
import { readHead } from '../repository/user-repository.ts'

export type TakenIn =
  /** `base`: the commit that the tree is based on; null where it is unknown. */
  | { readonly taken: true; readonly tree: TreeId; readonly base: CommitId | null }
  | { readonly taken: false; readonly reason: string }

/**
 * Reads the folder like an agent's: with the engine's git dir and a temporary index, so programs that use the folder's
 * own index are not disturbed.
 */
export async function takeFolderContent(
  context: GitContext,
  folder: string,
  base: CommitId,
  knownGitDir: string | null,
): Promise<TakenIn> {
  return withScratch(context, async (gitDir) => {
    const place = { folder, gitDir }
    await preparePlace(context, place, base)
    if (knownGitDir === null)
      await context.git.engine(['read-tree', '--end-of-options', base], insideOf(context, place))
    else await copyIndex(join(knownGitDir, 'index'), join(gitDir, 'index'))
    const { tree, problems, written } = await gather(context, place, 'all')
    await written
    context.indexes.forget(place)
    return tree === null ? { taken: false, reason: reasonOf(problems) } : { taken: true, tree, base }
  })
}

/** Reads a checkout with the user's own settings: line ends and filters are as in the user's own commits. */
export async function takeCheckout(context: GitContext, worktree: string): Promise<TakenIn> {
  const { git, user, paths } = context
  const gitDir = await gitDirOf(user.commonDir, worktree)
  const { commit } = await readHead(git, { commonDir: user.commonDir, gitDir, worktree })
  if (commit !== null && !(await hasObject(context, commit))) await takeOver(context, commit)
  return withScratch(context, async (scratch) => {
    const indexFile = join(scratch, 'index')
    await copyIndex(join(gitDir, 'index'), indexFile).catch(() => {})
    const call = {
      gitDir,
      commonDir: user.commonDir,
      workTree: worktree,
      cwd: worktree,
      indexFile,
      // New objects go into our repository; the user's is only read.
      env: {
        GIT_OBJECT_DIRECTORY: paths.objects,
        GIT_ALTERNATE_OBJECT_DIRECTORIES: join(user.commonDir, 'objects'),
      },
    }
    await git.user(['add', '--all', '--', '.'], call)
    const { stdout } = await git.user(['write-tree'], call)
    return { taken: true, tree: stdout.toString().trim() as TreeId, base: commit }
  })
}

/**
 * Keeps the time: git notices an edit of the same length within one second only where the file is not older than the
 * index.
 */
async function copyIndex(from: string, to: string): Promise<void> {
  const { atime, mtime } = await stat(from)
  await copyFile(from, to)
  await utimes(to, atime, mtime)
}

export async function worktreesOf({ git, user }: GitContext): Promise<string[]> {
  const { stdout } = await git.user(['worktree', 'list', '--porcelain', '-z'], { gitDir: user.commonDir })
  const records = stdout
    .toString('utf8')
    .split('\0\0')
    .filter((record) => !/\0bare(\0|$)/.test(record))
  const paths = records.flatMap((record) => /^worktree ([^\0]+)/.exec(record)?.[1] ?? [])
  const real = paths.map((path) => realpath(path).catch(() => path))
  const own = user.worktree === null ? [] : [await realpath(user.worktree)]
  return [...new Set([...own, ...(await Promise.all(real))])]
}

async function gitDirOf(commonDir: string, worktree: string): Promise<string> {
  const link = /^gitdir: (.+)$/m.exec((await readIfThere(join(worktree, '.git'))) ?? '')?.[1]
  if (link === undefined) return commonDir
  return isAbsolute(link) ? link : resolve(worktree, link)
}

async function withScratch<Value>({ paths }: GitContext, use: (folder: string) => Promise<Value>): Promise<Value> {
  const folder = join(paths.state, 'scratch', randomBytes(6).toString('hex'))
  await mkdir(folder, { recursive: true })
  try {
    return await use(folder)
  } finally {
    await removeAll(folder)
  }
}
