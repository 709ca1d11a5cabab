// Reads the user's own repository: HEAD, identity, ignore rules.
import { join } from 'node:path'
import type { CommitId } from '../../../core/values/id.ts'
import { readIfThere } from '../../../system/files.ts'
import type { Git, GitCall } from '../command/git.ts'
import type { Identity } from './git-context.ts'
import type { ObjectFormat } from '../objects/objects.ts'
import type { Environment } from '../../../core/values/environment.ts'

export interface UserRepository {
  /** Shared by all worktrees. */
  readonly commonDir: string
  /** The git dir of this worktree. */
  readonly gitDir: string
  /** Null in a bare repository. */
  readonly worktree: string | null
}

export type UserSettings = ReadonlyMap<string, string>

export async function readSettings(git: Git, user: UserRepository): Promise<UserSettings> {
  const { stdout } = await git.user(['config', '--list', '-z'], callOn(user))
  const entries = stdout.toString('utf8').split('\0').filter(Boolean)
  return new Map(entries.map((entry) => [entry.split('\n', 1)[0] ?? '', entry.slice(entry.indexOf('\n') + 1)]))
}

export function formatOf(settings: UserSettings): ObjectFormat {
  return settings.get('extensions.objectformat') === 'sha256' ? 'sha256' : 'sha1'
}

export function identityOf(settings: UserSettings, env: Environment): Identity {
  const of = (role: 'author' | 'committer', what: 'name' | 'email') =>
    env[`GIT_${role}_${what}`.toUpperCase()] || settings.get(`${role}.${what}`) || settings.get(`user.${what}`)
  const person = (role: 'author' | 'committer') => ({
    name: of(role, 'name') ?? 'Ralph',
    email: of(role, 'email') ?? env['EMAIL'] ?? 'ralph@localhost',
  })
  const signs = /^(true|yes|on|1)$/i.test(settings.get('commit.gpgsign') ?? '')
  const keys = [...settings].filter(([key]) => key === 'user.signingkey' || key.startsWith('gpg.'))
  return {
    author: person('author'),
    committer: person('committer'),
    signing: signs ? keys.map(([key, value]) => `${key}=${value}`) : null,
    isMadeUp: of('author', 'name') === undefined || of('author', 'email') === undefined,
  }
}

/** The user's ignore rules on this machine, beside those in the repository. */
export async function localExcludes(user: UserRepository, settings: UserSettings, env: Environment): Promise<string> {
  const home = env['HOME'] ?? '/nonexistent'
  const named = settings.get('core.excludesfile')?.replace(/^~(?=\/)/, home)
  const usual = join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'git', 'ignore')
  const texts = await Promise.all([join(user.commonDir, 'info', 'exclude'), named ?? usual].map(readIfThere))
  return texts.map((text) => text ?? '').join('\n')
}

export interface UserHead {
  /** Null where nothing was committed yet. */
  readonly commit: CommitId | null
  /** Null where HEAD is detached. */
  readonly branch: string | null
  readonly isDirty: boolean
}

const STATUS = ['--no-optional-locks', 'status', '--porcelain=v2', '-z', '--branch', '--untracked-files=normal']

export async function readHead(git: Git, user: UserRepository): Promise<UserHead> {
  if (user.worktree === null) return readBareHead(git, user)
  const { stdout } = await git.user([...STATUS, '--ignore-submodules=dirty'], callOn(user))
  const lines = stdout.toString('utf8').split('\0').filter(Boolean)
  const told = (what: string) => lines.find((line) => line.startsWith(`# branch.${what} `))?.slice(10 + what.length)
  const commit = told('oid')
  const branch = told('head')
  return {
    commit: commit === undefined || commit === '(initial)' ? null : (commit as CommitId),
    branch: branch === undefined || branch === '(detached)' ? null : branch,
    isDirty: lines.some((line) => !line.startsWith('# ')),
  }
}

/** Null where nothing was committed yet. */
export async function headCommit(git: Git, user: UserRepository): Promise<CommitId | null> {
  const asked = ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']
  const { stdout } = await git.user(asked, { ...callOn(user), answers: [1] })
  return (stdout.toString().trim() || null) as CommitId | null
}

async function readBareHead(git: Git, user: UserRepository): Promise<UserHead> {
  const branch = await git.user(['symbolic-ref', '--quiet', '--short', 'HEAD'], { ...callOn(user), answers: [1] })
  return {
    commit: await headCommit(git, user),
    branch: branch.stdout.toString().trim() || null,
    isDirty: false,
  }
}

export function callOn({ gitDir, commonDir, worktree }: UserRepository): GitCall {
  return { gitDir, commonDir, ...(worktree === null ? {} : { workTree: worktree, cwd: worktree }) }
}
