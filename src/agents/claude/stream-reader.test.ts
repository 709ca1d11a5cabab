import { describe, expect, it } from 'vitest'
import type { AgentEvent, Failure, Reader, Role } from '../agent.ts'
import { startLines } from '../lines.ts'
import { claudeReader } from './stream-reader.ts'
import { recorded } from './recorded.conformance.ts'

const NOW = Date.parse('2026-11-15T07:40:00Z')

interface Read {
  readonly reader: Reader
  readonly events: readonly AgentEvent[]
}

function read(lines: readonly string[], role: Role = 'implementer'): Read {
  const reader = claudeReader(role, () => NOW)
  return { reader, events: lines.flatMap((line) => reader.line(line)) }
}

function shown(events: readonly AgentEvent[]): readonly AgentEvent[] {
  return events.filter(({ type }) => type !== 'usage')
}

const hello = '{"file_path":"/workspace/hello.txt","content":"hello\\n"}'
const created =
  'File created successfully at: /workspace/hello.txt (file state is current in your context — no need to Read it back)'

describe('a login that is refused', () => {
  const refused = (attempt: number, status: number): string =>
    `{"type":"system","subtype":"api_retry","attempt":${attempt},"max_retries":6,"retry_delay_ms":500,"error_status":${status},"error":"x"}`

  it.each([
    [401, 2, null],
    [401, 3, 'auth'],
    [529, 6, null],
  ])('as %i, %i times, is %s', (status, times, kind) => {
    const { reader } = read(Array.from({ length: times }, (_, at) => refused(at + 1, status)))
    const result = reader.result()
    expect(result !== null && 'failure' in result ? result.failure.kind : null).toBe(kind)
  })

  it('is accepted in the end where it was', () => {
    const { reader } = read([refused(1, 401), refused(2, 401), refused(3, 401), ...recorded('ok')])
    expect(reader.result()).toEqual({ finalMessage: 'Done: wrote hello.txt\n\nTASK_COMPLETE' })
  })
})

