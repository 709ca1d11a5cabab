import { describe, expect, it, onTestFinished } from 'vitest'
import { lastResult, systemText, toldTo } from './ask.ts'
import { atFirst, byContent, inOrder, type Scenario, told } from './scenario.ts'
import { type ModelServer, startModelServer } from './server.ts'
import { call, type Fault, hang, refuse, say } from './turn.ts'

async function open(scenario: Scenario): Promise<ModelServer> {
  const server = await startModelServer(scenario)
  onTestFinished(server.close)
  return server
}

interface Body {
  readonly stream?: boolean
  readonly messages?: readonly object[]
  readonly [name: string]: unknown
}

function post({ address }: ModelServer, body: Body, signal?: AbortSignal): Promise<Response> {
  const messages = [{ role: 'user', content: 'go' }]
  return fetch(`${address}/v1/messages?beta=true`, {
    method: 'POST',
    body: JSON.stringify({ model: 'm', max_tokens: 10, messages, ...body }),
    ...(signal === undefined ? {} : { signal }),
  })
}

/** The events of a stream, as `[type, data]`. */
function events(text: string): [string, Record<string, unknown>][] {
  return text
    .split('\n\n')
    .filter((part) => part !== '')
    .map((part) => {
      const [, type = '', data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(part) ?? []
      return [type, JSON.parse(data) as Record<string, unknown>]
    })
}

const usage = {
  input_tokens: 1000,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 50,
}

describe('a whole answer', () => {
  it('holds text, thinking and tool calls', async () => {
    const says = [
      { thinking: 'hm' },
      { text: 'I write' },
      { call: 'Write', input: { file_path: '/a', content: 'é🐙' } },
    ]
    const server = await open(() => ({ says, tokens: { input: 7, cacheRead: 3 } }))
    const response = await post(server, { model: 'opus' })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'opus',
      content: [
        { type: 'thinking', thinking: 'hm', signature: 'c2lnbmVk' },
        { type: 'text', text: 'I write' },
        { type: 'tool_use', id: 'toolu_1_2', name: 'Write', input: { file_path: '/a', content: 'é🐙' } },
      ],
      stop_reason: 'tool_use',
      stop_sequence: null,
      usage: { ...usage, input_tokens: 7, cache_read_input_tokens: 3 },
    })
  })

  it.each([
    ['length', 'max_tokens'],
    ['refusal', 'refusal'],
  ] as const)('may stop early: %s', async (stops, reason) => {
    const server = await open(() => ({ ...say('no'), stops }))
    expect(await (await post(server, {})).json()).toMatchObject({ stop_reason: reason })
  })
})

describe('a stream', () => {
  it('has the events of the real API in their order', async () => {
    const input = { command: 'echo hello' }
    const server = await open(() => ({ says: [{ thinking: 'hm' }, { text: 'ab🐙' }, { call: 'Bash', input }] }))
    const response = await post(server, { stream: true })
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const all = events(await response.text())
    expect(all.filter(([type]) => type !== 'content_block_delta')).toEqual([
      [
        'message_start',
        {
          type: 'message_start',
          message: {
            id: 'msg_1',
            type: 'message',
            role: 'assistant',
            model: 'm',
            content: [],
            stop_reason: null,
            stop_sequence: null,
            usage: { ...usage, output_tokens: 1 },
          },
        },
      ],
      [
        'content_block_start',
        { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
      ],
      ['ping', { type: 'ping' }],
      ['content_block_stop', { type: 'content_block_stop', index: 0 }],
      ['content_block_start', { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } }],
      ['content_block_stop', { type: 'content_block_stop', index: 1 }],
      [
        'content_block_start',
        {
          type: 'content_block_start',
          index: 2,
          content_block: { type: 'tool_use', id: 'toolu_1_2', name: 'Bash', input: {} },
        },
      ],
      ['content_block_stop', { type: 'content_block_stop', index: 2 }],
      ['message_delta', { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage }],
      ['message_stop', { type: 'message_stop' }],
    ])
    const deltas = all.flatMap(([, { delta }]) => (delta === undefined ? [] : [delta as Record<string, string>]))
    const joined = (field: string): string => deltas.map((delta) => delta[field] ?? '').join('')
    expect(deltas.filter(({ type }) => type === 'text_delta').map(({ text }) => text)).toEqual(['a', 'b', '🐙'])
    expect({ thinking: joined('thinking'), signature: joined('signature') }).toEqual({
      thinking: 'hm',
      signature: 'c2lnbmVk',
    })
    expect(JSON.parse(joined('partial_json'))).toEqual(input)
  })

  it('carries much', async () => {
    const text = 'lång 🐙 '.repeat(500_000)
    const server = await open(() => say(text))
    const all = events(await (await post(server, { stream: true })).text())
    const deltas = all.map(([, { delta }]) => (delta as { text?: string } | undefined)?.text ?? '')
    expect(deltas.join('')).toBe(text)
  })

  it('may break off after some parts', async () => {
    const server = await open(() => ({ ...say('abc'), cut: { afterParts: 3, by: 'drop' } }))
    const response = await post(server, { stream: true })
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow('terminated')
  })

  it('may fall silent', async () => {
    const server = await open(() => ({ ...say('abc'), cut: { afterParts: 1, by: 'hang' } }))
    const asking = new AbortController()
    const { body } = await post(server, { stream: true }, asking.signal)
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader?.read())?.value).toContain('event: message_start')
    const more = reader?.read()
    asking.abort()
    await expect(more).rejects.toThrow('abort')
  })

  it('may end in an error', async () => {
    const server = await open(() => ({ ...say('abc'), cut: { afterParts: 1, by: 'overload' } }))
    const all = events(await (await post(server, { stream: true })).text())
    expect(all.map(([type]) => type)).toEqual(['message_start', 'error'])
    expect(all.at(-1)?.[1]).toEqual({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } })
  })
})

