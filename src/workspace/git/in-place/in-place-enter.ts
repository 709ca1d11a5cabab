// A build takes the user's checkout. The checkout must be clean and on a branch, so there is a way back; then it
// switches to the build branch. No hook and no filter runs: a checkout whose files differ from git's content is
// refused.
import { realpath } from 'node:fs/promises'
import { refuse } from '../../../core/error/error.ts'
import type { BuildId, CommitId, TaskId } from '../../../core/values/id.ts'
import type { BuildStart, Version } from '../../workspace.ts'
import { diff } from '../tree/diff.ts'
import { treeOf } from '../repository/commit-trees.ts'
import { branchOf, follow, moveTheirs, showIndex } from './in-place-branch.ts'
import { change, contentOf, indexAs } from './in-place-content.ts'
import { type InPlace, rememberIgnored, takeSlot, type TakenSlot } from './in-place-slot.ts'
import { branchName, branchRef } from '../repository/layout.ts'
import { neverTaken } from '../repository/excluded-paths.ts'
import type { Slot } from '../agent-folder/folder-place.ts'
import { preparePlace } from '../agent-folder/sync.ts'
import { hasObject, takeOver } from '../repository/take-objects.ts'
import { callOn } from '../repository/user-repository.ts'

/** Refuses where a new build could not work here. */
export async function admit(at: InPlace): Promise<void> {
  const { slot } = await takeSlot(at)
  await requireSameBytes(at, slot, requireWayBack(await look(at)).commit)
}

/** `start`: makes the build branch in the engine's repository on the user's HEAD, or finds it there. */
export async function enter(at: InPlace, build: BuildId, start: () => Promise<BuildStart>): Promise<BuildStart> {
  const taken = await takeSlot(at)
  const seen = await look(at)
  if (seen.branch === branchName(build)) {
    const started = await start()
    await rememberIgnored(at, taken.slot, 'more')
    await follow(at, taken.slot, build)
    return { ...started, isDirty: false }
  }
  const back = requireWayBack(seen)
  await requireNotElsewhere(at, build)
  await requireSameBytes(at, taken.slot, back.commit)
  const started = await start()
  await rememberIgnored(at, taken.slot, 'anew')
  await switchTo(at, taken, build, back.commit, started)
  const moved = `your checkout is on ${branchName(build)} now, where the agent works; 'git switch ${back.branch}' brings you back when the build is over or paused`
  return { ...started, isDirty: false, moved }
}

interface Seen {
  readonly branch: string | null
  readonly commit: CommitId | null
  readonly dirty: readonly string[]
}

const STATUS = ['--no-optional-locks', 'status', '--porcelain=v2', '-z', '--branch', '--untracked-files=normal']

async function look({ context, ours }: InPlace): Promise<Seen> {
  const { stdout } = await context.git.user(
    [...STATUS, '--no-renames', '--ignore-submodules=dirty'],
    callOn(context.user),
  )
  const lines = stdout.toString('utf8').split('\0').filter(Boolean)
  const told = (what: string) => lines.find((line) => line.startsWith(`# branch.${what} `))?.slice(10 + what.length)
  const [commit, branch] = [told('oid'), told('head')]
  const isOurs = neverTaken(ours)
  const paths = lines.flatMap((line) => /^(?:1 (?:\S+ ){7}|u (?:\S+ ){9}|\? )(.+)$/s.exec(line)?.[1] ?? [])
  return {
    branch: branch === undefined || branch === '(detached)' ? null : branch,
    commit: commit === undefined || commit === '(initial)' ? null : (commit as CommitId),
    dirty: paths.filter((path) => !isOurs(Buffer.from(path).toString('latin1'))),
  }
}

const PATHS_SHOWN_MAX = 5

function requireWayBack({ branch, commit, dirty }: Seen): { readonly branch: string; readonly commit: CommitId } {
  if (branch === null) throw refuse('CHECKOUT_DETACHED')
  if (commit === null) throw refuse('CHECKOUT_UNBORN')
  const more = dirty.length - PATHS_SHOWN_MAX
  const paths = dirty.slice(0, PATHS_SHOWN_MAX).join(', ') + (more > 0 ? ` and ${more} more` : '')
  if (dirty.length > 0) throw refuse('CHECKOUT_DIRTY', { paths })
  return { branch, commit }
}

/** Git allows a branch in one checkout only. */
async function requireNotElsewhere({ context, worktree }: InPlace, build: BuildId): Promise<void> {
  const { git, user } = context
  const { stdout } = await git.user(['worktree', 'list', '--porcelain', '-z'], { gitDir: user.commonDir })
  for (const record of stdout.toString('utf8').split('\0\0')) {
    const folder = /^worktree ([^\0]+)/.exec(record)?.[1]
    const isOnIt = record.split('\0').includes(`branch ${branchRef(build)}`)
    if (folder === undefined || !isOnIt || (await sameFolder(folder, worktree))) continue
    throw refuse('CHECKOUT_ELSEWHERE', { branch: branchName(build), folder })
  }
}

async function sameFolder(one: string, other: string): Promise<boolean> {
  const [real, same] = await Promise.all([one, other].map((path) => realpath(path).catch(() => path)))
  return real === same
}

/**
 * The engine reads and writes plain bytes: line-end conversion, filters or a sparse checkout would show up as changes.
 */
async function requireSameBytes(at: InPlace, slot: Slot, commit: CommitId): Promise<void> {
  const { context } = at
  if (!(await hasObject(context, commit))) await takeOver(context, commit)
  const tree = await treeOf(context, commit)
  await preparePlace(context, slot, commit)
  await indexAs(at, slot, tree)
  const found = await contentOf(at, slot)
  if (found === tree) return
  const { files } = await diff(context, tree, found)
  throw refuse('CHECKOUT_CONVERTED', { path: files[0]?.path ?? 'a file' })
}

/** HEAD first: after a crash the checkout is known to be half switched, and the next acquire finishes it. */
async function switchTo(
  at: InPlace,
  { slot }: TakenSlot,
  build: BuildId,
  from: CommitId,
  { commit, tree }: Version,
): Promise<void> {
  const { git, user, now } = at.context
  const record = { holder: null, tree, at: now() }
  const { theirs } = await branchOf(at, build)
  await at.pool.write(slot, { ...record, whole: false })
  if (theirs === null) await moveTheirs(at, build, null, commit)
  const message = `checkout: moving from ${(await look(at)).branch} to ${branchName(build)}`
  await git.user(['symbolic-ref', '-m', message, 'HEAD', branchRef(build)], callOn(user))
  const before = await treeOf(at.context, from)
  await change(at, slot, before, tree, { build, task: 'switch' as TaskId })
  if (before !== tree) await showIndex(at, slot, { commit, tree })
  await follow(at, slot, build)
  await at.pool.write(slot, { ...record, whole: true })
}
