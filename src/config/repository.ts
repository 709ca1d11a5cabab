// Which repository and branch we are in, read from the files git keeps: starting git would double the time of a command.
import { readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { refuse } from '../core/error.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface Repository {
  /** Shared by all linked worktrees; what `git rev-parse --git-common-dir` says. */
  readonly commonDir: string
  /** This worktree's own. */
  readonly gitDir: string
  /** `HEAD` where it is detached, as `git rev-parse --abbrev-ref HEAD` says. */
  readonly branch: string
}

export function findRepository(folder: string, env: Environment): Repository {
  const gitDir = env['GIT_DIR'] ? resolve(folder, env['GIT_DIR']) : discover(folder)
  if (gitDir === null) throw refuse('NOT_A_REPOSITORY', { folder })
  const head = read(join(gitDir, 'HEAD'))
  if (head === null) throw refuse('NOT_A_REPOSITORY', { folder })
  return { gitDir, commonDir: commonDir(gitDir, env), branch: /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1] ?? 'HEAD' }
}

function discover(folder: string): string | null {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const dotGit = join(at, '.git')
    if (isFolder(dotGit)) return dotGit
    const link = /^gitdir: (.+)$/m.exec(read(dotGit) ?? '')?.[1]
    if (link !== undefined) return resolve(at, link)
    if (isBare(at)) return at
    if (at === dirname(at)) return null
  }
}

function isBare(folder: string): boolean {
  return isFolder(join(folder, 'objects')) && isFolder(join(folder, 'refs')) && read(join(folder, 'HEAD')) !== null
}

function commonDir(gitDir: string, env: Environment): string {
  if (env['GIT_COMMON_DIR']) return resolve(env['GIT_COMMON_DIR'])
  const link = read(join(gitDir, 'commondir'))
  return link === null ? gitDir : resolve(gitDir, link.trim())
}

/** The `url` of the remote `origin` as `host/owner/name`; null where there is none. */
export function originOf(repository: Repository): string | null {
  const section = /^\s*\[remote "origin"\]([^[]*)/m.exec(read(join(repository.commonDir, 'config')) ?? '')?.[1]
  const url = /^\s*url\s*=\s*(\S+)/m.exec(section ?? '')?.[1]
  if (url === undefined) return null
  return url
    .replace(/^[a-z+]+:\/\//, '')
    .replace(/^[^@/]+@/, '')
    .replace(/^([^/:]+):/, '$1/')
    .replace(/\.git\/?$/, '')
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
