// All processes of one run: the child that we started (the leader of its own group and session) and its descendants.
import { kill } from 'node:process'
import { endAll, keyOf, membersNow } from './descendants.ts'
import { errnoOf } from '../errno.ts'
import type { Marker } from './parent-markers.ts'
import { type PidMoment, isLastPid, pidsSince } from './pid-window.ts'
import { hasProc, type Entry } from './proc-entry.ts'
import { entryOf, signalSame } from './process-table.ts'

export interface Leader {
  readonly pid: number
  /** 0: unknown; then `isReaped` alone tells whether the number is still its own. */
  readonly startedAt: number
  /** The marker of its descendants; null: look at group, session and parents only. */
  readonly marker: Marker | null
  /** The moment before its start; null: unknown. */
  readonly before: PidMoment | null
  /** After this the system may reuse its number. */
  isReaped(): boolean
}

export interface Family {
  /**
   * Finds the members and remembers them. Only while the leader runs, or right after: the system reuses group numbers.
   */
  look(): Promise<void>
  /** Signals the whole group at once while the leader is there, and every other remembered member by itself. */
  signal(name: NodeJS.Signals): void
  isGone(): boolean
  /** Kills the rest; returns how many could not be killed. */
  end(): Promise<number>
  /** How many were ended one by one, because they outlived or had left the leader's group. */
  survivors(): number
  /** How many were ever seen. */
  size(): number
}

export function familyOf(leader: Leader): Family {
  const known = new Map<string, Entry>()
  const endedSingly = new Set<string>()
  let isGroupKilled = false

  const isKnown = (entry: Entry): boolean => known.has(keyOf(entry))
  const isNumbered = ({ group, session }: Entry): boolean => group === leader.pid || session === leader.pid
  const members = async (isSeed: (entry: Entry) => boolean): Promise<readonly Entry[]> => {
    const among = pidsSince(leader.before, leader.pid)
    const found = await membersNow({ marker: leader.marker, startedSince: leader.startedAt, among, isSeed })
    for (const entry of found) known.set(keyOf(entry), entry)
    return found
  }
  const markEnded = (entry: Entry): void => {
    if (!isGroupKilled || entry.group !== leader.pid) endedSingly.add(keyOf(entry))
  }

  return {
    look: async () => {
      // Without markers to search for, an empty group means that there is nothing to find.
      if ((leader.marker === null || !hasProc) && !isGroupThere(leader.pid)) return
      // Nobody started anything after it.
      if (leader.before !== null && leader.isReaped() && isLastPid(leader.pid)) return
      await members((entry) => isKnown(entry) || isNumbered(entry))
    },
    signal: (name) => {
      const isGroupSignalled = isLeaderThere(leader) && signalGroup(leader.pid, name)
      if (isGroupSignalled && name === 'SIGKILL') isGroupKilled = true
      for (const entry of known.values()) {
        if (isGroupSignalled && entry.group === leader.pid) continue
        if (signalSame(entry, name) === 'sent') markEnded(entry)
      }
    },
    isGone: () => (hasProc ? present(known).length === 0 : !isGroupThere(leader.pid)),
    end: async () => {
      const left = await endAll(present(known), () => members(isKnown), markEnded)
      return left.length
    },
    survivors: () => endedSingly.size,
    size: () => known.size,
  }
}

function present(known: ReadonlyMap<string, Entry>): readonly Entry[] {
  return [...known.values()].filter((entry) => {
    const now = entryOf(entry.pid)
    return now !== null && !now.hasEnded && now.startedAt === entry.startedAt
  })
}

/** Only an entry with another start contradicts it; a missing entry may mean that no descriptor was free. */
function isLeaderThere({ pid, startedAt, isReaped }: Leader): boolean {
  if (isReaped()) return false
  return startedAt === 0 || (entryOf(pid)?.startedAt ?? startedAt) === startedAt
}

function signalGroup(pid: number, name: NodeJS.Signals): boolean {
  // -1 would signal every process.
  if (pid <= 1) return false
  try {
    kill(-pid, name)
    return true
  } catch {
    return false
  }
}

function isGroupThere(pid: number): boolean {
  try {
    kill(-pid, 0)
    return true
  } catch (error) {
    return errnoOf(error) !== 'ESRCH'
  }
}
