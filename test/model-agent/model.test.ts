// The model agent itself: its provider's refusals, its tools, its answers by schema, and its price.
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { AgentEvent, Failure, Outcome, Role } from '../../src/agents/agent.ts'
import { sessionIn, tempFolder } from '../../src/agents/trial.conformance.ts'
import { lastResult } from '../model-server/ask.ts'
import { atFirst, inOrder, type Scenario } from '../model-server/scenario.ts'
import { type ModelServer, startModelServer } from '../model-server/server.ts'
import { call, type Fault, hang, refuse, say, type Turn } from '../model-server/turn.ts'
import { type Answering, KEY, MODEL, modelAt, plainAnswers, type Settings, withAnswers } from './model-agent.ts'

interface Ran {
  readonly outcome: Outcome
  readonly events: readonly AgentEvent[]
  readonly server: ModelServer
  readonly folder: string
}

interface Asked {
  readonly role?: Role
  readonly settings?: Settings
  readonly folder?: string
  readonly context?: (folder: string, iteration: number) => Answering
}

const CHAT: Settings = {
  provider: 'openai-compatible',
  keyVariable: 'COMPATIBLE_KEY',
  model: 'local',
}

async function ran(
  scenario: Scenario,
  { role = 'implementer', settings = {}, folder, context }: Asked = {},
): Promise<Ran> {
  const server = await startModelServer(scenario)
  onTestFinished(server.close)
  const place = folder ?? (await tempFolder())
  const events: AgentEvent[] = []
  const agent = modelAt(server.address, settings)
  const outcome = await (role === 'implementer' ? withAnswers(agent, context) : agent).run(
    sessionIn(place, { role, onEvent: (event) => events.push(event) }),
  )
  return { outcome, events, server, folder: place }
}

const always =
  (turn: Turn): Scenario =>
  () =>
    turn

