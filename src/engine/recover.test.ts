import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agentId, type BuildId, taskId } from '../core/values/id.ts'
import { newTask } from '../core/task/task.ts'
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts'
import type { Store } from '../store/store.ts'
import { isPidAlive } from '../system/pid.ts'
import { freeDeadLoops } from './recover.ts'

const scope = { repo: 'r', branch: 'main' }
const build = 'b_1' as BuildId
/** Of a process that has ended; its number is not given out again within the moment this test takes. */
const gone = spawnSync(process.execPath, ['--version']).pid

let folder: string
let store: Store

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ralph-recover-'))
  store = await openSqliteStore(join(folder, 'ralph.db'), Date.now)
})
afterAll(() => {
  store.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('freeDeadLoops', () => {
  it.each([
    ['a loop that is gone', { agent: 'aaa1', pid: gone, hostname: 'here' }, build, 'open'],
    ['a loop that runs', { agent: 'aaa2', pid: process.pid, hostname: 'here' }, build, 'active'],
    ['a loop of another machine', { agent: 'aaa3', pid: gone, hostname: 'there' }, build, 'active'],
    ['somebody who never said who they are', { agent: 'aaa4', pid: null, hostname: 'here' }, build, 'active'],
    ['a loop of another build', { agent: 'aaa5', pid: gone, hostname: 'here' }, 'b_2' as BuildId, 'active'],
  ])('a task of %s', async (name, { agent, pid, hostname }, own, status) => {
    const id = taskId(`t-${agent}`)
    await store.tasks.create(scope, newTask(id, { title: name }, [], 1))
    if (pid !== null) await store.agents.register({ id: agentId(agent), pid, hostname, startedAt: 1 })
    await store.tasks.claim(scope, { id, agent: agentId(agent), leaseSeconds: 60, build: own })
    const isKnownGone: Parameters<typeof freeDeadLoops>[0]['isKnownGone'] = (loop) =>
      loop.hostname === 'here' && !isPidAlive(loop.pid)
    await freeDeadLoops({ store, scope, isKnownGone }, build)
    const task = await store.tasks.find(scope, id)
    const isFree = status === 'open'
    expect([task?.status, task?.assignee, task?.leaseExpiresAt !== null, task?.retryCount]).toEqual([
      status,
      isFree ? null : agent,
      !isFree,
      0,
    ])
    const isListed = (await store.agents.list()).some(({ id: listed }) => listed === agent)
    expect(isListed).toBe(pid !== null && !isFree)
  })
})
