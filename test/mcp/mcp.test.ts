// `ralph mcp` as an editor or an agent has it: started as a child, spoken to over stdio.
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { RALPH, scratch, type Scratch, timeless } from '../rig/scratch.ts'
import { type Client, greet, startClient } from './client.ts'

async function served(at: Scratch, ...flags: string[]): Promise<Client> {
  const client = startClient([process.execPath, RALPH, 'mcp', ...flags], { folder: at.folder, env: at.env })
  onTestFinished(async () => void (await client.end()))
  await greet(client)
  return client
}

const TOOLS = [
  'build_status',
  'report_iteration',
  'task_claim',
  'task_create',
  'task_done',
  'task_fail',
  'task_peek',
  'task_renew',
  'write_scratchpad',
]
const noIteration =
  'ERROR: there is no iteration here; only a session that the engine started has a scratchpad, a signal, patches and checks'
const scratchpad = { done: 'a', testStatus: 'b', nextStep: 'c', blockers: 'd' }

describe('the protocol', () => {
  it('begins with who it is, and offers exactly these tools, each with words and a schema', async () => {
    const at = scratch()
    const client = startClient([process.execPath, RALPH, 'mcp'], { folder: at.folder, env: at.env })
    expect(await greet(client)).toMatchObject({ serverInfo: { name: 'ralph' }, capabilities: { tools: {} } })
    const { tools } = (await client.request('tools/list')) as {
      tools: { name: string; description: string; inputSchema: { type: string } }[]
    }
    expect(tools.map(({ name }) => name).sort()).toEqual(TOOLS)
    expect(
      tools.filter(({ description, inputSchema }) => description.length < 40 || inputSchema.type !== 'object'),
    ).toEqual([])
    expect(await client.end()).toEqual({ code: 0, stderr: '' })
  })

  it('survives what no client sends', async () => {
    const client = await served(scratch())
    client.write('garbage\n\n{"jsonrpc":"2.0"}\n[]\nnull\n{"id":\n')
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    client.write(
      `{"jsonrpc":"2.0","id":900,"method":"tools/call","params":{"name":"task_peek","arguments":{"x":${deep}}}}\n`,
    )
    expect(await client.request('no/such/method')).toEqual({ error: { code: -32601, message: 'Method not found' } })
    expect(await client.request('tools/call', { name: 'merge', arguments: {} })).toMatchObject({
      error: { code: -32602 },
    })
    expect(await client.call('task_peek')).toBe('No tasks to claim, and none is being worked on.')
  })

  it('ends on a message without end, and holds no more of it than its limit', async () => {
    const client = await served(scratch())
    client.write('x'.repeat(3 * 1024 * 1024))
    expect(await client.ended).toBe(0)
  })

  it('answers what was asked before stdin ended', async () => {
    const at = scratch()
    at.ok('create', 'a', 'A')
    const client = await served(at)
    const answer = client.call('task_claim', { id: 'a' })
    const ended = client.end()
    expect(await answer).toMatch(/^## Task a\n/)
    expect(await ended).toEqual({ code: 0, stderr: '' })
  })
})

describe('in an editor, on the tasks of the repository', () => {
  it('does what ralph task does', async () => {
    const at = scratch()
    const client = await served(at, '--agent', 'ann')
    const created = { id: 'a', title: 'Make a', description: 'Why.', acceptance: ['it is there'], priority: 1 }
    expect(await client.call('task_create', created)).toBe('created a')
    expect(await client.call('task_create', { id: 'b', title: 'Make b', deps: ['a'] })).toBe('created b')
    expect(await client.call('task_peek')).toBe(at.ok('peek'))
    expect(timeless(await client.call('task_claim', {}))).toBe(
      '## Task a\nid: a\ntitle: Make a\npriority: 1\nstatus: active\nassignee: ann\nlease_expires_at: TIME\nretry_count: 0\n\nWhy.\nThe task claims new behaviour, which a test must show.',
    )
    expect(await client.call('task_renew', { id: 'a', leaseSeconds: 60 })).toBe('renewed a')
    expect(await client.call('task_done', { id: 'a', result: { commit: 'abc' } })).toBe('done a')
    expect(timeless(await client.call('task_claim', { id: 'b' }))).toContain(
      'blocker_results:\n- a: {"commit":"abc"}\n',
    )
    expect(await client.call('task_fail', { id: 'b', reason: 'no key' })).toBe('failed b')
    expect(await client.call('build_status')).toBe(
      'There is no build yet.\nTasks: 1 open, 0 active, 1 done, 0 blocked, 0 deleted.',
    )
    expect(at.ok('show', 'b')).toContain('Fail reason: no key')
  })

  it.each<[tool: string, input: object, said: string | RegExp]>([
    ['task_claim', {}, 'ERROR: No eligible tasks'],
    ['task_claim', { id: 'x' }, 'ERROR: Task not eligible'],
    ['task_done', { id: 'x' }, "ERROR: task 'x' not found"],
    ['task_fail', { id: 'a b' }, 'ERROR: a task ID is 1 to 128 characters without white space or control characters'],
    ['task_create', { id: 'x', title: '' }, 'ERROR: missing task title'],
    ['task_create', { title: 'X' }, /^ERROR: .*id.*expected string/],
    ['task_done', { id: 'x', result: {} }, /^ERROR: .*commit/],
    ['task_peek', { limit: 0 }, /^ERROR: .*limit/],
    ['write_scratchpad', scratchpad, noIteration],
    ['write_scratchpad', { done: 'a' }, /^ERROR: .*testStatus/],
    ['report_iteration', { signal: 'TASK_COMPLETE' }, noIteration],
    ['report_iteration', { signal: 'RALPH_DONE' }, /^ERROR: .*signal/],
  ])('%s %j is refused in a sentence, and changes nothing', async (name, input, said) => {
    const at = scratch()
    at.ok('create', 'z', 'Z')
    at.as('zoe', 'claim', 'z')
    const before = at.state()
    const client = await served(at)
    const answer = await client.call(name, input)
    if (typeof said === 'string') expect(answer).toBe(said)
    else expect(answer).toMatch(said)
    expect(at.state()).toEqual(before)
  })

  it('says where it is, when that is no repository', async () => {
    const at = scratch()
    const client = await served({ ...at, folder: at.root })
    expect(await client.call('task_peek')).toMatch(/^ERROR: .* is not in a git repository/)
  })
})

describe('bound to an engine that is gone', () => {
  it.each<[how: string, flags: string[], env: Record<string, string>]>([
    ['by the argument', ['--socket', '/nonexistent/a'], { RALPH_SOCKET: '' }],
    ['by the environment', [], { RALPH_SOCKET: '/nonexistent/a' }],
    ['by the argument before the environment', ['--socket', '/nonexistent/a'], { RALPH_SOCKET: '/dev/null' }],
  ])('%s', async (_, flags, env) => {
    const at = scratch()
    const client = await served({ ...at, env: { ...at.env, ...env } }, ...flags)
    expect(await client.call('task_peek')).toMatch(/^ERROR: the engine .* does not answer \(ENOENT\)/)
    expect(existsSync(at.storePath)).toBe(false)
  })

  it('says so for every tool, and never opens the store', async () => {
    const at = scratch()
    const client = await served(at, '--socket', '/nonexistent/socket')
    const inputs: Record<string, object> = {
      write_scratchpad: scratchpad,
      report_iteration: { signal: 'TASK_COMPLETE' },
      task_create: { id: 'x', title: 'X' },
    }
    for (const name of TOOLS)
      expect(await client.call(name, { id: 'x', ...inputs[name] })).toBe(
        'ERROR: the engine that started this session does not answer (ENOENT); end the session, what it made is kept',
      )
    expect(existsSync(at.storePath)).toBe(false)
  })
})

it('the command line does not load it', () => {
  expect(readFileSync(new URL('../../dist/cli.js', import.meta.url), 'utf8')).not.toMatch(/ZodError|tools\/list/)
})
