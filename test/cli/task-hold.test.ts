import { hostname, userInfo } from 'node:os'
import { beforeAll, describe, expect, it } from 'vitest'
import { inProcess, type InProcess, sharedInProcess } from '../rig/in-process.ts'
import { type Ended, printed, refused, scratch, timeless } from '../rig/scratch.ts'

const LEASE_BAD = refused(1, '--lease must be a non-negative integer')

let standing: InProcess
beforeAll(async () => {
  standing = sharedInProcess()
  const { ok } = standing
  for (const id of ['held', 'fin', 'gone', 'free']) await ok('create', id, id)
  await ok('create', 'blocked', 'B', '--deps', 'free')
  for (const id of ['held', 'fin']) await ok('claim', id, '--agent', 'ann')
  await ok('done', 'fin')
  await ok('delete', 'gone')
  return standing.remove
})

describe('ralph task claim', () => {
  it('takes the best task and tells all that is needed to work on it', () => {
    const { as, ok } = scratch()
    ok('create', 'one', 'One', '-p', '0')
    ok('create', 'two', 'Two', '-c', 'feat', '-r', 's', '--ref', 'r', '-s', '["x"]', '--deps', 'one')
    expect(ok('claim')).toMatch(/^## Task one\nid: one\n/)
    ok('done', 'one', '--result', '{"commit": "abc"}')
    const { stdout, ...end } = as('bob', 'claim')
    expect(end).toEqual({ code: 0, stderr: '' })
    expect(timeless(stdout)).toBe(`## Task two
id: two
title: Two
priority: 2
status: active
category: feat
spec: s
ref: r
assignee: bob
lease_expires_at: TIME
retry_count: 0
deps: one
steps:
- x
blocker_results:
- one: {"commit":"abc"}
`)
  })

  it('gives each caller another task, then none', async () => {
    const { as, ok } = inProcess()
    for (const id of ['a', 'b']) await ok('create', id, id)
    const ids: (string | null)[] = []
    for (const agent of ['ann', 'bob', 'ann'])
      ids.push(/^id: (.*)/m.exec((await as(agent, 'claim')).stdout)?.[1] ?? null)
    expect(ids).toEqual(['a', 'b', null])
    expect(await as('ann', 'claim')).toEqual(refused(2, 'No eligible tasks'))
  })

  it('holds for ten minutes, or as long as asked for, in UTC', async () => {
    const { ok } = inProcess()
    for (const id of ['a', 'b', 'c']) await ok('create', id, id)
    const from = Date.now()
    const ends: number[] = []
    for (const words of [[], ['--lease', '3600'], ['--lease=9999999999']]) {
      const end = /^lease_expires_at: (.*)$/m.exec(await ok('claim', ...words))?.[1]
      ends.push(Date.parse(`${end}Z`))
    }
    const until = Date.now()
    for (const [index, seconds] of [600, 3600, 9_999_999_999].entries()) {
      expect(ends[index]).toBeGreaterThanOrEqual(from - 1000 + seconds * 1000)
      expect(ends[index]).toBeLessThanOrEqual(until + seconds * 1000)
    }
  })

  it('is held by the agent that is named, else by who is', async () => {
    const { ralph, as, ok } = inProcess()
    for (const id of ['a', 'b', 'c', 'd']) await ok('create', id, id)
    const me = `${userInfo().username}@${hostname()}`
    expect(await ok('claim', 'a')).toContain(`\nassignee: ${me}\n`)
    expect((await as('env', 'claim', 'b', '--agent', 'flag')).stdout).toContain('\nassignee: flag\n')
    expect((await as('env', 'claim', 'c')).stdout).toContain('\nassignee: env\n')
    expect((await as('', 'claim', 'd')).stdout).toContain(`\nassignee: ${me}\n`)
    const bad = refused(1, 'an agent ID is 1 to 128 characters without white space or control characters')
    expect(await ralph(['task', 'claim', '--agent', ''])).toEqual(bad)
    expect(await as('two words', 'claim')).toEqual(bad)
  })

  it.each<[string[], Ended]>([
    ...['held', 'blocked', 'fin', 'gone', 'unknown'].map((id): [string[], Ended] => [
      ['claim', id],
      refused(2, 'Task not eligible'),
    ]),
    [['claim', 'held', '--agent', 'ann'], refused(2, 'Task not eligible')],
    [['claim', ''], refused(1, 'missing task ID', 'task claim [ID] [--lease 600] [--agent ID]')],
    ...['-1', 'x', '1.5', ''].map((lease): [string[], Ended] => [['claim', 'free', '--lease', lease], LEASE_BAD]),
    [['claim', 'free', '--lease', '10000000000'], refused(1, '--lease must be at most 9999999999')],
    [['claim', 'free', '--lease'], refused(1, '--lease needs a value', 'task claim [ID] [--lease 600] [--agent ID]')],
  ])('%j changes nothing', async (words, end) => {
    expect(await standing.untouched(words)).toEqual(end)
  })
})

describe('a lease that ran out', () => {
  it('lets another agent have the task, and the first one nothing more', async () => {
    const { as, ok, untouched } = inProcess()
    await ok('create', 'a', 'A')
    expect((await as('ann', 'claim', '--lease', '0')).stdout).toContain('retry_count: 0\n')
    expect(timeless((await as('bob', 'claim', '--lease', '60')).stdout)).toBe(`## Task a
id: a
title: A
priority: 2
status: active
assignee: bob
lease_expires_at: TIME
retry_count: 1
`)
    for (const verb of ['done', 'fail', 'renew'])
      expect(await untouched([verb, 'a'], { env: { RALPH_AGENT_ID: 'ann' } })).toEqual(
        refused(1, "agent 'ann' is not the assignee of task 'a'"),
      )
    expect(await as('bob', 'done', 'a')).toEqual(printed('done a\n'))
  })

  it('can be renewed as long as nobody else came', async () => {
    const { as, ok } = inProcess()
    await ok('create', 'a', 'A')
    await as('ann', 'claim', '--lease', '0')
    expect(await as('ann', 'renew', 'a')).toEqual(printed('renewed a\n'))
    expect(await as('bob', 'claim')).toEqual(refused(2, 'No eligible tasks'))
  })
})

describe('ralph task done and fail', () => {
  it('finish and give back', () => {
    const { as, task, ok } = scratch()
    for (const id of ['a', 'b']) ok('create', id, id)
    for (const id of ['a', 'b']) as('ann', 'claim', id)
    expect(as('ann', 'done', 'a', '--result', '{"commit": "abc", "n": [1]}')).toEqual(printed('done a\n'))
    expect(as('ann', 'fail', 'b', '--reason', 'it rains')).toEqual(printed('failed b\n'))
    expect(JSON.parse(ok('list', '--json'))).toMatchObject([
      { id: 'a', status: 'done', assignee: null, lease_expires_at: null, result: { commit: 'abc', n: [1] } },
      { id: 'b', status: 'open', assignee: null, lease_expires_at: null, retry_count: 1, fail_reason: 'it rains' },
    ])
    ok('claim', 'b', '--agent', 'ann')
    expect(task('done', 'b')).toEqual(printed('done b\n'))
  })

  it.each<[string[], Ended]>([
    [['done'], refused(1, 'missing task ID', 'task done ID [--result JSON] [--agent ID]')],
    [['fail'], refused(1, 'missing task ID', 'task fail ID [--reason TEXT] [--agent ID]')],
    [['renew'], refused(1, 'missing task ID', 'task renew ID [--lease 600] [--agent ID]')],
    ...['done', 'fail', 'renew'].flatMap((verb): [string[], Ended][] => [
      [[verb, 'x'], refused(2, "task 'x' not found")],
      [[verb, 'free'], refused(1, "task 'free' is not active (status: open)")],
      [[verb, 'fin'], refused(1, "task 'fin' is not active (status: done)")],
      [[verb, 'held', '--agent', 'bob'], refused(1, "agent 'bob' is not the assignee of task 'held'")],
    ]),
    [['renew', 'held', '--agent', 'ann', '--lease', 'long'], LEASE_BAD],
    [['done', 'held', '--result', '{"x":1}'], refused(1, "result JSON must include a 'commit' key")],
    ...['{', '[]', 'null', '"abc"', ''].map((json): [string[], Ended] => [
      ['done', 'held', '--result', json],
      refused(1, 'result must be a JSON object'),
    ]),
  ])('%j changes nothing', async (words, end) => {
    expect(await standing.untouched(words)).toEqual(end)
  })
})
