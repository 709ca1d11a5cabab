// The queries of every claim and every session must not slow down with the number of finished tasks.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { attachmentQueries } from './attachments.ts'
import { spendingQueries } from './spending.ts'
import { openSqliteStore } from './sqlite-store.ts'
import { taskQuery } from './rows/task-rows.ts'
import { queries } from './tasks.ts'

let folder: string
let database: DatabaseSync

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ralph plans '))
  const path = join(folder, 'ralph.db')
  const store = await openSqliteStore(path, () => 0)
  store.close()
  database = new DatabaseSync(path)
})

afterAll(() => {
  database.close()
  rmSync(folder, { recursive: true, force: true })
})

/** How SQLite finds the tasks (`t`), and whether it sorts them; without the lookup of the dependencies. */
function walk(query: string): string[] {
  const steps = database.prepare(`EXPLAIN QUERY PLAN ${query}`).all() as { parent: number; detail: string }[]
  return steps.filter((step) => step.parent === 0 && !step.detail.startsWith('CORRELATED')).map((step) => step.detail)
}

function isSorted(query: string): boolean {
  const steps = database.prepare(`EXPLAIN QUERY PLAN ${query}`).all() as { detail: string }[]
  return steps.some((step) => step.detail === 'USE TEMP B-TREE FOR ORDER BY')
}

it.for([
  ['the best open task', queries.open.loop, 'SEARCH t USING INDEX tasks_open (scope=?)'],
  ['the best open task for an agent', queries.open.agent, 'SEARCH t USING INDEX tasks_open (scope=?)'],
  ['the best task whose lease ran out', queries.expired.loop, 'SEARCH t USING INDEX tasks_active (scope=?)'],
  ['the same for an agent', queries.expired.agent, 'SEARCH t USING INDEX tasks_active (scope=?)'],
  ['what was reported done', queries.reported, 'SEARCH t USING INDEX tasks_reported (scope=?)'],
  [
    'all that is being worked on',
    taskQuery("WHERE t.scope = ? AND (t.status = 'active') ORDER BY t.priority, t.position"),
    'SEARCH t USING INDEX tasks_active (scope=?)',
  ],
] as const)('%s is found by a walk along its index, already in order', ([, query, expected]) => {
  expect(walk(query)).toEqual([expected])
  expect(isSorted(query)).toBe(false)
})

it.for([
  ['open', queries.openById.loop],
  ['open, for an agent', queries.openById.agent],
  ['with a lease that ran out', queries.expiredById.loop],
  ['with a lease that ran out, for an agent', queries.expiredById.agent],
] as const)('a named task that is %s is found by its name', ([, query]) => {
  expect(walk(query)).toEqual(['SEARCH t USING INDEX sqlite_autoindex_tasks_1 (scope=? AND id=?)'])
})

it('what holds a task up is found by its dependencies alone', () => {
  const steps = database.prepare(`EXPLAIN QUERY PLAN ${queries.open.loop}`).all() as { detail: string }[]
  const scans = steps.filter(({ detail }) => detail.startsWith('SCAN'))
  expect(scans).toEqual([])
})

it.for([
  [
    'what a build keeps of a task',
    attachmentQueries.ofTask,
    'SEARCH keepsakes USING INDEX keepsakes_task (build=? AND kind=? AND task=?)',
  ],
  [
    'what the last sessions of a role were charged with',
    spendingQueries.recent,
    'SEARCH spending USING INDEX spending_charged (build=? AND role=?)',
  ],
  [
    'what the last sessions of an agent cost',
    spendingQueries.pricedHere,
    'SEARCH spending USING INDEX spending_priced (agent=? AND build=?)',
  ],
] as const)('%s is found by an index, already in order', ([, query, expected]) => {
  expect(walk(query)).toEqual([expected])
  expect(isSorted(query)).toBe(false)
})

it('what an agent cost in other builds is found among its priced sessions alone', () => {
  expect(walk(spendingQueries.pricedElsewhere)[0]).toBe('SEARCH spending USING INDEX spending_priced (agent=?)')
})

it('a check that was red is looked for once in each build', () => {
  expect(walk(attachmentQueries.redCheck)).toEqual([
    'SCAN b USING COVERING INDEX sqlite_autoindex_builds_1',
    'SEARCH k USING INDEX sqlite_autoindex_keepsakes_1 (build=? AND kind=? AND key=?)',
  ])
})
