// Every folder belongs to a task. A session that has no task yet gets a name that no task can have, since it contains a
// blank. The names are numbered, so that the next process after a crash reuses the folder instead of making another one.
import type { TaskId } from '../../core/values/id.ts'
import type { EngineDeps } from '../deps.ts'

export interface UnclaimedWorkspace {
  readonly task: TaskId
  readonly free: () => void
}

/** Takes the lowest number that no other loop of this engine uses. */
export function takeUnclaimedWorkspace({ memory }: Pick<EngineDeps, 'memory'>): UnclaimedWorkspace {
  const numbers = memory.unclaimedWorkspaces
  let number = 1
  while (numbers.has(number)) number += 1
  numbers.add(number)
  return { task: `seat ${number}` as TaskId, free: () => numbers.delete(number) }
}
