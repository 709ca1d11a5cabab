// Pinned work, written into a new folder for the user.
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { refuse } from '../../../core/error/error.ts'
import { errnoOf } from '../../../system/errno.ts'
import type { GitContext } from '../repository/git-context.ts'
import { pinnedTree } from '../repository/pins.ts'

export async function restore(context: GitContext, ref: string, folder: string): Promise<void> {
  const { git, paths } = context
  const tree = await pinnedTree(context, ref)
  const workTree = resolve(folder)
  await requireEmpty(workTree)
  const indexFile = join(paths.state, `index.${randomBytes(6).toString('hex')}`)
  try {
    const call = { gitDir: paths.repo, workTree, cwd: workTree, indexFile }
    await git.engine(['read-tree', '-m', '-u', '--end-of-options', tree], call)
  } finally {
    await rm(indexFile, { force: true })
  }
}

async function requireEmpty(folder: string): Promise<void> {
  const mend = 'name a new folder'
  try {
    await mkdir(folder, { recursive: true })
    if ((await readdir(folder)).length === 0) return
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') throw refuse('FILE_EXISTS', { path: folder, mend })
    throw refuse('FILE_UNWRITABLE', { path: folder, reason: errnoOf(error) }, error)
  }
  throw refuse('FILE_EXISTS', { path: folder, mend })
}
