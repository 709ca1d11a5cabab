import { describe, expect, it } from 'vitest'
import { inProcess } from '../rig/in-process.ts'
import { type Ended, scratch, timeless } from '../rig/scratch.ts'

function json({ stdout, ...end }: Ended): unknown {
  expect(stdout.endsWith('\n')).toBe(true)
  expect(end).toEqual({ code: 0, stderr: '' })
  return JSON.parse(timeless(stdout))
}

const EMPTY = {
  title: 'T',
  description: null,
  priority: 2,
  status: 'open',
  category: null,
  spec: null,
  ref: null,
  type: null,
  claim: 'behaviour',
  claim_from: 'default',
  reported: false,
  steps: [],
  acceptance: [],
  files_expected: [],
  deps: [],
  assignee: null,
  lease_expires_at: null,
  retry_count: 0,
  fail_reason: null,
  result: null,
  created_at: 'TIME',
  updated_at: 'TIME',
}

describe('--json', () => {
  it('gives one document for every command that succeeds', async () => {
    const { task, as, ralph } = inProcess()
    const call = async (...words: string[]) => json(await task(...words, '--json'))
    const a = { ...EMPTY, id: 'a' }
    const b = { ...EMPTY, id: 'b', deps: ['a'] }
    expect(await call('peek')).toEqual([])
    expect(await call('list')).toEqual([])
    expect(await call('agent', 'list')).toEqual([])
    expect(await call('create', 'a', 'T')).toEqual(a)
    expect(await call('create', 'b', 'T', '--deps', 'a')).toEqual(b)
    expect(await call('create', 'c', 'T')).toEqual({ ...EMPTY, id: 'c' })
    expect(await call('update', 'c', '-c', 'x')).toEqual({ ...EMPTY, id: 'c', category: 'x' })
    expect(await call('peek', '-n', '1')).toEqual([a])
    expect(await call('block', 'c', '--by', 'a')).toEqual({ id: 'c', by: 'a' })
    expect(await call('unblock', 'c', '--by', 'a')).toEqual({ id: 'c', by: 'a' })
    const held = { ...a, status: 'active', assignee: 'ann', lease_expires_at: 'TIME' }
    expect(json(await as('ann', 'claim', '--json'))).toEqual({ ...held, blocker_results: {} })
    expect(json(await as('ann', 'renew', 'a', '--json'))).toEqual(held)
    expect(json(await as('ann', 'fail', 'a', '--reason', 'r', '--json'))).toEqual({
      ...a,
      retry_count: 1,
      fail_reason: 'r',
    })
    await as('ann', 'claim', 'a')
    const done = { ...a, status: 'done', reported: true, retry_count: 1, fail_reason: 'r', result: { commit: 'x' } }
    expect(json(await as('ann', 'done', 'a', '--result', '{"commit":"x"}', '--json'))).toEqual(done)
    expect(json(await as('bob', 'claim', 'b', '--json'))).toEqual({
      ...b,
      status: 'active',
      assignee: 'bob',
      lease_expires_at: 'TIME',
      blocker_results: { a: { commit: 'x' } },
    })
    const working = { ...b, status: 'active', assignee: 'bob', lease_expires_at: 'TIME' }
    const unproved = { strength: null, sentence: null }
    expect(await call('show', 'b')).toEqual({ ...working, ...unproved })
    expect(await call('show', 'b', '--with-deps')).toEqual({ ...working, ...unproved, dependencies: [done] })
    const c = { ...EMPTY, id: 'c', category: 'x', ...unproved, dependencies: [] }
    expect(await call('show', 'c', '--with-deps')).toEqual(c)
    expect(await call('deps', 'b')).toEqual([
      { depth: 0, ...working },
      { depth: 1, ...done },
    ])
    expect(await call('list', '--status', 'done')).toEqual([done])
    expect(await call('list', '--status', 'done', '--markdown')).toEqual([done])
    expect(await call('delete', 'c')).toEqual({ ...EMPTY, id: 'c', category: 'x', status: 'deleted' })
    expect(await call('delete', '--status', 'open')).toEqual([])
    expect(await call('plan-status')).toEqual({ open: 0, active: 1, done: 1, blocked: 0, deleted: 1 })
    const input = '{"id": "n", "t": "N", "spec": "s"}\n{"id": "a", "t": "A"}\n'
    expect(json(await ralph(['task', 'plan-sync', '--json'], { input }))).toEqual({
      inserted: ['n'],
      updated: [],
      deleted: [],
      skipped_done: 1,
    })
    const agent = (await call('agent', 'register')) as { id: string }
    expect(agent).toEqual({ id: expect.stringMatching(/^[0-9a-f]{4}$/) })
    // The command takes its parent for the agent, and runs in this process.
    expect(await call('agent', 'list')).toEqual([
      { id: agent.id, pid: process.ppid, hostname: expect.any(String), started: 'TIME', status: 'active' },
    ])
    expect(await call('agent', 'deregister', agent.id)).toEqual({ id: agent.id })
  })

  it.each([
    [['show', 'x'], 2, 'TASK_NOT_FOUND', "task 'x' not found"],
    [['claim'], 2, 'NO_ELIGIBLE_TASKS', 'No eligible tasks'],
    [['claim', 'x'], 2, 'TASK_NOT_ELIGIBLE', 'Task not eligible'],
    [['agent', 'deregister', 'x'], 2, 'AGENT_NOT_FOUND', "agent 'x' not found"],
    [['create'], 1, 'TASK_ID_MISSING', 'missing task ID'],
    [['create', 'a', 'A', '--bad'], 1, 'FLAG_UNKNOWN', 'unknown flag --bad'],
    [['nope'], 1, 'COMMAND_UNKNOWN', 'unknown command nope'],
    [[], 1, 'USAGE', 'missing command'],
  ])('of an error is a document too, beside the sentence: %j', async (words, code, name, message) => {
    const { task } = inProcess()
    const end = await task(...words, '--json')
    expect(JSON.parse(end.stdout)).toEqual({ error: { code: `RALPH_${name}`, message } })
    expect(end.code).toBe(code)
    expect(end.stderr.split('\n')[0]).toBe(`Error: ${message}`)
    expect(await task(...words)).toEqual({ ...end, stdout: '' })
  })

  it('may stand before the command, and is only a word where it is a value or after --', () => {
    const { ralph, task, ok } = scratch()
    expect(json(ralph(['--json', 'task', 'list']))).toEqual([])
    expect(json(ralph(['task', '--json', 'list']))).toEqual([])
    expect(ok('create', 'a', 'A', '-d', '--json')).toBe('a\n')
    expect(ok('create', '--', '--json', '--json')).toBe('--json\n')
    expect(task('create', 'a', 'A', '-d', '--json')).toEqual({
      code: 1,
      stdout: '',
      stderr: "Error: task 'a' already exists (status: open)\n",
    })
  })
})