describe('an answer that takes its time', () => {
  const LONG_MS = 600_000

  it('comes after those that do not', async () => {
    const server = await open(atFirst({ ...say('late'), lagMs: LONG_MS }, () => say('now')))
    const asking = new AbortController()
    const late = post(server, {}, asking.signal)
    await server.log.next(() => true)
    expect((await post(server, {})).status).toBe(200)
    asking.abort()
    await expect(late).rejects.toThrow('abort')
  })

  it('may take it between its parts', async () => {
    const server = await open(() => ({ ...say('slow'), paceMs: LONG_MS }))
    const asking = new AbortController()
    const { body } = await post(server, { stream: true }, asking.signal)
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
    expect(events((await reader?.read())?.value ?? '').map(([type]) => type)).toEqual(['message_start'])
    asking.abort()
  })
})

describe('an error', () => {
  it.each<[Fault, number, string]>([
    ['auth', 401, 'authentication_error'],
    ['forbidden', 403, 'permission_error'],
    ['rateLimit', 429, 'rate_limit_error'],
    ['server', 500, 'api_error'],
    ['overload', 529, 'overloaded_error'],
    ['credit', 400, 'invalid_request_error'],
    ['tooLong', 400, 'invalid_request_error'],
    ['unknownModel', 404, 'not_found_error'],
  ])('%s is %i', async (fault, status, type) => {
    const server = await open(() => refuse(fault, { words: 'in these words' }))
    const response = await post(server, { stream: true })
    expect(response.status).toBe(status)
    expect(response.headers.get('retry-after')).toBeNull()
    expect(await response.json()).toEqual({ type: 'error', error: { type, message: 'in these words' } })
  })

  it('of a limit says when it is over', async () => {
    const before = Math.floor(Date.now() / 1000)
    const server = await open(() => refuse('rateLimit', { resetsInSeconds: 60 }))
    const { headers } = await post(server, {})
    expect(headers.get('retry-after')).toBe('60')
    expect(headers.get('anthropic-ratelimit-unified-status')).toBe('rejected')
    const reset = Number(headers.get('anthropic-ratelimit-unified-reset'))
    expect(reset).toBeGreaterThanOrEqual(before + 60)
    expect(reset).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000) + 60)
  })

  it('may be no answer at all', async () => {
    const drop = await open(() => ({ ...say('abc'), cut: { afterParts: 0, by: 'drop' } }))
    await expect(post(drop, {})).rejects.toThrow('fetch failed')
    const silent = await open(() => hang)
    const asking = new AbortController()
    const answer = post(silent, {}, asking.signal)
    await silent.log.next(() => true)
    asking.abort()
    await expect(answer).rejects.toThrow('abort')
  })
})

