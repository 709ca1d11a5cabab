// The agent session of a task that is under way right now: it has a transcript, and no record yet.
import type { Attempt } from '../core/attempt.ts'
import type { BuildId, TaskId } from '../core/id.ts'
import type { BuildDesk } from './builds.ts'

export interface RunningSession {
  readonly attempt: number
  readonly iteration: number
}

/** Null where no agent works on the task; `isActive`: whether somebody has it in hand. */
export function sessionNow(attempt: Attempt | null, isActive: { readonly now: boolean }): RunningSession | null {
  if (attempt === null || !isActive.now || attempt.phase.at !== 'working') return null
  return { attempt: attempt.number, iteration: attempt.iteration + 1 }
}

/** `b_1.login.2.1`, if it is under way, by the name that its transcript has; null where it is not. */
export async function runningSession({ store, scope }: BuildDesk, name: string): Promise<string | null> {
  const [, build, task, number, iteration] = /^(b_[^.]+)\.(.+)\.(\d+)\.(\d+)$/s.exec(name) ?? []
  if (build === undefined || task === undefined) return null
  const [attempt, found] = await Promise.all([
    store.builds.attempt(build as BuildId, task as TaskId),
    store.tasks.find(scope, task as TaskId),
  ])
  const now = sessionNow(attempt, { now: found?.status === 'active' })
  if (now?.attempt !== Number(number) || now.iteration !== Number(iteration)) return null
  return `${build}/${task}/${number}-${iteration}-implementer`
}
