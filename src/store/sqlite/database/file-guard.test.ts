import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { taskId } from '../../../core/values/id.ts'
import { newTask } from '../../../core/task/task.ts'
import type { Store } from '../../store.ts'
import { openSqliteStore } from '../sqlite-store.ts'

const SCOPE = { repo: 'r', branch: 'b' }
let folder: string
let path: string
let store: Store

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ralph guard '))
  path = join(folder, 'state', 'ralph.db')
  store = await openSqliteStore(path, () => 0)
  await create('a')
})

afterEach(() => {
  store.close()
  rmSync(folder, { recursive: true, force: true })
})

const create = (id: string) => store.tasks.create(SCOPE, newTask(taskId(id), { title: id }, [], 0))

it.for<[string, () => unknown]>([
  ['the folder is deleted', () => rmSync(join(folder, 'state'), { recursive: true })],
  ['the folder is moved', () => renameSync(join(folder, 'state'), join(folder, 'old'))],
  ['the database is moved', () => renameSync(path, `${path}.old`)],
  ['the log is deleted', () => rmSync(`${path}-wal`)],
  [
    'the log is replaced',
    () => {
      renameSync(`${path}-wal`, `${path}-wal.old`)
      writeFileSync(`${path}-wal`, '')
    },
  ],
  [
    'another process starts anew in its place',
    async () => {
      rmSync(join(folder, 'state'), { recursive: true })
      const other = await openSqliteStore(path, () => 0)
      other.close()
    },
  ],
])('writes nothing into nowhere: %s', async ([, act]) => {
  await act()
  await sleep(150)
  await expect(create('b')).rejects.toMatchObject({
    code: 'STORE_CORRUPT',
    message: `${path} is not a usable SQLite database (it, or its -wal file, was moved or deleted while in use); move it away or restore a copy`,
  })
})

it('goes on while others come and go', async () => {
  for (let turn = 0; turn < 2; turn += 1) {
    const other = await openSqliteStore(path, () => 0)
    await other.tasks.create(SCOPE, newTask(taskId(`other-${turn}`), { title: 'Other' }, [], 0))
    other.close()
    await sleep(150)
    await create(`own-${turn}`)
  }
  expect(await store.tasks.list(SCOPE, {})).toHaveLength(5)
})
