import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { RalphError } from '../../../core/error/error.ts'
import { taskId } from '../../../core/values/id.ts'
import { connect } from './connection.ts'
import { openSqliteStore } from '../sqlite-store.ts'

const SCOPE = { repo: 'r', branch: 'b' }
let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ralph file '))
  path = join(folder, 'ralph.db')
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function refusal(call: () => Promise<unknown>): Promise<readonly [code: string, message: string] | null> {
  try {
    await call()
    return null
  } catch (error) {
    if (error instanceof RalphError) return [error.code, error.message]
    throw error
  }
}

const open = (at = path) => openSqliteStore(at, () => 0)

async function made(tasks: number): Promise<void> {
  const store = await open()
  const items = Array.from({ length: tasks }, (_, index) => ({
    id: taskId(`t${index}`),
    text: { title: `Task ${index}`, description: 'x'.repeat(200) },
    line: index + 1,
  }))
  await store.tasks.syncPlan(SCOPE, items)
  store.close()
}

describe('what is at the path', () => {
  it('nothing: the database is made, with its folders', async () => {
    const deep = join(folder, 'a', 'b c', 'ralph.db')
    const store = await open(deep)
    expect(await store.tasks.list(SCOPE, {})).toEqual([])
    store.close()
    expect(readdirSync(join(folder, 'a', 'b c'))).toContain('ralph.db')
  })

  it('an empty file: it becomes the database', async () => {
    writeFileSync(path, '')
    const store = await open()
    await store.tasks.syncPlan(SCOPE, [{ id: taskId('a'), text: { title: 'A' }, line: 1 }])
    store.close()
    const again = await open()
    expect((await again.tasks.list(SCOPE, {})).map((task) => task.id)).toEqual(['a'])
    again.close()
  })

  it.for<[string, string]>([
    ['a line of text', 'hello'],
    ['zeros', '\0'.repeat(8_192)],
    ['text as long as a page', 'not a database\n'.repeat(1_000)],
    ['a header and nothing behind it', `SQLite format 3\0${'x'.repeat(4_096)}`],
  ])('%s: refused, and left as it is', async ([, text]) => {
    writeFileSync(path, text)
    expect(await refusal(open)).toMatchObject([
      'STORE_CORRUPT',
      expect.stringMatching(/is not a usable SQLite database/),
    ])
    expect(readFileSync(path, 'utf8')).toBe(text)
    expect(readdirSync(folder)).toEqual(['ralph.db'])
  })

  it("another program's database: refused, and left as it is, byte for byte", async () => {
    const theirs = new DatabaseSync(path)
    theirs.exec('PRAGMA application_id = 7; CREATE TABLE notes (text); INSERT INTO notes VALUES (1)')
    theirs.close()
    const before = readFileSync(path)
    expect(await refusal(open)).toEqual([
      'STORE_CORRUPT',
      `${path} is not a usable SQLite database (it belongs to another program); move it away or restore a copy`,
    ])
    expect(readFileSync(path).equals(before)).toBe(true)
    expect(readdirSync(folder)).toEqual(['ralph.db'])
  })

  it('a database that was cut short: refused as soon as that shows', async () => {
    await made(500)
    truncateSync(path, 40_960)
    const use = async () => {
      const store = await open()
      try {
        await store.tasks.list(SCOPE, {})
      } finally {
        store.close()
      }
    }
    expect(await refusal(use)).toMatchObject(['STORE_CORRUPT', expect.stringContaining(path)])
  })

  it('a folder: refused', async () => {
    mkdirSync(path)
    expect(await refusal(open)).toEqual([
      'STORE_UNREADABLE',
      `cannot open the task store ${path}: unable to open database file`,
    ])
  })

  it('below a file: refused', async () => {
    writeFileSync(path, '')
    const below = join(path, 'folder')
    expect(await refusal(() => open(join(below, 'ralph.db')))).toMatchObject([
      'STORE_UNREADABLE',
      expect.stringMatching(/^cannot open the task store .*(ENOTDIR|EEXIST)/),
    ])
  })

  it('where processes cannot share it: refused', async () => {
    expect(await refusal(() => open(':memory:'))).toEqual([
      'STORE_UNREADABLE',
      'cannot open the task store :memory:: processes cannot share a database there',
    ])
  })

  it('a copy that was taken while it was in use: opens with what was in it', async () => {
    await made(3)
    const store = await open()
    await store.tasks.syncPlan(SCOPE, [{ id: taskId('late'), text: { title: 'Late' }, line: 1 }])
    for (const end of ['', '-wal']) copyFileSync(`${path}${end}`, join(folder, `copy.db${end}`))
    store.close()
    const copy = await open(join(folder, 'copy.db'))
    expect((await copy.tasks.list(SCOPE, {})).map((task) => task.id)).toEqual(['t0', 't1', 't2', 'late'])
    copy.close()
  })
})

it('is durable against a power cut, and shared: FULL and WAL', async () => {
  const connection = await connect(path, { now: () => 0, busyLimitMs: 0, afterChange: () => {} })
  expect(connection.get('PRAGMA synchronous')).toEqual({ synchronous: 2 })
  expect(connection.get('PRAGMA journal_mode')).toEqual({ journal_mode: 'wal' })
  expect(connection.get('PRAGMA foreign_keys')).toEqual({ foreign_keys: 1 })
  connection.close()
})
