// Workspaces for agents that work in the user's own checkout (`ralph build --in-place`): for projects whose apps need
// their ignored files, databases, or a huge node_modules. A layer over the others, which replaces only the agent's
// folder: checks run in separate folders, and the checkout follows the engine's branch.
import { mkdir, realpath, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { taskIn } from '../../../core/builds/commit-message.ts'
import { refuse } from '../../../core/error/error.ts'
import type { BuildId, CommitId, TaskId, TreeId } from '../../../core/values/id.ts'
import { SCRATCHPAD_FILE, SCRATCHPADS_FOLDER } from '../../../core/session/scratchpad.ts'
import type { AttemptMark, Harvest, Version, Workspace, Workspaces } from '../../workspace.ts'
import { type Content, type AcquireOptions, baseOf } from '../pool/acquire.ts'
import { type Source, adopt } from '../harvest/adopt.ts'
import { headOf } from '../repository/branch.ts'
import { mergeTrees, commitOf, runMergeTree } from '../merge/merge-trees.ts'
import { isFolder, writeWhole } from '../../../system/files.ts'
import type { GitContext } from '../repository/git-context.ts'
import { gather, reasonOf } from '../harvest/harvest.ts'
import { findFolder, type WhoseFolder } from '../agent-folder/folder-owners.ts'
import { AGENT_ENV, follow, isHere, showIndex, standing } from './in-place-branch.ts'
import { change, contentOf, keepSafe } from './in-place-content.ts'
import { admit, enter } from './in-place-enter.ts'
import {
  type InPlace,
  type InPlaceRecord,
  inPlaceAt,
  readingContext,
  slotIfFree,
  takeSlot,
  type TakenSlot,
} from './in-place-slot.ts'
import { startMirror } from '../mirror/mirror.ts'
import { pin } from '../repository/pins.ts'
import type { Holder, Slot } from '../agent-folder/folder-place.ts'
import { removeAll } from '../../../system/remove-all.ts'

/** `apart`: the same repository with separate folders. `ours`: files of the checkout that Ralph writes itself. */
export async function workInPlace(
  context: GitContext,
  apart: Workspaces,
  ours: readonly string[],
): Promise<Workspaces> {
  if (context.user.worktree === null) throw refuse('CHECKOUT_MISSING')
  const at = inPlaceAt(context, await realpath(context.user.worktree), ours)
  const { pool } = at
  const mirrorRest = startMirror({ ...context, mirrors: 'all-but-branch' })
  return {
    ...apart,
    admit: async () => {
      await admit(at)
      await apart.admit()
    },
    startBuild: (build) => enter(at, build, () => apart.startBuild(build)),
    acquire: (build, task, start, mode) => acquire(at, { build, task, start, mode }),
    handOver: (workspace, task, start, mode) => handOver(at, workspace, { build: workspace.build, task, start, mode }),
    find: async (build, task) => {
      const found = await findFolder(pool, { build, task })
      return found === null ? null : shared(found)
    },
    baseOf: (build, task, tree) => baseOf(context, pool, { build, task }, tree),
    harvest: (workspace, mark) => harvest(at, workspace, mark),
    release: (workspace) => release(at, workspace),
    rebase: (workspace, base, tree) => rebase(at, workspace, { base, tree }),
    commitToBranch: (...landing) => commitToBranch(at, () => apart.commitToBranch(...landing), landing),
    adopt: (from, mark) => adoptHere(at, apart, from, mark),
    mirror: async (build) => ((await isHere(at, build)) ? mirrorRest(build) : apart.mirror(build)),
    // Agents are expected to change it.
    checkoutChanges: async () => ({ refs: [], paths: [] }),
  }
}

/** Continues with this task's own content; any other content is pinned before it is changed. */
async function acquire(at: InPlace, wanted: AcquireOptions): Promise<Workspace> {
  const { context } = at
  const taken = await takeSlot(at)
  const { slot, record } = taken
  const head = (await standing(at, wanted.build)).head
  const start = wanted.start ?? head.tree
  const isIts = record.whole && isHeldBy(record, wanted)
  if (isIts && (wanted.mode === 'keep' || record.tree === start)) {
    await scratchpads(at, wanted.mode)
    return workspaceIn(slot, record.holder)
  }
  const content = await contentFor(at, wanted, head)
  const holder = { build: wanted.build, task: wanted.task, base: head.commit }
  const now = await contentOf(at, slot)
  const isBetweenTasks = record.holder === null && record.whole
  // Edits that a person made between two tasks count as the next task's work.
  const kept = isBetweenTasks && now !== head.tree ? await onTop(context, head, now, content.tree) : content.tree
  if (now !== head.tree && now !== kept) await keepSafe(at, record.holder ?? holder, now)
  await fill(at, taken, holder, now, kept)
  if (!record.whole) await showIndex(at, slot, head)
  await scratchpads(at, 'fresh')
  return workspaceIn(slot, holder)
}

/** Always on the present branch, so git shows the task's own work in the checkout. */
async function contentFor(
  { context, pool }: InPlace,
  { build, task, start }: AcquireOptions,
  head: Version,
): Promise<Content> {
  if (start === null) return { tree: head.tree, base: head.commit }
  const { tree } = await mergeTrees(context, build, await baseOf(context, pool, { build, task }, start), start)
  return { tree, base: head.commit }
}

/** Merges two trees made on one commit; where they conflict, the second one wins. */
async function onTop(context: GitContext, { commit, tree }: Version, one: TreeId, other: TreeId): Promise<TreeId> {
  if (other === tree) return one
  const [ours, theirs] = [await commitOf(context, one, [commit]), await commitOf(context, other, [commit])]
  const merge = await runMergeTree(context, ours, theirs)
  return merge.conflicts.length === 0 ? merge.tree : other
}

/** Records the new content first, so a crash in the middle leaves a checkout that is known to be half changed. */
async function fill(at: InPlace, { slot }: TakenSlot, holder: Holder, from: TreeId, to: TreeId): Promise<void> {
  const record: InPlaceRecord = { holder, tree: to, whole: false, at: at.context.now() }
  await at.pool.write(slot, record)
  await change(at, slot, from, to, holder)
  await at.pool.write(slot, { ...record, whole: true })
}

/** The agent in the checkout has chosen its task. */
async function handOver(at: InPlace, workspace: Workspace, wanted: AcquireOptions): Promise<Workspace> {
  const taken = await heldBy(at, workspace)
  const { slot, record } = taken
  const { head } = await standing(at, wanted.build)
  const { build, task } = wanted
  if (wanted.start === null) {
    const holder = { ...taken.holder, build, task }
    await at.pool.write(slot, { ...record, holder })
    return workspaceIn(slot, holder)
  }
  const { tree, base } = await contentFor(at, wanted, head)
  const now = await contentOf(at, slot)
  if (now !== tree) await keepSafe(at, taken.holder, now)
  await fill(at, taken, { build, task, base }, now, tree)
  return workspaceIn(slot, { build, task, base })
}

async function harvest(at: InPlace, workspace: Workspace, mark: AttemptMark): Promise<Harvest> {
  const { context, pool } = at
  const { slot, record, holder } = await heldBy(at, workspace)
  const { theirs, head, agentCommits } = await standing(at, workspace.build)
  const { tree, problems, written } = await gather(await readingContext(at, slot), slot, 'all')
  if (tree === null) return { taken: false, reason: reasonOf(problems) }
  await pin(context, mark, { tree, base: holder.base, agentCommits, written: written ?? Promise.resolve() })
  await pool.write(slot, { ...record, tree })
  // The pin keeps an agent's own commits; only verified ones stay on the branch.
  if (theirs !== head.commit) await follow(at, slot, workspace.build)
  return { taken: true, tree }
}

/** The work of a finished task stays; another task's work is pinned and taken out of the checkout. */
async function release(at: InPlace, workspace: Workspace): Promise<void> {
  const { context, pool } = at
  const taken = await slotIfFree(at)
  if (taken === null || !isHeldBy(taken.record, workspace)) return
  const { slot, record } = taken
  const head = await headOf(context, workspace.build)
  // The user switched to another branch and has the checkout back.
  if (await isHere(at, workspace.build)) {
    await follow(at, slot, workspace.build)
    const now = await contentOf(at, slot)
    if (now !== head.tree) await keepSafe(at, record.holder, now)
    if (now !== head.tree && record.landed !== true) {
      await fill(at, taken, record.holder, now, head.tree)
      await showIndex(at, slot, head)
    }
  }
  await withoutScratchpads(at)
  await pool.write(slot, { holder: null, tree: head.tree, whole: true, at: context.now() })
  pool.giveBack(slot)
}

async function rebase(at: InPlace, workspace: Workspace, { base, tree }: Content): Promise<Workspace> {
  const taken = await heldBy(at, workspace)
  await standing(at, workspace.build)
  const now = await contentOf(at, taken.slot)
  await keepSafe(at, taken.holder, now)
  const holder = { ...taken.holder, base }
  await fill(at, taken, holder, now, tree)
  return workspaceIn(taken.slot, holder)
}

type Landing = Parameters<Workspaces['commitToBranch']>

async function commitToBranch(
  at: InPlace,
  commitApart: () => Promise<Version | null>,
  landing: Landing,
): Promise<Version | null> {
  const [build, onto, , message] = landing
  // If the user switched to another branch, the next task says so; verified work is merged all the same.
  const taken = (await isHere(at, build)) ? await slotIfFree(at) : null
  // If another process works in the checkout, it follows with its own next merge or task.
  if (taken === null) return commitApart()
  await standing(at, build)
  const landed = await commitApart()
  if (landed !== null) await settle(at, taken, { build, onto, landed, task: taskIn(message) })
  return landed
}

interface Landed {
  readonly build: BuildId
  readonly onto: CommitId
  readonly landed: Version
  readonly task: TaskId | null
}

/** Brings the merged tree into the checkout and keeps other changes there; ref and index follow. */
async function settle(at: InPlace, taken: TakenSlot, { build, onto, landed, task }: Landed): Promise<void> {
  const { context, pool } = at
  const { slot, record } = taken
  const now = await contentOf(at, slot)
  const base = record.holder?.base ?? onto
  const merge =
    now === landed.tree
      ? { tree: now, conflicts: [] }
      : await runMergeTree(context, landed.commit, await commitOf(context, now, [base]))
  const isClean = merge.conflicts.length === 0
  const whose = record.holder ?? { build, task: task ?? ('landing' as TaskId) }
  if (isClean) await change(at, slot, now, merge.tree, whose)
  await follow(at, slot, build)
  const holder = record.holder === null || !isClean ? record.holder : { ...record.holder, base: landed.commit }
  await pool.write(slot, { ...record, holder, landed: record.holder?.task === task } as InPlaceRecord)
}

/** Reads the checkout itself like an agent's folder, and any other source as usual. */
async function adoptHere(at: InPlace, apart: Workspaces, from: Source, mark: AttemptMark): Promise<Harvest> {
  const { context, pool, worktree } = at
  if ('ref' in from) return adopt(context, pool, from, mark)
  const path = await realpath(from.folder).catch(() => null)
  if (path !== worktree || !(await isHere(at, mark.build))) return apart.adopt(from, mark)
  await standing(at, mark.build)
  const { slot } = await takeSlot(at)
  return adopt(await readingContext(at, slot), pool, from, mark)
}

type HeldFolder = TakenSlot & { readonly holder: Holder }

async function heldBy(at: InPlace, whose: WhoseFolder): Promise<HeldFolder> {
  const taken = await takeSlot(at)
  if (!isHeldBy(taken.record, whose)) throw refuse('CHECKOUT_BUSY', { folder: at.worktree })
  return { ...taken, holder: taken.record.holder }
}

function isHeldBy(record: InPlaceRecord, { build, task }: WhoseFolder): record is InPlaceRecord & { holder: Holder } {
  return record.holder?.build === build && record.holder.task === task
}

function workspaceIn(slot: Slot, { build, task, base }: Holder): Workspace {
  return shared({ folder: slot.folder, build, task, base })
}

function shared(workspace: Workspace): Workspace {
  return { ...workspace, isShared: true, env: AGENT_ENV }
}

/** A folder that no git shows, the user's included; it is empty before a fresh session. */
async function scratchpads(at: InPlace, mode: 'keep' | 'fresh'): Promise<void> {
  if (mode === 'fresh') await withoutScratchpads(at)
  const folder = join(at.worktree, SCRATCHPADS_FOLDER)
  await mkdir(folder, { recursive: true }).catch(() => {})
  if (!(await isPlain(folder))) return
  await writeWhole(join(folder, '.gitignore'), '*\n')
}

async function withoutScratchpads({ worktree }: InPlace): Promise<void> {
  const folder = join(worktree, SCRATCHPADS_FOLDER)
  await removeAll(join(worktree, SCRATCHPAD_FILE))
  if (!(await isPlain(folder))) return
  await removeAll(folder)
  // Only if nothing else is in it.
  await rmdir(dirname(folder)).catch(() => {})
}

/** An agent may have put a link in its place. */
async function isPlain(folder: string): Promise<boolean> {
  return (await isFolder(dirname(folder))) && (await isFolder(folder))
}
