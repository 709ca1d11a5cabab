// Finds the repository and branch from git's own files: starting git would double the time of a command.
import { readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { refuse } from '../../core/error/error.ts'
import type { Environment } from '../../core/values/environment.ts'
import { readableNames } from '../../system/readable-names.ts'

export interface Repository {
  /** Shared by all linked worktrees, like `git rev-parse --git-common-dir`. */
  readonly commonDir: string
  /** The git dir of this worktree. */
  readonly gitDir: string
}

export function findRepository(folder: string, env: Environment): Repository {
  const gitDir = env['GIT_DIR'] ? linkedGitDir(resolve(folder, env['GIT_DIR'])) : discover(folder)
  if (gitDir === null || read(join(gitDir, 'HEAD')) === null) throw refuse('NOT_A_REPOSITORY', { folder })
  return { gitDir, commonDir: commonDir(gitDir, folder, env) }
}

/** `HEAD` where it is detached, like `git rev-parse --abbrev-ref HEAD`. */
export function branchOf({ gitDir }: Repository): string {
  const branch = /^ref: refs\/heads\/(.+)$/m.exec(read(join(gitDir, 'HEAD')) ?? '')?.[1]?.trimEnd()
  // The content of the file in a repository with reftables; no branch can have this name.
  if (branch === '.invalid') throw refuse('BRANCH_UNREADABLE', { folder: gitDir })
  return branch ?? 'HEAD'
}

/** The checkout that belongs to the git dir; null in a bare repository. */
export function worktreeOf({ gitDir, commonDir: common }: Repository, env: Environment): string | null {
  if (env['GIT_WORK_TREE']) return resolve(env['GIT_WORK_TREE'])
  if (gitDir !== common) return dirname((read(join(gitDir, 'gitdir')) ?? '').trimEnd()) || null
  return basename(gitDir) === '.git' ? dirname(gitDir) : null
}

/** The root of the checkout around a folder; the folder itself in a bare repository. */
export function checkoutRoot(folder: string, env: Environment): string {
  return worktreeOf(findRepository(folder, env), env) ?? folder
}

/** The git dir of a checkout that git lists; the common one for the main checkout. */
export function gitDirOfWorktree(common: string, worktree: string): string {
  const linkedDirs = readableNames(join(common, 'worktrees')).map((name) => join(common, 'worktrees', name))
  const dotGit = join(worktree, '.git')
  return (
    linkedDirs.find((gitDir) => resolve(gitDir, (read(join(gitDir, 'gitdir')) ?? '').trimEnd()) === dotGit) ?? common
  )
}

function discover(folder: string): string | null {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const dotGit = join(at, '.git')
    const gitDir = linkedGitDir(dotGit)
    // Skips a folder that is only called .git, as git does.
    if (gitDir !== dotGit || isGitDir(dotGit)) return gitDir
    if (isGitDir(at)) return at
    if (at === dirname(at)) return null
  }
}

/** In a linked worktree and in a submodule `.git` is a file with the path of the git dir. */
function linkedGitDir(path: string): string {
  const link = isFolder(path) ? undefined : /^gitdir: (.+)$/m.exec(read(path) ?? '')?.[1]?.trimEnd()
  return link === undefined ? path : resolve(dirname(path), link)
}

function isGitDir(folder: string): boolean {
  return isFolder(join(folder, 'objects')) && isFolder(join(folder, 'refs')) && read(join(folder, 'HEAD')) !== null
}

function commonDir(gitDir: string, folder: string, env: Environment): string {
  if (env['GIT_COMMON_DIR']) return resolve(folder, env['GIT_COMMON_DIR'])
  const link = read(join(gitDir, 'commondir'))
  return link === null ? gitDir : resolve(gitDir, link.trimEnd())
}

/** The `url` of the remote `origin` as `host/owner/name`; null where there is none. */
export function originOf(repository: Repository): string | null {
  const lines = (read(join(repository.commonDir, 'config')) ?? '').split('\n')
  const start = lines.findIndex((line) => /^\s*\[remote "origin"\]/i.test(line)) + 1
  const length = lines.slice(start).findIndex((line) => /^\s*\[/.test(line))
  const section = start === 0 ? [] : lines.slice(start, length === -1 ? undefined : start + length)
  const url = section.map((line) => /^\s*url\s*=\s*(.+?)\s*$/i.exec(line)?.[1]).find((found) => found !== undefined)
  if (url === undefined) return null
  return url
    .replace(/^[a-z+]+:\/\//, '')
    .replace(/^[^@/]+@/, '')
    .replace(/^([^/:]+):/, '$1/')
    .replace(/(\.git)?\/*$/, '')
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  } catch {
    return false
  }
}
