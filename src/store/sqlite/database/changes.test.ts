import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { changes } from './changes.ts'
import { type Connection, connect } from './connection.ts'
import { upgrade } from './schema.ts'
import { openWake, type Wake, wakeFile } from './wake.ts'

const TOLD = { done: false, value: undefined }
let folder: string
let path: string
let over: AbortController
let open: (readonly [Connection, Wake])[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ralph changes '))
  path = join(folder, 'ralph.db')
  over = new AbortController()
  open = []
})

afterEach(() => {
  over.abort()
  for (const [db, wake] of open) {
    wake.close()
    db.close()
  }
  rmSync(folder, { recursive: true, force: true })
})

async function opened(): Promise<readonly [Connection, Wake]> {
  const wake = openWake(path)
  const db = await connect(path, { now: () => 0, busyLimitMs: 1_000, afterChange: wake.ring })
  open.push([db, wake])
  await upgrade(db)
  return [db, wake]
}

let branches = 0
const insert = (db: Connection) =>
  db.write(() => db.run('INSERT INTO scopes (repo, branch) VALUES (?, ?)', 'r', `b${(branches += 1)}`))

it('are heard by the bell alone', async () => {
  const [[db, wake], [other]] = [await opened(), await opened()]
  const told = changes(db, wake, over.signal, 3_600_000)
  for (const writer of [other, db, other]) {
    const woken = told.next()
    await insert(writer)
    expect(await woken).toEqual(TOLD)
  }
})

it('are noticed where the bell can neither be rung nor heard', async () => {
  // A folder in the place of the file: no process can write it.
  mkdirSync(wakeFile(path))
  const [[db, wake], [other]] = [await opened(), await opened()]
  const told = changes(db, wake, over.signal, 20)
  for (const writer of [other, db, other]) {
    const woken = told.next()
    await insert(writer)
    expect(await woken).toEqual(TOLD)
  }
})

it('are looked for in vain where the database is gone: who waits is woken, to meet the reason', async () => {
  const [db, wake] = await opened()
  const told = changes(db, wake, over.signal, 20)
  const woken = told.next()
  db.close()
  expect(await woken).toEqual(TOLD)
})
