// Reads a database whose writers were killed.
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'vitest'
import { apply, firstAttempt } from '../../src/core/attempt/attempt.ts'
import { taskOf } from '../../src/core/fact/fact.ts'
import type { Task } from '../../src/core/task/task.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'
import { BUILD, LIMITS, LOG_AFTER, outcomesOf, SCOPE, WRITES } from './script.ts'

/** How many of its writes each task has in the database; refuses a database that is not sound. */
export async function remains(path: string): Promise<Map<string, number>> {
  const store = await openSqliteStore(path, Date.now)
  try {
    const facts = await store.builds.facts(BUILD.id, 0, 1_000_000)
    expect(facts.map(({ seq }) => seq)).toEqual(facts.map((_, index) => index + 1))
    const logs = Map.groupBy(facts, ({ fact }) => taskOf(fact))
    const found = new Map<string, number>()
    for (const task of await store.tasks.list(SCOPE, {}))
      found.set(
        task.id,
        writesOf(
          task,
          (logs.get(task.id) ?? []).map(({ fact }) => fact.type),
        ),
      )
    await expectFolded(store, found)
    expectSound(path)
    return found
  } finally {
    store.close()
  }
}

function expectSound(path: string): void {
  const database = new DatabaseSync(path)
  expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  expect(database.prepare('PRAGMA foreign_key_check').all()).toEqual([])
  database.close()
}

/** Each write is there as a whole: its facts, its row. */
function writesOf(task: Task, log: readonly string[]): number {
  const claimed = task.fence > 0 ? 2 : 1
  const writes = log.length === 0 ? claimed : Object.values(LOG_AFTER).findIndex(({ length }) => length === log.length)
  expect(log).toEqual(LOG_AFTER[writes])
  expect(task.status).toBe(writes === 1 ? 'open' : writes === WRITES ? 'done' : 'active')
  return writes
}

/** Every saved attempt is what its outcomes make of the first. */
async function expectFolded({ tasks, builds }: Store, found: ReadonlyMap<string, number>): Promise<void> {
  const expected = new Map()
  for (const task of await tasks.list(SCOPE, {})) {
    const writes = found.get(task.id) ?? 0
    const recorded = outcomesOf(task.id).slice(0, Math.max(0, Math.floor((writes - 2) / 2)))
    if (writes > 2) expected.set(task.id, recorded.reduce(apply, firstAttempt(task, BUILD.id, LIMITS)))
  }
  expect(await builds.attempts(BUILD.id)).toEqual(expected)
}
