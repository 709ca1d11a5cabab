import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { RalphError } from '../../src/core/error/error.ts'
import { taskId } from '../../src/core/values/id.ts'
import { newTask } from '../../src/core/task/task.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'

const SCOPE = { repo: 'r', branch: 'b' }
const DISK_BYTES = 4 * 1024 * 1024
const TASKS_MAX = 1_000

/** A disk of 4 MB, or the reason why there is none. */
function smallDisk(): { readonly folder: string } | { readonly reason: string } {
  const folder = mkdtempSync(join(tmpdir(), 'ralph disk '))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  if (process.platform !== 'linux') return { reason: 'only Linux has tmpfs' }
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', folder], { encoding: 'utf8' })
  if (mounted.status !== 0) return { reason: `tmpfs cannot be mounted: ${mounted.error?.message ?? mounted.stderr}` }
  onTestFinished(() => void spawnSync('umount', [folder]))
  return { folder }
}

it('a full disk: the write is refused whole, what was acknowledged is there, and with room it goes on', async ({
  skip,
}) => {
  const disk = smallDisk()
  if ('reason' in disk) return skip(disk.reason)
  const path = join(disk.folder, 'ralph.db')
  const filler = join(disk.folder, 'filler')
  writeFileSync(filler, Buffer.alloc(DISK_BYTES / 4))
  const store = await openSqliteStore(path, Date.now)
  onTestFinished(() => store.close())
  const create = (id: string) =>
    store.tasks.create(SCOPE, newTask(taskId(id), { title: id, description: 'x'.repeat(20_000) }, [], 0))
  const listed = async () => (await store.tasks.list(SCOPE, {})).map((task) => task.id)

  const acknowledged: string[] = []
  let refusal: unknown = null
  while (refusal === null && acknowledged.length < TASKS_MAX) {
    const id = `t${acknowledged.length}`
    try {
      await create(id)
      acknowledged.push(id)
    } catch (error) {
      refusal = error
    }
  }
  expect(refusal).toBeInstanceOf(RalphError)
  expect(refusal).toMatchObject({
    code: 'STORE_FULL',
    retryable: true,
    http: 507,
    message: `no space left for ${path}; free some and try again`,
  })
  expect(acknowledged.length).toBeGreaterThan(10)
  expect(await listed()).toEqual(acknowledged)
  await expect(create('more')).rejects.toMatchObject({ code: 'STORE_FULL' })

  rmSync(filler)
  await create('more')
  expect(await listed()).toEqual([...acknowledged, 'more'])
  const database = new DatabaseSync(path)
  expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  database.close()
})