describe('a recorded session', () => {
  it('is heard in order, with what it used so far and in the end', () => {
    const { reader, events } = read(recorded('ok'))
    expect(events).toEqual([
      { type: 'text', text: 'Writing the file.' },
      { type: 'usage', usage: { inputTokens: 1500, outputTokens: 5, costUsd: null } },
      { type: 'toolUse', tool: 'Write', input: hello },
      { type: 'usage', usage: { inputTokens: 1500, outputTokens: 19, costUsd: null } },
      { type: 'toolResult', tool: 'Write', output: created, isError: false },
      { type: 'text', text: 'Done: wrote hello.txt\n\nTASK_COMPLETE' },
      { type: 'usage', usage: { inputTokens: 3000, outputTokens: 28, costUsd: null } },
      { type: 'usage', usage: { inputTokens: 3000, outputTokens: 100, costUsd: 0.01212 } },
    ])
    expect(reader.result()).toEqual({ finalMessage: 'Done: wrote hello.txt\n\nTASK_COMPLETE' })
    expect(reader.usage()).toEqual({ inputTokens: 3000, outputTokens: 100, costUsd: 0.01212 })
  })

  it('thinks, and shows commands that fail', () => {
    expect(shown(read(recorded('thinking')).events)).toEqual([
      { type: 'thinking', text: 'Let me think about it.' },
      { type: 'text', text: 'Thought.' },
      { type: 'toolUse', tool: 'Bash', input: 'echo out; echo err >&2; exit 3' },
      { type: 'toolResult', tool: 'Bash', output: 'Exit code 3\nout\nerr', isError: true },
      { type: 'text', text: 'ITERATION_DONE' },
    ])
  })

  it('runs tools at the same time, whose results come in any order', () => {
    const missing = 'File does not exist. Note: your current working directory is /workspace.'
    expect(shown(read(recorded('parallel')).events).slice(0, 6)).toEqual([
      { type: 'toolUse', tool: 'Bash', input: 'echo one' },
      { type: 'toolUse', tool: 'Bash', input: 'echo two' },
      { type: 'toolUse', tool: 'Read', input: '{"file_path":"/workspace/none.txt"}' },
      { type: 'toolResult', tool: 'Read', output: missing, isError: true },
      { type: 'toolResult', tool: 'Bash', output: 'two', isError: false },
      { type: 'toolResult', tool: 'Bash', output: 'one', isError: false },
    ])
  })

  it('calls our tools', () => {
    const input = '{"done":"a","testStatus":"b","nextStep":"c","blockers":"d"}'
    expect(read(recorded('mcp')).events).toEqual(
      expect.arrayContaining([
        { type: 'toolUse', tool: 'mcp__ralph__write_scratchpad', input },
        { type: 'toolResult', tool: 'mcp__ralph__write_scratchpad', output: 'saved', isError: false },
      ]),
    )
  })

  it.each([
    ['old-ok', 'Done: wrote hello.txt\n\nTASK_COMPLETE', 3000, 100],
    ['sub-agents', 'ITERATION_DONE', 12_000, 400],
    ['two-results', 'ITERATION_DONE', 13_500, 450],
    ['silent', '', 3000, 100],
    ['limit-near', 'Done: wrote hello.txt\n\nTASK_COMPLETE', 3000, 100],
    ['refused-harmless', 'Done.\n\nTASK_COMPLETE', 7500, 250],
    ['old-refused', 'Done.\n\nTASK_COMPLETE', 9000, 300],
  ])('went well: %s', (name, finalMessage, inputTokens, outputTokens) => {
    const { reader } = read(recorded(name))
    expect(reader.result()).toEqual({ finalMessage })
    expect(reader.usage()).toMatchObject({ inputTokens, outputTokens })
  })

  it('that may only read is not blamed for what it was refused', () => {
    expect(read(recorded('read-only'), 'reviewer').reader.result()).toEqual({ finalMessage: 'Done.\n\nTASK_COMPLETE' })
    expect(read(recorded('refused-hands'), 'reviewer').reader.result()).toHaveProperty('finalMessage')
  })

  it('tells of refusals in its log, once', () => {
    const logs = (name: string): string[] =>
      read(recorded(name)).events.flatMap((event) => (event.type === 'log' ? [event.text] : []))
    expect(logs('refused-harmless')).toEqual([
      "Refused WebFetch: Claude requested permissions to use WebFetch, but you haven't granted it yet.",
      "Refused Write: Claude requested permissions to write to /elsewhere/outside.txt, but you haven't granted it yet.",
      expect.stringMatching(/^Refused Bash: Output redirection to '\/elsewhere\/outside2.txt' needs approval/),
    ])
    expect(logs('old-refused')).toEqual(['Refused WebFetch.'])
    expect(logs('unauthorized')).toEqual([
      'The API failed (401); try 1 of 1 in 0.6 s.',
      'Invalid API key · Fix external API key',
    ])
  })

  const login = 'run "claude" and /login there, or mend the key that env of [agent.claude] names'
  const limits = 'the session reached a limit that args of [agent.claude] sets'
  it.each<[string, Failure['kind'], string, string | null]>([
    [
      'unauthorized',
      'auth',
      `the login of Claude Code is not accepted (Invalid API key · Fix external API key); ${login}`,
      null,
    ],
    [
      'old-unauthorized',
      'auth',
      `the login of Claude Code is not accepted (Invalid API key · Fix external API key); ${login}`,
      null,
    ],
    ['forbidden', 'auth', '403 Your account does not have access to Claude Code', null],
    ['login-revoked', 'auth', 'OAuth token revoked', null],
    ['login-expired', 'auth', '401 OAuth token has expired', null],
    [
      'no-credit',
      'billing',
      'the account has no credit left (Credit balance is too low); add some, or log in with another account',
      null,
    ],
    ['rate-limit-key', 'rateLimit', 'Request rejected (429) · This request would exceed your rate limit', null],
    [
      'rate-limit-subscription',
      'rateLimit',
      "a limit of the account is reached (You've hit your 5-hour limit · resets 8:27am (UTC)); the work goes on when it is over",
      '2026-11-15T08:27:27.000Z',
    ],
    ['old-rate-limit', 'rateLimit', "You've hit your limit · resets 8:27am (UTC)", '2026-11-15T08:27:27.000Z'],
    ['overloaded', 'overload', 'API Error: 529 Overloaded', null],
    ['server-error', 'overload', 'API Error: 500 Internal server error', null],
    ['connection-dropped', 'overload', 'Connection dropped (ECONNRESET)', null],
    ['prompt-too-long', 'contextTooLong', 'make the task smaller, or set a model with a larger context', null],
    ['old-prompt-too-long', 'contextTooLong', 'Prompt is too long', null],
    ['request-too-large', 'contextTooLong', 'Request too large', null],
    ['model-unknown', 'unknownCommand', 'set another one as model in [agent.claude] of ralph.toml', null],
    ['old-unknown-skill', 'unknownCommand', 'Claude Code took the prompt for a command (Unknown skill: nosuch)', null],
    ['output-too-long', 'badOutput', 'the model said more than one answer can hold', null],
    ['refusal', 'badOutput', 'the model refused to answer', null],
    ['max-turns', 'timedOut', `${limits} (Reached maximum number of turns (3)); raise it there`, null],
    ['max-budget', 'timedOut', `${limits} (Reached maximum budget ($0.01)); raise it there`, null],
    ['refused-hands', 'permissionDenied', 'refused every use of tools that the work needs (Write, Bash)', null],
    [
      'refused-our-tools',
      'permissionDenied',
      'refused every use of tools that the work needs (mcp__ralph__write_scratchpad)',
      null,
    ],
  ])('failed: %s', (name, kind, words, until) => {
    const result = read(recorded(name)).reader.result()
    expect(result).toEqual({
      failure: { kind, sentence: expect.stringContaining(words), until: until === null ? null : Date.parse(until) },
    })
  })

  it('that was cut off at any line has no result', () => {
    const lines = recorded('ok').filter((line) => line !== '')
    for (let cut = 0; cut < lines.length; cut += 1) expect(read(lines.slice(0, cut)).reader.result()).toBeNull()
  })
})

