// Writes for ever, one write after the other, and says each one when it is acknowledged: `TASK WRITES`.
import { writeSync } from 'node:fs'
import { firstAttempt, next } from '../../src/core/attempt/attempt.ts'
import { RalphError } from '../../src/core/error/error.ts'
import { agentId, taskId } from '../../src/core/values/id.ts'
import { newTask } from '../../src/core/task/task.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'
import { BUILD, LIMITS, outcomesOf, SCOPE } from './script.ts'

const [path = '', name = ''] = process.argv.slice(2)
const store = await openSqliteStore(path, Date.now)
await ensureBuild(store)
for (let count = 0; ; count += 1) await workThrough(store, `${name}-${count}`)

async function ensureBuild({ builds }: Store): Promise<void> {
  if ((await builds.find(BUILD.id)) !== null) return
  try {
    await builds.create(SCOPE, BUILD, [])
  } catch (error) {
    // Another writer may have been faster.
    if (!(error instanceof RalphError) || error.code !== 'BUILD_EXISTS') throw error
  }
}

async function workThrough({ tasks, builds }: Store, id: string): Promise<void> {
  let writes = 0
  const acknowledged = (): void => {
    writes += 1
    writeSync(1, `${id} ${writes}\n`)
  }
  await tasks.create(SCOPE, newTask(taskId(id), { title: `Do ${id}` }, [], Date.now()))
  acknowledged()
  const claim = await tasks.claim(SCOPE, { id: taskId(id), agent: agentId(name), leaseSeconds: 600, build: BUILD.id })
  if (claim === null) throw new Error(`${id} cannot be claimed`)
  acknowledged()
  const lease = { scope: SCOPE, task: claim.task.id, fence: claim.task.fence }
  let attempt = firstAttempt(claim.task, BUILD.id, LIMITS)
  for (const fact of outcomesOf(claim.task.id)) {
    const effect = next(attempt)
    const begun = effect === null ? { kept: false } : await builds.begin(lease, attempt, effect)
    if (!begun.kept) throw new Error(`${id} is lost`)
    acknowledged()
    const recorded = await builds.record(lease, BUILD.id, fact)
    if (!recorded.kept) throw new Error(`${id} is lost`)
    acknowledged()
    attempt = recorded.attempt
  }
}
