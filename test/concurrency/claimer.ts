// One of several processes that claim from the same store. Says 'ready', works from 'go' on, stops at 'stop'.
import { createInterface } from 'node:readline'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { firstAttempt, next } from '../../src/core/attempt/attempt.ts'
import { RalphError } from '../../src/core/error/error.ts'
import { type AgentId, agentId, type BuildId, taskId } from '../../src/core/values/id.ts'
import { markCompleted, type Task } from '../../src/core/task/task.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'

const SCOPE = { repo: 'r', branch: 'b' }
const BUILD = 'b1' as BuildId
const HOT = taskId('hot')

const [what = '', path = '', name = ''] = process.argv.slice(2)
const agent = agentId(name)
const stop = new AbortController()

const jobs: Readonly<Record<string, (store: Store) => Promise<void>>> = {
  open: async () => {},
  finishAll,
  stealAndFinish,
  stealAndRecord,
}

let store = what === 'open' ? null : await openSqliteStore(path, Date.now)
createInterface({ input: process.stdin })
  .on('line', (line) => {
    if (line === 'stop') stop.abort()
    if (line === 'go') void work()
  })
  // Ends with the process that started it.
  .on('close', () => process.exit())
say('ready')

async function work(): Promise<void> {
  store ??= await openSqliteStore(path, Date.now)
  await jobs[what]?.(store)
  store.close()
  process.exit()
}

/** Claims and finishes until nothing is left. */
async function finishAll(store: Store): Promise<void> {
  for (;;) {
    const claim = await store.tasks.claim(SCOPE, { agent, leaseSeconds: 600 })
    if (claim === null) return
    say(`claimed ${claim.task.id} ${claim.task.fence}`)
    await finish(store, claim.task)
  }
}

/** The same with leases that have run out when they are given: everyone takes everyone's task. */
async function stealAndFinish(store: Store): Promise<void> {
  for (;;) {
    const claim = await store.tasks.claim(SCOPE, { agent, leaseSeconds: 0 })
    if (claim === null) return
    await hesitate()
    try {
      await finish(store, claim.task)
    } catch (error) {
      if (!(error instanceof RalphError)) throw error
      say(`late ${error.code}`)
    }
  }
}

async function finish(store: Store, { id, fence }: Task): Promise<void> {
  await store.tasks.change(SCOPE, id, (task, now) => markCompleted(task, agent, { commit: null, agent, fence }, now))
}

/** Everyone writes under the one task that everyone takes. */
async function stealAndRecord(store: Store): Promise<void> {
  while (!stop.signal.aborted) {
    const claim = await store.tasks.claim(SCOPE, { id: HOT, agent, leaseSeconds: 0 })
    if (claim === null) throw new Error('the task cannot be claimed')
    await hesitate()
    if (!(await recorded(store, claim.task, agent))) say('late')
  }
}

async function recorded(store: Store, task: Task, by: AgentId): Promise<boolean> {
  const lease = { scope: SCOPE, task: task.id, fence: task.fence }
  const attempt =
    (await store.builds.attempts(BUILD)).get(HOT) ??
    firstAttempt(task, BUILD, { attempts: 3, interventions: 3, iterations: 10 })
  const effect = next(attempt)
  if (effect === null) throw new Error('there is nothing to do')
  const begun = await store.builds.begin(lease, attempt, effect)
  if (!begun.kept) return false
  await hesitate()
  const reason = JSON.stringify({ fence: task.fence, agent: by })
  return (await store.builds.record(lease, BUILD, { type: 'interrupted', taskId: HOT, reason })).kept
}

async function hesitate(): Promise<void> {
  const roll = Math.random()
  if (roll < 0.3) return
  if (roll < 0.6) await setImmediate()
  else await sleep(3 * Math.random())
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