describe('lines that nobody expects', () => {
  it.each([
    '',
    'plain words',
    '{"type":"text","text":"torn in the mid',
    '[]',
    '{}',
    'null',
    '{"type":"news"}',
    '{"type":"assistant"}',
    '{"type":"user","message":7}',
    '{"type":"assistant","message":{"content":[null,7,{"type":"tool_use"}]}}',
  ])('%s does no harm', (line) => {
    const { reader, events } = read([line, ...recorded('ok')])
    expect(reader.result()).toEqual({ finalMessage: 'Done: wrote hello.txt\n\nTASK_COMPLETE' })
    expect(events.at(-1)).toEqual({ type: 'usage', usage: { inputTokens: 3000, outputTokens: 100, costUsd: 0.01212 } })
  })

  it('are shown where they are not JSON', () => {
    expect(read(['a warning', '{"half']).events).toEqual([
      { type: 'log', text: 'a warning' },
      { type: 'log', text: '{"half' },
    ])
  })

  it('a result of a tool that was never begun is passed over', () => {
    const lines = recorded('ok').filter((line) => !line.includes('"tool_use",'))
    expect(read(lines.filter((line) => !line.includes('"type":"tool_use"'))).events).not.toContainEqual(
      expect.objectContaining({ type: 'toolResult' }),
    )
  })
})

