// Folders belong to tasks. A session that has no task yet sits on a seat: a name that no task can have, since there is a
// blank in it. Seats are numbered, so that after a crash the next process finds the folder again instead of making one more.
import type { TaskId } from '../../core/values/id.ts'
import type { EngineDeps } from '../deps.ts'

export interface UnclaimedWorkspace {
  readonly task: TaskId
  readonly free: () => void
}

const taken = new WeakMap<EngineDeps['workspaces'], Set<number>>()

/** The lowest one that no other loop of this process has. */
export function takeUnclaimedWorkspace({ workspaces }: Pick<EngineDeps, 'workspaces'>): UnclaimedWorkspace {
  const numbers = taken.get(workspaces) ?? new Set<number>()
  taken.set(workspaces, numbers)
  let number = 1
  while (numbers.has(number)) number += 1
  numbers.add(number)
  return { task: `seat ${number}` as TaskId, free: () => numbers.delete(number) }
}