describe.each([
  ['anthropic', {}],
  ['openai-compatible', CHAT],
])('refused by %s', (provider, settings) => {
  it('by its status and its words', async () => {
    const cases: [Fault, Failure['kind'], RegExp][] = [
      ['auth', 'auth', /does not accept the key in [A-Z_]+_KEY \(401: .*\); set a valid one$/],
      ['forbidden', 'auth', /does not accept the key/],
      ['credit', 'billing', /there is no credit left at/],
      ['tooLong', 'contextTooLong', /^the conversation is too long for/],
      ['unknownModel', 'unknownCommand', /has no model ".*\); correct model or base_url in \[agent\.model\]$/],
      ['unscripted', 'crashed', /refuses the request \(400: the scenario has nothing to say to this\)$/],
    ]
    const all = await Promise.all(cases.map(([fault]) => ran(always(refuse(fault)), { settings })))
    expect(all.map(({ outcome }) => outcome.failure)).toEqual(
      cases.map(([, kind, sentence]) => ({ kind, sentence: expect.stringMatching(sentence), until: null })),
    )
    expect(all.map(({ server }) => server.log.all().length)).toEqual(cases.map(() => 1))
    expect(all[0]?.outcome.failure?.sentence).toContain(provider)
  })

  it('a limit is not tried again, and tells when it is over', async () => {
    const before = Date.now()
    const { outcome, server } = await ran(always(refuse('rateLimit', { resetsInSeconds: 60 })), { settings })
    expect(outcome.failure).toMatchObject({ kind: 'rateLimit' })
    expect(outcome.failure?.until).toBeGreaterThanOrEqual(before + 59_000)
    expect(outcome.failure?.until).toBeLessThanOrEqual(Date.now() + 60_000)
    expect(server.log.all()).toHaveLength(1)
  })

  it('a stream that breaks off is asked for again, and that is told', async () => {
    const cut = { ...say('half a sentence'), cut: { afterParts: 3, by: 'drop' } } as const
    const { outcome, events } = await ran(atFirst(cut, always(say('whole'))), { settings })
    expect(outcome).toMatchObject({ failure: null, finalMessage: 'whole' })
    expect(events).toContainEqual({ type: 'log', text: expect.stringMatching(/broke off; asked again \(2 of 3\)$/) })
    // What broke off was paid for as well.
    expect(outcome.usage.inputTokens).toBeGreaterThan(1000)
    expect(outcome.usage.outputTokens).toBeGreaterThanOrEqual(50)
  })

  it('an overload inside of a stream is one', async () => {
    const cut = { ...say('half a sentence'), cut: { afterParts: 3, by: 'overload' } } as const
    const { outcome } = await ran(always(cut), { settings })
    expect(outcome.failure).toMatchObject({ kind: 'overload' })
  })

  it('an answer that is cut at its length, or refused, is none', async () => {
    const cut = await ran(always({ ...say('I was going'), stops: 'length' }), { settings })
    expect(cut.outcome.failure).toMatchObject({
      kind: 'badOutput',
      sentence: expect.stringContaining('max_output_tokens'),
    })
    const refused = await ran(always({ ...say('No.'), stops: 'refusal' }), { settings })
    expect(refused.outcome.failure).toMatchObject({
      kind: 'badOutput',
      sentence: expect.stringContaining('refused to answer'),
    })
  })
})

describe('unreachable', () => {
  it('is tried three times, and then waited for by the engine', async () => {
    const server = await startModelServer(always(hang))
    await server.close()
    const agent = modelAt(server.address)
    const about = { role: 'planner', prompt: '', folder: '/', task: null, attempt: 1, iteration: 1, env: {} } as const
    const { failure } = await agent.run({ ...about, signal: new AbortController().signal, onEvent: () => {} })
    expect(failure).toEqual({
      kind: 'overload',
      sentence: `anthropic cannot be reached at ${server.address}/v1 (ECONNREFUSED); see to the network, or correct base_url in [agent.model]`,
      until: null,
    })
  })
})

describe('its tools', () => {
  it('read, search, change and check, for an implementer', async () => {
    const folder = await tempFolder()
    await writeFile(join(folder, 'sum.js'), 'export const sum = (a, b) => a - b\n')
    const seen: string[] = []
    const note =
      (turn: Turn): Scenario =>
      (ask) => {
        seen.push(lastResult(ask)?.text ?? '')
        return turn
      }
    const { outcome, events, server } = await ran(
      inOrder(
        call('repo_read', { path: '.' }),
        note(call('repo_read', { path: 'sum.js' })),
        note(call('repo_search', { text: 'SUM =' })),
        note(
          call('repo_apply_patch', { files: [{ path: 'sum.js', content: 'export const sum = (a, b) => a + b\n' }] }),
        ),
        note(call('run_checks', {})),
        note(call('no_such_tool', {})),
        note(say('done\n\nTASK_COMPLETE')),
      ),
      { folder },
    )
    expect(outcome).toMatchObject({ failure: null, finalMessage: 'done\n\nTASK_COMPLETE' })
    expect(seen).toEqual([
      'sum.js',
      'sum.js, lines 1 to 1 of 1:\nexport const sum = (a, b) => a - b',
      'sum.js:1: export const sum = (a, b) => a - b',
      'changed: sum.js',
      'all green\n\nunit: green',
      'there is no tool no_such_tool',
    ])
    expect(await readFile(join(folder, 'sum.js'), 'utf8')).toContain('a + b')
    expect(events.filter(({ type }) => type === 'toolUse')).toHaveLength(6)
    expect(server.log.all()[0]?.ask?.tools).toEqual([
      'repo_read',
      'repo_search',
      'repo_apply_patch',
      'run_checks',
      'write_scratchpad',
    ])
  })

  it('refuse to read what is not theirs, or no text', async () => {
    const cases: [object, string][] = [
      [{ path: '../outside' }, '../outside leads out of the project'],
      [{ path: '/etc/passwd' }, 'there is no /etc/passwd'],
      [{ path: 'link' }, 'a link leads link out of the project'],
      [{ path: '.git/config' }, '.git/config lies in a git folder, which is not to be read'],
      [{ path: 'binary' }, 'binary is not text'],
      [{}, "'path' must be a text"],
    ]
    const folder = await tempFolder()
    await mkdir(join(folder, '.git'))
    await writeFile(join(folder, '.git/config'), 'secret')
    await writeFile(join(folder, 'binary'), 'a\0b')
    await symlink('/etc/hostname', join(folder, 'link'))
    const calls = cases.map(([input]) => call('repo_read', { ...input }))
    const { events } = await ran(inOrder(...calls, say('ITERATION_DONE')), { folder })
    expect(events.filter(({ type }) => type === 'toolResult')).toEqual(
      cases.map(([, output]) => ({ type: 'toolResult', tool: 'repo_read', output, isError: true })),
    )
  })

  it('tell the model why a patch was not taken', async () => {
    const context = (): Answering => () => ({ applied: false, reason: 'the patch was not applied: x is protected' })
    const { events } = await ran(inOrder(call('repo_apply_patch', { diff: 'x' }), say('ITERATION_DONE')), { context })
    const output = 'the patch was not applied: x is protected'
    expect(events).toContainEqual({ type: 'toolResult', tool: 'repo_apply_patch', output, isError: true })
  })

  it('may take their time: silence is no fault then', async () => {
    const turns = inOrder(call('run_checks', {}), say('ITERATION_DONE'))
    const before = performance.now()
    await ran(turns)
    // Of the whole conversation, with nothing that is waited for.
    const settings = { idleTimeoutMs: 1_000 + 3 * (performance.now() - before) }
    const context =
      (folder: string, iteration: number): Answering =>
      async (request) => {
        if (request.do === 'runChecks') await sleep(2 * settings.idleTimeoutMs)
        return plainAnswers(folder, iteration)(request)
      }
    const { outcome } = await ran(turns, { settings, context })
    expect(outcome.failure).toBeNull()
  })

  it('are for reading only, for who only reads, and none where the config says so', async () => {
    const roles: Role[] = ['planner', 'reviewer', 'sia']
    const all = await Promise.all([
      ...roles.map((role) => ran(always(say('{}')), { role })),
      ran(always(say('{}')), { settings: { tools: 'none' } }),
    ])
    const reading = ['repo_read', 'repo_search']
    expect(all.map(({ server }) => server.log.all()[0]?.ask?.tools)).toEqual([reading, reading, reading, []])
  })
})

const report = { decision: 'approve', reasons: ['fine'], required_fixes: [] }

describe('an answer in JSON', () => {
  it('is asked for by schema, together with the tools where the provider can', async () => {
    const { outcome, server } = await ran(always(say(JSON.stringify(report))), { role: 'reviewer' })
    expect(JSON.parse(outcome.finalMessage)).toEqual(report)
    expect(server.log.all()[0]?.body).toContain('"json_schema"')
    expect(server.log.all()).toHaveLength(1)
  })

  it('is asked for by itself after the tools, where the provider cannot and the answer is none', async () => {
    const { outcome, server } = await ran(inOrder(say('I approve of it.'), say(JSON.stringify(report))), {
      role: 'reviewer',
      settings: CHAT,
    })
    expect(JSON.parse(outcome.finalMessage)).toEqual(report)
    const [first, second] = server.log.all()
    expect([first?.ask?.tools.length, second?.ask?.tools.length]).toEqual([2, 0])
    expect([first?.body.includes('json_schema'), second?.body.includes('json_schema')]).toEqual([false, true])
  })

  it('of a model that knows no schema comes by a tool', async () => {
    const { outcome } = await ran(always(call('json', { ...report })), {
      role: 'reviewer',
      settings: { model: 'claude-3-haiku-20240307', tools: 'none' },
    })
    expect(JSON.parse(outcome.finalMessage)).toEqual(report)
  })

  it('leaves out what is null', async () => {
    const patch = { diff: null, files: [{ path: 'x', content: '' }], notes: 'n', signal: 'TASK_COMPLETE', reason: null }
    const { outcome } = await ran(always(say(JSON.stringify(patch))), { settings: { tools: 'none' } })
    const { diff: _, reason: __, ...rest } = patch
    expect(JSON.parse(outcome.finalMessage)).toEqual(rest)
  })
})

describe('what it used', () => {
  it('is told after each request, with its price', async () => {
    const tokens = { input: 1000, output: 100, cacheRead: 2000, cacheWrite: 400 }
    const { outcome, events } = await ran(inOrder({ ...call('repo_read', { path: '.' }), tokens }, say('done')))
    // 5 and 25 dollars for a million; a tenth for what was read from the cache, a quarter more for what was written to it.
    const first = { inputTokens: 3400, outputTokens: 100, costUsd: expect.closeTo(0.005 + 0.001 + 0.0025 + 0.0025, 9) }
    const sum = { inputTokens: 4400, outputTokens: 150, costUsd: expect.closeTo(0.011 + 0.005 + 0.00125, 9) }
    expect(events.filter(({ type }) => type === 'usage')).toEqual([
      { type: 'usage', usage: first },
      { type: 'usage', usage: sum },
    ])
    expect(outcome.usage).toEqual(sum)
  })

  it('has the operator’s own price first, and none where nobody knows one', async () => {
    const cases: [Settings, number | null][] = [
      [{ model: 'claude-unheard-of' }, null],
      [{ model: 'x', inputPrice: 1, outputPrice: 10 }, 0.0015],
      [{ model: 'x', inputPrice: 0, outputPrice: 0 }, 0],
    ]
    const all = await Promise.all(cases.map(([settings]) => ran(always(say('done')), { settings })))
    expect(all.map(({ outcome }) => outcome.usage)).toEqual(
      cases.map(([, costUsd]) => ({ inputTokens: 1000, outputTokens: 50, costUsd })),
    )
  })
})

describe('its key', () => {
  it('goes to the provider and is shown to nobody, whoever repeats it', async () => {
    const { outcome, events, server } = await ran(
      inOrder(call('repo_read', { path: KEY }), { says: [{ text: `your key is ${KEY}` }] }),
    )
    expect(server.log.all()[0]?.headers['x-api-key']).toBe(KEY)
    expect(JSON.stringify([outcome, events])).not.toContain(KEY)
    expect(outcome.finalMessage).toBe('your key is [redacted]')
    const refused = await ran(always(refuse('auth', { words: `bad key ${KEY}` })))
    expect(refused.outcome.failure?.sentence).toContain('bad key [redacted]')
  })

  it('is missed before the first session, with the command that mends it', async () => {
    const agent = modelAt('http://127.0.0.1:9', {}, { ANTHROPIC_API_KEY: undefined })
    const reason =
      'ANTHROPIC_API_KEY is not set, so anthropic cannot be asked; run: export ANTHROPIC_API_KEY=YOUR_KEY   (or name the variable that holds it: key_variable in [agent.model])'
    expect(await agent.ready()).toEqual({ ready: false, reason })
  })

  it('is named, not shown, where the agent is described', async () => {
    const agent = modelAt('http://127.0.0.1:9')
    expect(agent.describe({ role: 'reviewer', folder: '/' })).toBe(
      `anthropic ${MODEL} at http://127.0.0.1:9/v1 (key from ANTHROPIC_API_KEY; tools: repo_read, repo_search)`,
    )
    expect(await agent.ready()).toEqual({
      ready: true,
      detail: `anthropic ${MODEL} at http://127.0.0.1:9/v1, key from ANTHROPIC_API_KEY`,
    })
  })
})