describe('lines of any length', () => {
  const use = (tool: string, input: unknown): string =>
    JSON.stringify({
      type: 'assistant',
      message: {
        id: 'm1',
        content: [{ type: 'tool_use', id: 'toolu_1', name: tool, input }],
        usage: { input_tokens: 1 },
      },
      parent_tool_use_id: null,
    })
  const answer = (content: unknown, isError: boolean): string =>
    JSON.stringify({
      type: 'user',
      message: { role: 'user', content: [{ tool_use_id: 'toolu_1', type: 'tool_result', content, is_error: isError }] },
      tool_use_result: { stdout: content, is_error: true },
    })
  const through = (lines: readonly string[]): Read => {
    const reader = claudeReader('implementer', () => NOW)
    const events: AgentEvent[] = []
    const split = startLines(1024 * 1024, (line) => events.push(...reader.line(line)))
    for (const line of lines) split.add(Buffer.from(`${line}\n`))
    split.end()
    return { reader, events }
  }

  it.each([
    ['a text', (body: string): unknown => body],
    ['blocks', (body: string): unknown => [{ type: 'text', text: body }]],
  ])('a long result is shown by its beginning: %s', (_, content) => {
    const body = '"é\\ \n🐙'.repeat(40_000)
    for (const isError of [true, false]) {
      const { events } = read([use('Bash', { command: 'cat x' }), answer(content(body), isError)])
      const result = events.at(-1)
      expect(result).toMatchObject({ type: 'toolResult', tool: 'Bash', isError })
      const { output } = result as Extract<AgentEvent, { type: 'toolResult' }>
      const [kept = '', rest] = output.split('… the rest is left out')
      expect(rest).toBe('')
      expect(kept.length).toBeGreaterThan(8000)
      expect(body.startsWith(kept.replace(/\uD83D$/, ''))).toBe(true)
    }
  })

  it('words that look like keys inside a long result change nothing', () => {
    const body = `","tool_use_id":"other","is_error":true,"type":"tool_result" ${'x'.repeat(40_000)}`
    const { events } = read([use('Bash', { command: 'cat x' }), answer(body, false)])
    expect(events.at(-1)).toMatchObject({
      type: 'toolResult',
      isError: false,
      output: expect.stringMatching(/^","tool_use_id":"other"/),
    })
  })

  it('of 3 MB, use and result still belong together, and the end is heard', () => {
    const big = 'x'.repeat(3_000_000)
    const { reader, events } = through([
      use('Write', { file_path: 'a', content: big }),
      answer(big, false),
      ...recorded('ok'),
    ])
    expect(shown(events).slice(0, 2)).toEqual([
      {
        type: 'toolUse',
        tool: 'Write',
        input: expect.stringMatching(/^\{"file_path":"a","content":"x+… the rest is left out$/),
      },
      {
        type: 'toolResult',
        tool: 'Write',
        output: expect.stringMatching(/^x+… the rest is left out$/),
        isError: false,
      },
    ])
    expect(reader.result()).toEqual({ finalMessage: 'Done: wrote hello.txt\n\nTASK_COMPLETE' })
  })

  it('words of 3 MB are shown by their beginning', () => {
    const content = [{ type: 'text', text: `first "words" ${'x'.repeat(3_000_000)}` }]
    const { events } = through([JSON.stringify({ type: 'assistant', message: { id: 'm', content } })])
    expect(events).toEqual([{ type: 'text', text: expect.stringMatching(/^first "words" x+… the rest is left out$/) }])
  })

  it('a result line that is too long ends the session with its last words', () => {
    const lines = recorded('ok').filter((line) => line !== '')
    const last = {
      ...(JSON.parse(lines.at(-1) ?? '') as object),
      permission_denials: [{ tool_name: 'X', tool_input: 'y'.repeat(2_000_000) }],
    }
    const { reader } = through([...lines.slice(0, -1), JSON.stringify(last)])
    expect(reader.result()).toEqual({ finalMessage: 'Done: wrote hello.txt\n\nTASK_COMPLETE' })
  })
})
