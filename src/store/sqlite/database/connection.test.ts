import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { refuse } from '../../../core/error/error.ts'
import { taskId } from '../../../core/values/id.ts'
import { newTask } from '../../../core/task/task.ts'
import { type Connection, connect } from './connection.ts'
import { openSqliteStore } from '../sqlite-store.ts'

const SCOPE = { repo: 'r', branch: 'b' }
/** Never reached: each lock is released by the test that waits for it. */
const PATIENT_MS = 600_000
/** Always reached: nobody releases the lock. */
const IMPATIENT_MS = 20
let folder: string
let path: string
let db: Connection
let impatient: Connection
let rings: number

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ralph connection '))
  path = join(folder, 'ralph.db')
  rings = 0
  db = await connectWith(PATIENT_MS)
  impatient = await connectWith(IMPATIENT_MS)
  await db.write(() => db.exec('CREATE TABLE t (a INTEGER PRIMARY KEY, b)'))
  rings = 0
})

afterEach(() => {
  db.close()
  impatient.close()
  rmSync(folder, { recursive: true, force: true })
})

const connectWith = (busyLimitMs: number): Promise<Connection> =>
  connect(path, { now: () => 0, busyLimitMs, afterChange: () => (rings += 1) })

const insert = (value: string) => db.run('INSERT INTO t (b) VALUES (?)', value)
const values = () => db.rows('SELECT b FROM t ORDER BY a').flat()

describe('a transaction', () => {
  it('is kept whole, and gives what the work gives', async () => {
    const result = await db.write(() => {
      insert('one')
      insert('two')
      return values()
    })
    expect(result).toEqual(['one', 'two'])
    expect(await db.read(values)).toEqual(['one', 'two'])
  })

  it('leaves nothing of work that throws, and the connection goes on', async () => {
    const work = db.write(() => {
      insert('one')
      throw refuse('TASK_NOT_ELIGIBLE')
    })
    await expect(work).rejects.toMatchObject({ code: 'TASK_NOT_ELIGIBLE' })
    await db.write(() => insert('two'))
    expect(await db.read(values)).toEqual(['two'])
  })

  it('leaves nothing of work that SQLite refuses', async () => {
    const work = db.write(() => {
      insert('one')
      db.run('INSERT INTO t (a, b) VALUES (1, 2)')
    })
    await expect(work).rejects.toThrow('UNIQUE constraint failed')
    expect(await db.read(values)).toEqual([])
  })

  it('is told of once if it changed something, and not otherwise', async () => {
    const told = async (work: () => unknown): Promise<number> => {
      rings = 0
      await db.write(work).catch(() => {})
      return rings
    }
    expect(await told(() => insert('one'))).toBe(1)
    expect(await told(() => ['two', 'three'].map(insert))).toBe(1)
    expect(await told(() => {})).toBe(0)
    expect(await told(() => void values())).toBe(0)
    expect(await told(() => db.run('DELETE FROM t WHERE a = 99'))).toBe(0)
    expect(await told(() => db.run('INSERT INTO t (a) VALUES (1) ON CONFLICT DO NOTHING'))).toBe(0)
    expect(
      await told(() => {
        insert('x')
        throw new Error('no')
      }),
    ).toBe(0)
    rings = 0
    await Promise.all([db.write(() => insert('x')), db.write(() => {})])
    expect(rings).toBe(1)
  })

  it('may be one of many at once on the same connection', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `n${index}`)
    await Promise.all(names.map((name) => db.write(() => insert(name))))
    expect(await db.read(values)).toEqual(names)
  })
})

describe('a locked database', () => {
  let holder: DatabaseSync

  beforeEach(() => {
    holder = new DatabaseSync(path)
    holder.exec('BEGIN IMMEDIATE')
  })

  afterEach(() => holder.close())

  it('is waited for, while the event loop goes on and readers read', async () => {
    let runs = 0
    const writing = db.write(() => {
      runs += 1
      return [values(), insert('one')]
    })
    // The first try has met the lock by now.
    expect(await db.read(values)).toEqual([])
    expect(runs).toBe(0)
    holder.exec('COMMIT')
    await writing
    // Work that meets the lock only when it writes has read in vain.
    expect(runs).toBe(1)
    expect(await db.read(values)).toEqual(['one'])
  })

  it('is given up in the end; nothing was written, and the next try may succeed', async () => {
    const work = impatient.write(() => impatient.run("INSERT INTO t (b) VALUES ('one')"))
    await expect(work).rejects.toMatchObject({
      code: 'STORE_BUSY',
      retryable: true,
      http: 503,
      message: `the task store ${path} stayed locked for 0.02 s; end the process that holds it and try again`,
    })
    holder.exec('COMMIT')
    await impatient.write(() => impatient.run("INSERT INTO t (b) VALUES ('two')"))
    expect(await db.read(values)).toEqual(['two'])
  })

  it('is waited for by who opens it the first time', async () => {
    const fresh = join(folder, 'fresh.db')
    const other = new DatabaseSync(fresh)
    other.exec('BEGIN EXCLUSIVE')
    await expect(openSqliteStore(fresh, () => 0, IMPATIENT_MS)).rejects.toMatchObject({ code: 'STORE_BUSY' })
    // The first try is made before the call returns, and meets the lock.
    const opening = openSqliteStore(fresh, () => 0, PATIENT_MS)
    other.exec('COMMIT')
    const store = await opening
    await store.tasks.create(SCOPE, newTask(taskId('a'), { title: 'A' }, [], 0))
    store.close()
    other.close()
  })
})

it('can be closed twice', () => {
  db.close()
  expect(() => db.close()).not.toThrow()
})
