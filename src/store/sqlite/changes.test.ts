import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { taskId } from '../../core/id.ts'
import { newTask } from '../../core/task.ts'
import { openSqliteStore } from './sqlite-store.ts'
import { wakeFile } from './wake.ts'

const SCOPE = { repo: 'r', branch: 'b' }

it('are noticed where the bell can neither be rung nor heard', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ralph changes '))
  const path = join(folder, 'ralph.db')
  // A folder in the place of the file: nobody can write it.
  mkdirSync(wakeFile(path))
  const [store, other] = [await openSqliteStore(path, () => 0), await openSqliteStore(path, () => 0)]
  const over = new AbortController()
  onTestFinished(() => {
    over.abort()
    store.close()
    other.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const told = store.changes(over.signal)[Symbol.asyncIterator]()
  for (const [index, writer] of [other, store, other].entries()) {
    const woken = told.next()
    await writer.tasks.create(SCOPE, newTask(taskId(`t${index}`), { title: 'T' }, [], 0))
    expect(await woken).toEqual({ done: false, value: undefined })
  }
})
