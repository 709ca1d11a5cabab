// Folders that are used again and again, shared by all processes of a repository.
//
// The name of one file beside a folder says who has it: `3.free.json`, or `3.held.<token>.json`. A process takes a
// folder by renaming that file, which only one of many can do, and which no crash can do by half:
//
//   add ──> held by me <── take ── free <── give back
//              ^                                │
//              └── take ── held by a dead process
//
// The holder of a folder writes the file for the next one. In the file of a free folder only the tree counts: its name
// says that nobody has it.
import { renameSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { BuildId, CommitId, TaskId, TreeId } from '../../../core/values/id.ts'
import { errnoOf } from '../../../system/errno.ts'
import { namesIn, readIfThere, writeWhole } from '../../../system/files.ts'
import type { GitContext } from '../repository/git-context.ts'
import type { OwnerToken, ProcessRegistry } from '../repository/process-registry.ts'
import { removeAll } from '../../../system/remove-all.ts'
import type { Place } from '../repository/fast-path.ts'

export interface Slot extends Place {
  readonly number: number
}

export interface SlotRecord {
  /** The task that owns it; null where none does. */
  readonly holder: Holder | null
  /** The tree in it, or, while not `whole`, the tree it is being changed to. */
  readonly tree: TreeId | null
  readonly whole: boolean
  readonly at: number
}

export interface Holder {
  readonly build: BuildId
  readonly task: TaskId
  readonly base: CommitId
}

export interface Entry {
  readonly slot: Slot
  readonly owner: OwnerToken | null
  /** Null where it cannot be read: then nobody takes the folder, because there may be work in it. */
  readonly record: SlotRecord | null
}

export interface Pool {
  list(): Promise<Entry[]>
  /** False where another process took it. */
  take(entry: Entry): Promise<boolean>
  add(record: SlotRecord): Promise<Slot>
  write(slot: Slot, record: SlotRecord): Promise<void>
  /** Synchronous: nobody waits for a folder to be freed. */
  giveBack(slot: Slot): void
  /** Frees the number of a folder that is gone. */
  remove(slot: Slot): Promise<void>
}

export function openPool(folder: string, owners: ProcessRegistry): Pool {
  const heldName = (number: number, token: OwnerToken) => `${number}.held.${token}.json`
  const freeName = (number: number) => `${number}.free.json`
  const nameOf = ({ slot, owner }: Entry) => (owner === null ? freeName(slot.number) : heldName(slot.number, owner))
  const slotOf = (number: number): Slot => ({
    number,
    folder: join(folder, String(number)),
    gitDir: join(folder, `${number}.git`),
  })

  const add = async (record: SlotRecord): Promise<Slot> => {
    await mkdir(folder, { recursive: true })
    const numbers = (await namesIn(folder)).map((name) => Number.parseInt(name, 10)).filter(Number.isSafeInteger)
    for (let number = Math.max(0, ...numbers) + 1; ; number += 1) {
      const slot = slotOf(number)
      if (!(await isNewFolder(slot.folder))) continue
      await writeWhole(join(folder, heldName(number, owners.token)), JSON.stringify(record))
      return slot
    }
  }

  return {
    add,
    list: async () => {
      const entries = (await namesIn(folder)).map(async (name): Promise<Entry[]> => {
        const match = /^(\d+)\.(?:free|held\.([0-9a-f]+))\.json$/.exec(name)
        if (match === null) return []
        const text = await readIfThere(join(folder, name))
        if (text === null) return []
        const owner = match[2] ?? null
        const record = recordIn(text)
        const nobodys = owner === null && record !== null ? { ...record, holder: null, whole: true } : record
        return [{ slot: slotOf(Number(match[1])), owner, record: nobodys }]
      })
      return (await Promise.all(entries)).flat().sort((one, other) => one.slot.number - other.slot.number)
    },
    take: async (entry) => {
      if (entry.owner === owners.token) return true
      try {
        renameSync(join(folder, nameOf(entry)), join(folder, heldName(entry.slot.number, owners.token)))
      } catch (error) {
        if (errnoOf(error) === 'ENOENT') return false
        throw error
      }
      if (entry.owner !== null) await owners.bury(entry.owner)
      return true
    },
    write: (slot, record) => writeWhole(join(folder, heldName(slot.number, owners.token)), JSON.stringify(record)),
    remove: ({ number }) => removeAll(join(folder, heldName(number, owners.token))),
    giveBack: ({ number }) => {
      try {
        renameSync(join(folder, heldName(number, owners.token)), join(folder, freeName(number)))
      } catch (error) {
        if (errnoOf(error) !== 'ENOENT') throw error
      }
    },
  }
}

async function isNewFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path)
    return true
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false
    throw error
  }
}

/** Anybody may take a free folder, and one that a dead process had taken and no task owns. */
export async function isForTaking({ owner, record }: Entry, owners: ProcessRegistry): Promise<boolean> {
  if (record === null || record.holder !== null) return false
  return owner === null || (owner !== owners.token && !(await owners.isAlive(owner)))
}

/**
 * Takes a folder that nobody needs, preferably one that holds this tree already, or makes a new one. No task owns it
 * yet.
 */
export async function takeAny(
  pool: Pool,
  { owners, indexes }: Pick<GitContext, 'owners' | 'indexes'>,
  tree: TreeId,
): Promise<Slot> {
  const entries = await pool.list()
  const best = entries.filter(({ slot, record }) => (indexes.of(slot) ?? record?.tree) === tree)
  for (const entry of [...best, ...entries]) {
    if ((await isForTaking(entry, owners)) && (await pool.take(entry))) return entry.slot
  }
  return pool.add({ holder: null, tree, whole: true, at: 0 })
}

function recordIn(text: string): SlotRecord | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && 'holder' in value && 'tree' in value && 'whole' in value
      ? (value as SlotRecord)
      : null
  } catch {
    return null
  }
}
