import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { taskId } from '../../src/core/values/id.ts'
import { newTask } from '../../src/core/task/task.ts'
import { SCHEMA_VERSION } from '../../src/store/sqlite/database/schema.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { bundled, start, startTogether } from './program.ts'

const SCOPE = { repo: 'r', branch: 'b' }
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ralph start '))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('eight processes that open a missing database at the same moment make it once', async () => {
  const program = await bundled(new URL('claimer.ts', import.meta.url), folder)
  for (const round of ['one', 'two', 'three']) {
    const path = join(folder, round, 'ralph.db')
    const crew = Array.from({ length: 8 }, (_, index) => ['open', path, `loop-${index}`])
    const children = await startTogether(program, crew)
    const ends = await Promise.all(children.map((child) => child.ended))
    expect(ends).toEqual(ends.map(() => ({ code: 0, signal: null, stderr: '', lines: ['ready'] })))
    const database = new DatabaseSync(path)
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: SCHEMA_VERSION })
    expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
    database.close()
    const store = await openSqliteStore(path, Date.now)
    expect(await store.tasks.list(SCOPE, {})).toEqual([])
    store.close()
  }
})

it('a database that another process holds for a second is waited for', async () => {
  const path = join(folder, 'held.db')
  const store = await openSqliteStore(path, Date.now)
  let held = (): void => {}
  const holds = new Promise<void>((resolve) => (held = resolve))
  const child = start(fileURLToPath(new URL('holder.ts', import.meta.url)), [path], (line) => line === 'held' && held())
  await holds
  let ticks = 0
  const ticker = setInterval(() => (ticks += 1), 10)
  await store.tasks.create(SCOPE, newTask(taskId('a'), { title: 'A' }, [], 0))
  clearInterval(ticker)
  expect(ticks).toBeGreaterThan(0)
  expect(await child.ended).toEqual({ code: 0, signal: null, stderr: '', lines: ['held'] })
  expect((await store.tasks.list(SCOPE, {})).map((task) => task.id)).toEqual(['a'])
  store.close()
})
