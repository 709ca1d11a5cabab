// The user's own checkout as the only folder of a pool: the agent works in it, one task at a time. Beside the pool's
// file lie the engine's private index and the list of files that were ignored when the build began.
import { basename, join } from 'node:path'
import { refuse } from '../../../core/error/error.ts'
import { readIfThere, writeWhole } from '../../../system/files.ts'
import type { GitContext } from '../repository/git-context.ts'
import { encodeId } from '../repository/layout.ts'
import { openPool, type Pool, type Slot, type SlotRecord } from '../agent-folder/folder-place.ts'
import { insideOf } from '../agent-folder/sync.ts'

export interface InPlace {
  readonly context: GitContext
  /** The only folder in it is the checkout. */
  readonly pool: Pool
  readonly worktree: string
  /** Files of the checkout that Ralph writes itself, from its root; never part of a patch. */
  readonly ours: readonly string[]
}

export interface InPlaceRecord extends SlotRecord {
  /** The holder's work is in the branch, so any difference is somebody's later edit. */
  readonly landed?: boolean
}

export interface TakenSlot {
  readonly slot: Slot
  readonly record: InPlaceRecord
}

/** `worktree`: its real path. */
export function inPlaceAt(context: GitContext, worktree: string, ours: readonly string[]): InPlace {
  const { user, paths, owners } = context
  const name = user.gitDir === user.commonDir ? 'main' : `linked-${encodeId(basename(user.gitDir))}`
  const pool = openPool(join(paths.state, 'in-place', name), owners)
  const here = (slot: Slot): Slot => ({ ...slot, folder: worktree })
  return {
    context,
    worktree,
    ours,
    pool: {
      ...pool,
      list: async () => (await pool.list()).map((entry) => ({ ...entry, slot: here(entry.slot) })),
      add: async (record) => here(await pool.add(record)),
    },
  }
}

/** Null where a living process has it. */
export async function slotIfFree({ context, pool }: InPlace): Promise<TakenSlot | null> {
  const { owners, now } = context
  for (const entry of await pool.list()) {
    const isTheirs = entry.owner !== null && entry.owner !== owners.token
    if (isTheirs && (await owners.isAlive(entry.owner))) return null
    if (!(await pool.take(entry))) return null
    if (entry.owner !== owners.token) {
      // Another process may have changed the folder since.
      context.indexes.forget(entry.slot)
      context.harvests.forget(entry.slot.folder)
    }
    return { slot: entry.slot, record: entry.record ?? { ...NOBODYS, at: now() } }
  }
  const record = { ...NOBODYS, at: now() }
  return { slot: await pool.add(record), record }
}

const NOBODYS = { holder: null, tree: null, whole: true } as const

export async function takeSlot(at: InPlace): Promise<TakenSlot> {
  const taken = await slotIfFree(at)
  if (taken === null) throw refuse('CHECKOUT_BUSY', { folder: at.worktree })
  return taken
}

/**
 * Files that git ignores when the build begins stay out of every tree, whatever becomes of the ignore rules: an agent
 * can edit them, and a user's `.env` lies beside its work. `more`: earlier entries stay on the list.
 */
export async function rememberIgnored({ context }: InPlace, slot: Slot, how: 'anew' | 'more'): Promise<void> {
  const list = ['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z']
  const { stdout } = await context.git.engine(list, insideOf(context, slot))
  const before = how === 'more' ? ((await readIfThere(listOf(slot))) ?? '') : ''
  const paths = new Set([...before.split('\0'), ...stdout.toString('utf8').split('\0')])
  await writeWhole(listOf(slot), [...paths].join('\0'))
}

/** The context for reading the checkout; it leaves out the user's own files. */
export async function readingContext({ context, ours }: InPlace, slot: Slot): Promise<GitContext> {
  const ignored = ((await readIfThere(listOf(slot))) ?? '').split('\0').filter(Boolean)
  return { ...context, copy: [...context.copy, ...ours, ...ignored.map((path) => path.replace(/\/$/, ''))] }
}

function listOf({ gitDir }: Slot): string {
  return join(gitDir, 'ignored')
}
