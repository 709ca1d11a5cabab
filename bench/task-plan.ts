// A large plan in a store of its own, made by the program itself.
import { openStoreContext } from '../src/compose.ts'
import { findPlace, type Place } from '../src/config/paths/place.ts'
import { agentId, taskId } from '../src/core/values/id.ts'
import { claimTask, markCompleted } from '../src/core/task/task.ts'
import { LEASE_SECONDS, RESULT } from './claim-terms.ts'
import { output, plainEnvironment, ralph } from './ralph.ts'

export const TASKS = 10_000
const CHAIN = 4
const PRIORITIES = 4

/** Chains of four tasks, each waiting for the one before it: the last is three dependencies deep. */
function planLines(): string {
  return Array.from({ length: TASKS }, (_, number) => {
    const deps = number % CHAIN === 0 ? [] : [taskName(number - 1)]
    return `${JSON.stringify({
      id: taskName(number),
      title: `Answer request number ${number} with the stored page`,
      d: 'The page is read from the store, rendered and sent; an unknown one is answered with 404.',
      p: Math.floor(number / CHAIN) % PRIORITIES,
      cat: 'api',
      spec: 'pages',
      deps,
    })}\n`
  }).join('')
}

function taskName(number: number): string {
  return `page-${String(number).padStart(5, '0')}`
}

/** Makes `folder` a repository with the plan in its task store. */
export function plantPlan(folder: string): Place {
  output(folder, ['git', 'init', '--quiet', '--initial-branch=main'])
  const said = ralph(folder, ['task', 'plan-sync'], planLines())
  const expected = `inserted: ${TASKS}, updated: 0, deleted: 0, skipped (done): 0\n`
  if (said !== expected) throw new Error(`plan-sync said '${said.trim()}' and not '${expected.trim()}'`)
  return findPlace(folder, plainEnvironment)
}

/** Finishes the first `done` tasks of the plan, in one transaction, and has agents claim the next `active`. */
export async function workOff(
  folder: string,
  counts: { readonly done: number; readonly active: number },
): Promise<void> {
  const { store, scope } = await openStoreContext(folder, plainEnvironment)
  try {
    const worker = agentId('a0f1')
    const ids = Array.from({ length: counts.done }, (_, number) => taskId(taskName(number)))
    await store.tasks.changeAll(scope, { ids }, (task, now) =>
      markCompleted(claimTask(task, worker, LEASE_SECONDS, now), worker, RESULT, now),
    )
    for (let active = 0; active < counts.active; active += 1)
      await store.tasks.claim(scope, { agent: agentId(`b0f${active}`), leaseSeconds: LEASE_SECONDS })
  } finally {
    store.close()
  }
}
