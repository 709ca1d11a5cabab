import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { BuildId, CommitId, TaskId, TreeId } from '../../../core/values/id.ts'
import { identify } from '../../../system/process-table/identity.ts'
import { start } from '../../../system/process/spawn.ts'
import { IndexedTrees } from '../known/known-folders.ts'
import { registerProcess } from '../repository/process-registry.ts'
import { isForTaking, openPool, type SlotRecord, takeAny } from './folder-place.ts'
import { removeAll } from '../../../system/remove-all.ts'

const TREE = 'a'.repeat(40) as TreeId
const NOBODYS: SlotRecord = { holder: null, tree: TREE, whole: true, at: 0 }
const TASKS: SlotRecord = {
  ...NOBODYS,
  holder: { build: 'b' as BuildId, task: 't' as TaskId, base: 'c' as CommitId },
}

async function madePool() {
  const root = await mkdtemp(join(tmpdir(), 'ralph-pool-'))
  onTestFinished(() => removeAll(root))
  const owners = await registerProcess(join(root, 'owners'))
  const folder = join(root, 'pool')
  return { root, folder, owners, context: { owners, indexes: new IndexedTrees() }, pool: openPool(folder, owners) }
}

/** The file beside folder 1 as another process would have left it. */
async function leave(folder: string, name: string, record: unknown): Promise<void> {
  await mkdir(join(folder, '1'), { recursive: true })
  await writeFile(join(folder, name), JSON.stringify(record))
}

const DEAD = 'd'.repeat(32)

describe('a pool of folders', () => {
  it('hands out a folder once, and again when it is given back', async () => {
    const { pool, context } = await madePool()
    const one = await takeAny(pool, context, TREE)
    const two = await takeAny(pool, context, TREE)
    expect([one.number, two.number]).toEqual([1, 2])
    pool.giveBack(one)
    pool.giveBack(one)
    expect((await takeAny(pool, context, TREE)).number).toBe(1)
  })

  it('prefers a folder that holds the tree already', async () => {
    const { pool, context } = await madePool()
    const other = 'b'.repeat(40) as TreeId
    const slots = [await pool.add({ ...NOBODYS, tree: other }), await pool.add(NOBODYS)]
    for (const slot of slots) pool.giveBack(slot)
    expect((await takeAny(pool, context, TREE)).number).toBe(2)
  })

  it('that was given back is nobody’s, whatever its last holder wrote', async () => {
    const { pool, context } = await madePool()
    const slot = await pool.add({ ...TASKS, whole: false })
    pool.giveBack(slot)
    expect(await pool.list()).toEqual([{ slot, owner: null, record: NOBODYS }])
    expect((await takeAny(pool, context, TREE)).number).toBe(1)
  })

  it('never gives a task’s folder to another', async () => {
    const { pool, folder, context } = await madePool()
    await leave(folder, `1.held.${DEAD}.json`, TASKS)
    expect((await takeAny(pool, context, TREE)).number).toBe(2)
  })

  it.each([
    ['torn', ''],
    ['of another shape', '{"a":1}'],
    ['null', 'null'],
  ])('leaves a folder alone whose record is %s', async (_, text) => {
    const { pool, folder, context } = await madePool()
    await leave(folder, '1.free.json', {})
    await writeFile(join(folder, '1.free.json'), text)
    expect(await pool.list()).toMatchObject([{ owner: null, record: null }])
    expect((await takeAny(pool, context, TREE)).number).toBe(2)
  })

  it('takes over from the dead, never from the living', async () => {
    const { root, pool, folder, owners, context } = await madePool()
    await leave(folder, `1.held.${DEAD}.json`, NOBODYS)
    const living = start({ argv: [execPath, '-e', 'setTimeout(() => {}, 60_000)'], cwd: root, env: {} })
    onTestFinished(() => living.kill())
    await writeFile(join(root, 'owners', `${DEAD}.json`), JSON.stringify(await identify(living.pid ?? 0)))
    const [entry] = await pool.list()
    expect(await isForTaking(entry ?? expect.fail('no entry'), owners)).toBe(false)
    living.kill()
    await living.ended
    expect(await isForTaking(entry ?? expect.fail('no entry'), owners)).toBe(true)
    expect((await takeAny(pool, context, TREE)).number).toBe(1)
  })

  it('lets exactly one of many take a folder', async () => {
    const { pool, folder } = await madePool()
    await leave(folder, '1.free.json', NOBODYS)
    const [entry] = await pool.list()
    const others = Array.from({ length: 20 }, (_, at) => {
      const token = at.toString(16).padStart(32, '0')
      return openPool(folder, { token, isAlive: async () => false, bury: async () => {} })
    })
    const taken = await Promise.all(others.map((other) => other.take(entry ?? expect.fail('no entry'))))
    expect(taken.filter(Boolean).length).toBe(1)
    expect((await readdir(folder)).length).toBe(2)
  })
})
