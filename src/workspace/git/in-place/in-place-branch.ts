// The build branch, checked out in the user's own checkout. The engine's branch is the truth; the user's ref and index
// follow it by compare-and-swap, and a person's own commits are never overwritten.
import { open, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { refuse } from '../../../core/error/error.ts'
import type { BuildId, CommitId } from '../../../core/values/id.ts'
import { errnoOf } from '../../../system/errno.ts'
import type { Version } from '../../workspace.ts'
import { headOf } from '../repository/branch.ts'
import { readIfThere } from '../../../system/files.ts'
import type { GitContext } from '../repository/git-context.ts'
import { indexAs } from './in-place-content.ts'
import type { InPlace } from './in-place-slot.ts'
import { branchName, branchRef } from '../repository/layout.ts'
import type { Slot } from '../agent-folder/folder-place.ts'
import { readRef } from '../repository/refs.ts'
import { FETCH, hasObject, takeOver } from '../repository/take-objects.ts'

/** The committer of an agent's commits in the checkout, which tells them from a person's. */
const AGENT_ADDRESS = 'agent@ralph.invalid'
export const AGENT_ENV = { GIT_COMMITTER_NAME: 'An agent of Ralph', GIT_COMMITTER_EMAIL: AGENT_ADDRESS }

export interface Standing {
  /** The user's branch; null where it was deleted. */
  readonly theirs: CommitId | null
  /** The engine's branch. */
  readonly head: Version
  /** Commits that an agent put on top, for a pin to hold. */
  readonly agentCommits: readonly CommitId[]
}

export async function isHere({ context }: InPlace, build: BuildId): Promise<boolean> {
  return (await headName(context)) === branchName(build)
}

/** Refuses where the checkout is on another branch, or a person has committed on this one. */
export async function standing(at: InPlace, build: BuildId): Promise<Standing> {
  const branch = branchName(build)
  const name = await headName(at.context)
  if (name !== branch) throw refuse('CHECKOUT_LEFT', { build, branch, folder: at.worktree, name: name ?? 'no branch' })
  return branchOf(at, build)
}

/** The same for the branch alone, wherever the checkout is. */
export async function branchOf({ context }: InPlace, build: BuildId): Promise<Standing> {
  const head = await headOf(context, build)
  const theirs = await readRef(context.user.commonDir, branchRef(build))
  if (theirs === null || theirs === head.commit) return { theirs, head, agentCommits: [] }
  if (!(await hasObject(context, theirs))) await takeOver(context, theirs)
  const added = await commitsOn(context, theirs, head.commit)
  const foreign = added.find(({ committer }) => committer !== AGENT_ADDRESS)
  if (foreign !== undefined) {
    const [commit, own] = [foreign.id.slice(0, 10), head.commit.slice(0, 10)]
    throw refuse('CHECKOUT_COMMITTED', { branch: branchName(build), commit, head: own })
  }
  return { theirs, head, agentCommits: added.length === 0 ? [] : [theirs] }
}

async function headName({ user }: GitContext): Promise<string | null> {
  return /^ref: refs\/heads\/(.+)$/m.exec((await readIfThere(join(user.gitDir, 'HEAD'))) ?? '')?.[1] ?? null
}

const COMMITS_MAX = 10_000

async function commitsOn(
  { git, paths }: GitContext,
  tip: CommitId,
  head: CommitId,
): Promise<{ id: string; committer: string }[]> {
  const { stdout } = await git.engine(['log', `--max-count=${COMMITS_MAX}`, '--format=%H %ce', tip, `^${head}`, '--'], {
    gitDir: paths.repo,
  })
  const lines = stdout.toString('utf8').split('\n').filter(Boolean)
  return lines.map((line) => ({ id: line.slice(0, line.indexOf(' ')), committer: line.slice(line.indexOf(' ') + 1) }))
}

/** The index first: after a crash between the two, the ref shows it. */
export async function follow(at: InPlace, slot: Slot, build: BuildId): Promise<void> {
  const { theirs, head } = await standing(at, build)
  if (theirs === head.commit) return
  await showIndex(at, slot, head)
  await moveTheirs(at, build, theirs, head.commit)
}

export async function moveTheirs(
  { context }: InPlace,
  build: BuildId,
  from: CommitId | null,
  to: CommitId,
): Promise<void> {
  const { git, paths, user } = context
  const call = { gitDir: user.gitDir, commonDir: user.commonDir, cwd: user.commonDir }
  await git.user(['-c', 'protocol.version=2', ...FETCH, '--quiet', '--end-of-options', paths.repo, to], call)
  const old = from ?? '0'.repeat(to.length)
  await git.user(['update-ref', '-m', 'ralph: verified and merged', branchRef(build), to, old], call)
}

/** Sets the user's index to this version: only real differences in the checkout show as changed. */
export async function showIndex(at: InPlace, slot: Slot, { tree }: Version): Promise<void> {
  await indexAs(at, slot, tree)
  const from = join(slot.gitDir, 'index')
  const [bytes, { atime, mtime }] = [await readFile(from), await stat(from)]
  const { gitDir } = at.context.user
  const lock = join(gitDir, 'index.lock')
  await takeLock(lock, bytes)
  try {
    // Git uses this time to tell which files may have changed within the same moment.
    await utimes(lock, atime, mtime)
    await rename(lock, join(gitDir, 'index'))
  } catch (error) {
    await rm(lock, { force: true })
    throw error
  }
}

/** A person's git holds it for some milliseconds; an editor's, in a large repository, for a second. */
const LOCK_TRIES = 50
const LOCK_PAUSE_MS = 100

/** As git does it: the process that creates the file may write the index. */
async function takeLock(path: string, bytes: Buffer): Promise<void> {
  for (let left = LOCK_TRIES; ; left -= 1) {
    try {
      const file = await open(path, 'wx', 0o644)
      try {
        await file.writeFile(bytes)
      } finally {
        await file.close()
      }
      return
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw error
      if (left === 0) throw refuse('GIT_LOCKED', { path }, error)
      await sleep(LOCK_PAUSE_MS)
    }
  }
}