describe('beside the conversation', () => {
  it.each([
    ['HEAD', '/', undefined, 200],
    ['GET', '/', undefined, 404],
    ['POST', '/v1/other', '{}', 404],
    ['POST', '/v1/messages', '{"torn', 400],
    ['POST', '/prefix/v1/messages', '[]', 200],
    ['POST', '/v1/messages', 'null', 200],
  ])('%s %s %s is %i', async (method, path, body, status) => {
    const { address } = await open(() => say('hello'))
    const response = await fetch(`${address}${path}`, { method, ...(body === undefined ? {} : { body }) })
    expect(response.status).toBe(status)
  })

  it('counts tokens', async () => {
    const { address, log } = await open(() => say('hello'))
    const url = `${address}/v1/messages/count_tokens?beta=true`
    const response = await fetch(url, { method: 'POST', body: '{"messages":["abcdefgh"]}' })
    expect(await response.json()).toEqual({ input_tokens: 7 })
    expect(log.all()).toMatchObject([{ method: 'POST', path: '/v1/messages/count_tokens', ask: null, turn: null }])
  })

  it('refuses what is too large, and lives', async () => {
    const server = await open(() => say('hello'))
    expect((await post(server, { padding: 'x'.repeat(33 * 1024 * 1024) })).status).toBe(413)
    expect((await post(server, {})).status).toBe(200)
  })
})

describe('a scenario', () => {
  const planner = inOrder(say('a plan'))
  const implementer = inOrder(call('Bash', { command: 'ls' }), (ask) => say(`I saw ${lastResult(ask)?.text}`))
  const scenario = byContent({ when: told('Plan!'), play: planner }, { when: told('Build!'), play: implementer })
  const building = [{ role: 'user', content: [{ type: 'text', text: 'Build!' }] }]
  const built = [
    ...building,
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1_0', name: 'Bash', input: { command: 'ls' } }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'toolu_1_0', content: [{ type: 'text', text: 'a file' }] }],
    },
  ]
  const textOf = async (response: Response): Promise<unknown> =>
    ((await response.json()) as { content: { text: string }[] }).content[0]?.text

  it('decides by what is asked, as often as it is asked', async () => {
    const server = await open(scenario)
    const plan = { messages: [{ role: 'user', content: 'Plan!' }] }
    expect(await textOf(await post(server, { messages: built }))).toBe('I saw a file')
    expect(await textOf(await post(server, plan))).toBe('a plan')
    expect(await textOf(await post(server, plan))).toBe('a plan')
    expect(await (await post(server, { messages: building })).json()).toMatchObject({ stop_reason: 'tool_use' })
    expect(await textOf(await post(server, { messages: built }))).toBe('I saw a file')
  })

  it('says so where it has nothing to say', async () => {
    const server = await open(scenario)
    const after = [...built, { role: 'assistant', content: 'I saw a file' }, { role: 'user', content: 'and?' }]
    const message = 'the scenario has no turn 3 for "Build!\\nand?"; add one'
    const response = await post(server, { messages: after })
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ type: 'error', error: { type: 'invalid_request_error', message } })
  })

  it('may refuse at first', async () => {
    const server = await open(atFirst(refuse('overload'), () => say('now'), 2))
    const seen = [await post(server, {}), await post(server, {}), await post(server, {})]
    expect(seen.map(({ status }) => status)).toEqual([529, 529, 200])
  })

  it('sees system text, tools, results and errors', async () => {
    const server = await open(() => say('ok'))
    const content = [{ type: 'tool_result', tool_use_id: 't', content: 'no such file', is_error: true }]
    await post(server, {
      stream: true,
      system: [
        { type: 'text', text: 'one' },
        { type: 'text', text: 'two' },
      ],
      tools: [{ name: 'Bash' }, { name: 'mcp__ralph__write_scratchpad' }],
      messages: [...building, { role: 'system', content: 'three' }, { role: 'user', content }],
    })
    const [logged] = server.log.all()
    expect(logged?.ask).toEqual({
      model: 'm',
      system: 'one\ntwo',
      tools: ['Bash', 'mcp__ralph__write_scratchpad'],
      streams: true,
      messages: [
        { from: 'user', texts: ['Build!'], calls: [], results: [] },
        { from: 'system', texts: ['three'], calls: [], results: [] },
        { from: 'user', texts: [], calls: [], results: [{ id: 't', text: 'no such file', isError: true }] },
      ],
    })
    expect(logged?.ask && toldTo(logged.ask)).toBe('Build!')
    expect(logged?.ask && systemText(logged.ask)).toBe('one\ntwo\nthree')
    expect(logged?.turn).toEqual(say('ok'))
  })
})
