// The processes of a dead engine as the next engine sees them: identify, test, end.
import { pid as ownPid } from 'node:process'
import { endAll, keyOf, membersNow } from './descendants.ts'
import { familyOf } from './process-tree.ts'
import { isInside, marker } from './marker.ts'
import { hasProc, type Entry } from './proc-entry.ts'
import { bootId, entryOf } from './process-table.ts'

/** Plain data, to be stored. The number alone is not enough: the system may have given it to another process. */
export interface Identity {
  readonly pid: number
  /** Only for comparison. */
  readonly startedAt: number
  readonly bootId: string
}

export interface SweepResult {
  readonly ended: number
  /** Processes that could not be killed: another user's, or hanging in the kernel. */
  readonly left: number
}

export async function identify(pid: number): Promise<Identity | null> {
  const entry = running(pid)
  return entry === null ? null : { pid, startedAt: entry.startedAt, bootId: bootId() }
}

export async function isAlive(identity: Identity): Promise<boolean> {
  return isSame(identity)
}

/**
 * Ends the process, its group and session, and all their descendants. Does nothing where the process is gone, or where
 * this process is in its group.
 */
export async function killTree(identity: Identity): Promise<SweepResult> {
  if (!isSame(identity) || entryOf(ownPid)?.group === identity.pid) return { ended: 0, left: 0 }
  const family = familyOf({ ...identity, marker: null, before: null, isReaped: () => !isSame(identity) })
  await family.look()
  family.signal('SIGKILL')
  const left = await family.end()
  return { ended: family.size() - left, left }
}

/**
 * Ends everything that carries the marker: of one run, or of all runs of a dead engine (its `engineMarker`). The caller
 * knows that the engine is dead. Finds nothing where there is no /proc, and never ends the run that it is called in.
 */
export async function endLeftovers(text: string): Promise<SweepResult> {
  const sought = marker(text)
  if (!hasProc || isInside(sought)) return { ended: 0, left: 0 }
  const ended = new Set<string>()
  const find = (): Promise<readonly Entry[]> =>
    membersNow({ marker: sought, startedSince: 0, among: null, isSeed: () => false })
  const left = await endAll(await find(), find, (entry) => ended.add(keyOf(entry)))
  for (const entry of left) ended.delete(keyOf(entry))
  return { ended: ended.size, left: left.length }
}

function isSame({ pid, startedAt, bootId: boot }: Identity): boolean {
  return running(pid)?.startedAt === startedAt && bootId() === boot
}

function running(pid: number): Entry | null {
  if (!Number.isSafeInteger(pid) || pid <= 0) return null
  const entry = entryOf(pid)
  return entry === null || entry.hasEnded ? null : entry
}
