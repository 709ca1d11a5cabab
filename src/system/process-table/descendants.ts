// Finds all descendants of a few known processes, and ends them.
//
// Not covered: a process that leaves its session, loses its parent AND empties its environment before anyone looks (or
// one of another user, or one that chose its own number, as root can). Only a PID namespace holds such a process: run
// it in the bubblewrap sandbox.
import { pid as ownPid } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { carries } from './marker.ts'
import type { Marker } from './parent-markers.ts'
import type { PidWindow } from './pid-window.ts'
import { hasProc, type Entry } from './proc-entry.ts'
import { allEntries, signalSame } from './process-table.ts'

/** A killed process is gone within milliseconds; one that hangs in the kernel may stay for ever. */
const SWEEP_MS = 2_000
const SWEEP_PAUSE_MAX_MS = 50
/** A process shows no environment during exec; on a busy machine that may take some time. */
const EXEC_MS = 64

interface Search {
  /** Null: ignore markers. */
  readonly marker: Marker | null
  /** No descendant is older than this, which saves reading most environments. */
  readonly startedSince: number
  /** The possible process numbers; null: any. */
  readonly among: PidWindow | null
  isSeed(entry: Entry): boolean
}

/** Where nobody can look (no free descriptor, no `ps`) nothing is found; the group can still be signalled. */
export async function membersNow({ marker, startedSince, among, isSeed }: Search): Promise<readonly Entry[]> {
  const entries = await allEntries(among ?? undefined).catch(() => [])
  const young = entries.filter((entry) => entry.startedAt >= startedSince)
  const seeds = new Set(young.filter(isSeed))
  if (marker === null || !hasProc) return membersAmong(entries, seeds)
  const others = young.filter((entry) => !entry.hasEnded && !seeds.has(entry))
  return membersAmong(entries, new Set([...seeds, ...(await carriersAmong(others, marker))]))
}

async function carriersAmong(entries: readonly Entry[], marker: Marker): Promise<ReadonlySet<Entry>> {
  const carriers = new Set<Entry>()
  let unclear = entries
  for (let pauseMs = 1; ; pauseMs *= 2) {
    unclear = unclear.filter((entry) => {
      const answer = carries(entry.pid, marker)
      if (answer === 'yes') carriers.add(entry)
      return answer === 'unclear'
    })
    if (unclear.length === 0 || pauseMs > EXEC_MS) return carriers
    await setTimeout(pauseMs)
  }
}

/** The seeds and all their descendants, but never this process or one of its ancestors. */
export function membersAmong(entries: readonly Entry[], seeds: ReadonlySet<Entry>): readonly Entry[] {
  const safe = lineOf(ownPid, entries)
  const children = childrenOf(entries)
  const members = new Set([...seeds].filter((entry) => !safe.has(entry.pid)))
  // A set iterates in order of insertion and includes entries added on the way.
  for (const member of members) {
    for (const child of children.get(member.pid) ?? []) if (!safe.has(child.pid)) members.add(child)
  }
  return [...members].filter((entry) => !entry.hasEnded)
}

function childrenOf(entries: readonly Entry[]): ReadonlyMap<number, readonly Entry[]> {
  const children = new Map<number, Entry[]>()
  for (const entry of entries) {
    const siblings = children.get(entry.parent)
    if (siblings === undefined) children.set(entry.parent, [entry])
    else siblings.push(entry)
  }
  return children
}

/** The process, its parent, and so on up to 0 and 1, which nobody may end. */
function lineOf(pid: number, entries: readonly Entry[]): ReadonlySet<number> {
  const parents = new Map(entries.map((entry) => [entry.pid, entry.parent]))
  const line = new Set([0, 1])
  for (let next = pid; !line.has(next); next = parents.get(next) ?? 0) line.add(next)
  return line
}

/**
 * Kills what `find` finds until it finds nothing: new processes may start between a look and a kill. Returns the
 * processes that are left when the time is up.
 */
export async function endAll(
  first: readonly Entry[],
  find: () => Promise<readonly Entry[]>,
  onEnded: (entry: Entry) => void,
): Promise<readonly Entry[]> {
  const giveUpAt = performance.now() + SWEEP_MS
  let found = first
  for (let pauseMs = 1; found.length > 0; pauseMs = Math.min(2 * pauseMs, SWEEP_PAUSE_MAX_MS)) {
    for (const entry of found) if (signalSame(entry, 'SIGKILL') === 'sent') onEnded(entry)
    await setTimeout(pauseMs)
    found = await find()
    if (performance.now() > giveUpAt) break
  }
  return found
}

export function keyOf({ pid, startedAt }: Pick<Entry, 'pid' | 'startedAt'>): string {
  return `${pid}/${startedAt}`
}
