// The user's own repository, where shipping ends: the base branch, its checkout, the remote.
import { gitDirOfWorktree } from '../../config/paths/repository.ts'
import { refuse } from '../../core/error/error.ts'
import type { CommitId, TreeId } from '../../core/values/id.ts'
import { askGit, callProgram, plainGit, type RepositoryPlace, type ProgramOutput } from '../builds/plain-git.ts'

/** Enough for a push over a slow line, or a user's hook that runs tests first. */
const LIMIT_MS = 30 * 60_000

function ask(user: RepositoryPlace, ...args: readonly string[]): Promise<ProgramOutput> {
  return askGit(user, args, LIMIT_MS)
}

export async function commitAt(user: RepositoryPlace, name: string): Promise<CommitId | null> {
  const { code, stdout } = await ask(user, 'rev-parse', '--verify', '--quiet', '--end-of-options', name)
  return code === 0 ? (stdout as CommitId) : null
}

/**
 * If the checkout is on a branch without commits, the branch begins with the first commit of the build. Null: it is
 * another branch, which is not created implicitly.
 */
export async function startOfUnborn(user: RepositoryPlace, branch: string, head: CommitId): Promise<CommitId | null> {
  const { stdout } = await ask(user, 'symbolic-ref', '--quiet', 'HEAD')
  if (stdout !== `refs/heads/${branch}` || (await commitAt(user, 'HEAD')) !== null) return null
  const roots = await plainGit(user, 'rev-list', '--first-parent', '--max-parents=0', head, '--')
  return (roots.split('\n')[0] as CommitId | undefined) ?? null
}

/** On the branch and not on base, oldest first. */
export async function commitsBeyond(user: RepositoryPlace, base: string, branch: string): Promise<CommitId[]> {
  const found = await plainGit(user, 'rev-list', '--first-parent', '--reverse', `${base}..${branch}`, '--')
  return found.split('\n').filter(Boolean) as CommitId[]
}

export async function isAncestor(user: RepositoryPlace, one: string, other: string): Promise<boolean> {
  return (await ask(user, 'merge-base', '--is-ancestor', one, other)).code === 0
}

export interface LandedText {
  readonly tree: TreeId
  readonly message: string
  readonly note: string | null
}

export async function readLanded(user: RepositoryPlace, commit: string): Promise<LandedText> {
  const tree = (await plainGit(user, 'rev-parse', '--verify', `${commit}^{tree}`)) as TreeId
  const message = await plainGit(user, 'show', '--no-patch', '--format=%B', commit)
  const note = await ask(user, 'notes', '--ref', 'ralph', 'show', commit)
  return { tree, message, note: note.code === 0 ? note.stdout : null }
}

/** The checkout of the branch; null where there is none. */
async function checkoutOf(user: RepositoryPlace, branch: string): Promise<RepositoryPlace | null> {
  const entries = (await plainGit(user, 'worktree', 'list', '--porcelain')).split('\n\n')
  const entry = entries.find((lines) => lines.split('\n').includes(`branch refs/heads/${branch}`))
  const folder = /^worktree (.*)$/m.exec(entry ?? '')?.[1]
  if (folder === undefined) return null
  const { commonDir } = user
  return { env: user.env, folder, workTree: folder, commonDir, gitDir: gitDirOfWorktree(commonDir, folder) }
}

/**
 * Fast-forward only. A checkout of the branch moves too, unless that would overwrite the user's changes. No hook runs,
 * since its code may have come with the build.
 */
export async function forward(
  user: RepositoryPlace,
  branch: string,
  from: CommitId | null,
  to: CommitId,
): Promise<void> {
  const checkout = await checkoutOf(user, branch)
  if (checkout === null) {
    await plainGit(user, 'update-ref', '-m', 'ralph ship', `refs/heads/${branch}`, to, from ?? '0'.repeat(to.length))
    return
  }
  const merged = await ask(checkout, '-c', 'core.hooksPath=/dev/null', 'merge', '--ff-only', '--quiet', to)
  if (merged.code !== 0)
    throw refuse('SHIP_OVERLAP', { branch, folder: checkout.folder, reason: merged.stderr.split('\n').join(' ') })
}

export async function push(user: RepositoryPlace, branches: readonly string[]): Promise<string> {
  const [first = ''] = branches
  const named = await ask(user, 'config', '--get', `branch.${first}.remote`)
  const remote = named.code === 0 ? named.stdout : 'origin'
  const refs = [...branches.map((branch) => `refs/heads/${branch}`), 'refs/notes/ralph']
  const pushed = await ask(user, 'push', '--atomic', remote, ...refs)
  if (pushed.code !== 0) throw refuse('PUSH_FAILED', { remote, reason: pushed.stderr.split('\n').join(' ') })
  return remote
}

export interface PullRequest {
  readonly base: string
  readonly branch: string
  readonly title: string
  readonly body: string
}

/** Returns its address. */
export async function openPullRequest(
  user: RepositoryPlace,
  { base, branch, title, body }: PullRequest,
): Promise<string> {
  const args = ['pr', 'create', '--base', base, '--head', branch, '--title', title, '--body', body]
  const made = await callProgram(user, ['gh', ...args], LIMIT_MS)
  if (made.code !== 0) throw refuse('PULL_REQUEST_FAILED', { reason: made.stderr.split('\n').join(' ') })
  return made.stdout.split('\n').at(-1) ?? ''
}
