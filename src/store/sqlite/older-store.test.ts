// A store of the previous version, with a build in the middle of its work: it opens, and its content is the same.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { SCHEMA_VERSION } from './database/schema.ts'
import { openSqliteStore } from './sqlite-store.ts'

const FIXTURE = join(import.meta.dirname, '../../../test/fixtures/stores/schema-6.sql')

interface Run {
  readonly build_graph: { readonly tasks: readonly { readonly id: string; readonly depends_on: readonly string[] }[] }
  readonly history: readonly { readonly seq: number }[]
}

function olderStore(): { readonly path: string; readonly raw: DatabaseSync } {
  const folder = mkdtempSync(join(tmpdir(), 'ralph older '))
  const path = join(folder, 'ralph.db')
  const raw = new DatabaseSync(path)
  raw.exec(readFileSync(FIXTURE, 'utf8'))
  onTestFinished(() => {
    raw.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return { path, raw }
}

const views = (raw: DatabaseSync) =>
  ['build_runs', 'build_sessions'].map((view) => raw.prepare(`SELECT * FROM ${view}`).all())

it('its views hold what they held, to the letter', async () => {
  const { path, raw } = olderStore()
  const before = views(raw)
  ;(await openSqliteStore(path, () => 0)).close()
  expect(raw.prepare('PRAGMA user_version').get()).toEqual({ user_version: SCHEMA_VERSION })
  expect(views(raw)).toEqual(before)
})

it('tasks, dependencies and history stand in their order, whatever the order of the rows', async () => {
  const { path, raw } = olderStore()
  ;(await openSqliteStore(path, () => 0)).close()
  // SQLite may walk in either direction where the query asks for no order.
  for (const pragma of ['reverse_unordered_selects = OFF', 'reverse_unordered_selects = ON']) {
    raw.exec(`PRAGMA ${pragma}`)
    const run = JSON.parse(String(raw.prepare('SELECT state_json FROM build_runs').get()?.['state_json'])) as Run
    expect(run.build_graph.tasks.map(({ id, depends_on: on }) => `${id}: ${on.join(' ')}`)).toEqual([
      'three: ',
      'two: ',
      'both: three two',
      'more: late both two',
      'late: ',
    ])
    expect(run.history.map(({ seq }) => seq)).toEqual(run.history.map((_, index) => index + 1))
    expect(run.history.length).toBeGreaterThan(20)
  }
})

it('what was done there is no report, and claims what its type and title say', async () => {
  const { path, raw } = olderStore()
  raw.exec("UPDATE tasks SET status = 'done' WHERE id = 'two'")
  const { repo, branch } = raw.prepare('SELECT repo, branch FROM scopes').get() as { repo: string; branch: string }
  const store = await openSqliteStore(path, () => 0)
  onTestFinished(() => store.close())
  const tasks = await store.tasks.list({ repo, branch }, {})
  expect(tasks.length).toBeGreaterThan(3)
  expect(tasks.every(({ fixedClaim }) => fixedClaim === null)).toBe(true)
  expect(await store.tasks.reported({ repo, branch })).toEqual([])
})
