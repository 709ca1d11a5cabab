// The conversation itself, with the agent's lines played by hand: what is asked, answered, shown and made of the end.
import { describe, expect, it } from 'vitest'
import type { AgentEvent, Role } from '../agent.ts'
import type { Fields } from '../shared/fields.ts'
import { conversation } from './conversation.ts'

const NOW = 1_000_000

interface Played {
  readonly sent: Fields[]
  readonly events: AgentEvent[]
  readonly hear: (message: object) => void
  readonly raw: (line: string) => void
  readonly result: () => unknown
  readonly usage: () => unknown
  readonly cancel: () => void
}

interface ConversationSetup {
  readonly role?: Role
  readonly model?: string
  /** What `session/new` says more. */
  readonly session?: object
  readonly reads?: boolean
}

/** Up to the prompt. */
function begun({ role = 'implementer', model, session = {}, reads = true }: ConversationSetup = {}): Played {
  const talk = conversation({
    role,
    prompt: 'Do it.',
    model: model ?? null,
    session: { cwd: '/work', mcpServers: [] },
    folders: ['/work'],
    now: () => NOW,
  })
  const sent: Fields[] = []
  const events: AgentEvent[] = []
  const raw = (line: string): void => void events.push(...talk.reader.line(line))
  const hear = (message: object): void => raw(JSON.stringify({ jsonrpc: '2.0', ...message }))
  talk.begin((text) => {
    sent.push(JSON.parse(text) as Fields)
    return reads
  })
  hear({ id: 1, result: { protocolVersion: 1, agentInfo: { name: 'tester', version: '7' }, authMethods: METHODS } })
  hear({ id: 2, result: { sessionId: 's', ...session } })
  return { sent, events, hear, raw, result: talk.reader.result, usage: talk.reader.usage, cancel: talk.cancel }
}

const METHODS = [{ id: 'a', name: 'Log in with A' }]

const update = (one: object): object => ({ method: 'session/update', params: { sessionId: 's', update: one } })
const chunk = (text: string): object =>
  update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } })

describe('a session', () => {
  it('is asked for, told the prompt and ended by its stop reason', () => {
    const { sent, hear, result, events } = begun()
    expect(sent).toEqual([
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: {
          protocolVersion: 1,
          clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
        },
      },
      { jsonrpc: '2.0', id: 2, method: 'session/new', params: { cwd: '/work', mcpServers: [] } },
      {
        jsonrpc: '2.0',
        id: 3,
        method: 'session/prompt',
        params: { sessionId: 's', prompt: [{ type: 'text', text: 'Do it.' }] },
      },
    ])
    hear(chunk('I lo'))
    hear(chunk('ok.\nThen I '))
    hear(update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'hm' } }))
    hear(update({ sessionUpdate: 'something_new', content: {} }))
    hear(chunk('Done.\n\nTASK_COMPLETE'))
    expect(result()).toBeNull()
    hear({ id: 3, result: { stopReason: 'end_turn' } })
    expect(result()).toEqual({ finalMessage: 'Done.\n\nTASK_COMPLETE' })
    expect(events).toEqual([
      { type: 'text', text: 'I look.' },
      { type: 'text', text: 'Then I ' },
      { type: 'thinking', text: 'hm' },
      { type: 'text', text: 'Done.' },
      { type: 'text', text: 'TASK_COMPLETE' },
    ])
  })

  it('that reads has no hands where there is a mode for that; the model is chosen from what is offered', () => {
    const session = {
      modes: { currentModeId: 'auto', availableModes: [{ id: 'auto' }, { id: 'read-only' }] },
      configOptions: [
        { id: 'm', category: 'model', type: 'select', options: [{ group: 'g', options: [{ value: 'big' }] }] },
      ],
    }
    const { sent, hear } = begun({ role: 'reviewer', model: 'big', session })
    hear({ id: 3, result: {} })
    hear({ id: 4, result: { configOptions: [] } })
    expect(sent.slice(2).map(({ method, params }) => [method, params])).toEqual([
      ['session/set_mode', { sessionId: 's', modeId: 'read-only' }],
      ['session/set_config_option', { sessionId: 's', configId: 'm', value: 'big' }],
      ['session/prompt', { sessionId: 's', prompt: [{ type: 'text', text: 'Do it.' }] }],
    ])
  })

  it('with a list of models chooses from that', () => {
    const { sent } = begun({ model: 'big', session: { models: { availableModels: [{ modelId: 'big' }] } } })
    expect(sent[2]).toMatchObject({ method: 'session/set_model', params: { sessionId: 's', modelId: 'big' } })
  })

  it('is not begun with a model that is not there', () => {
    const { result, sent } = begun({ model: 'big', session: { models: { availableModels: [{ modelId: 'small' }] } } })
    expect(result()).toMatchObject({
      failure: {
        kind: 'unknownCommand',
        sentence: 'the agent has no model "big" to choose; use one of these: small',
      },
    })
    expect(sent).toHaveLength(2)
  })

  it('is cancelled by its id', () => {
    const { sent, cancel } = begun()
    cancel()
    expect(sent.at(-1)).toEqual({ jsonrpc: '2.0', method: 'session/cancel', params: { sessionId: 's' } })
  })

  it('shows tools when it is known what they are, and what came of them', () => {
    const { hear, events } = begun()
    hear(update({ sessionUpdate: 'tool_call', toolCallId: 'a', title: 'Terminal', kind: 'execute', status: 'pending' }))
    hear(update({ sessionUpdate: 'tool_call_update', toolCallId: 'a', rawInput: { command: 'ls' }, title: 'ls' }))
    hear(update({ sessionUpdate: 'tool_call_update', toolCallId: 'a', status: 'in_progress' }))
    hear(update({ sessionUpdate: 'tool_call', toolCallId: 'b', title: 'Edit x', kind: 'edit', status: 'in_progress' }))
    hear(update({ sessionUpdate: 'tool_call_update', toolCallId: 'a', status: 'failed', rawOutput: { code: 1 } }))
    const content = [
      { type: 'diff', path: '/work/x' },
      { type: 'content', content: { type: 'text', text: 'ok' } },
    ]
    hear(update({ sessionUpdate: 'tool_call_update', toolCallId: 'b', status: 'completed', content }))
    expect(events).toEqual([
      { type: 'toolUse', tool: 'execute', input: 'ls' },
      { type: 'toolUse', tool: 'edit', input: 'Edit x' },
      { type: 'toolResult', tool: 'execute', output: '{"code":1}', isError: true },
      { type: 'toolResult', tool: 'edit', output: '(changed /work/x)\nok', isError: false },
    ])
  })

  it.each([
    [{ usage: { inputTokens: 10, outputTokens: 5, cachedReadTokens: 100, thoughtTokens: 2 } }, 110, 7],
    [{ _meta: { quota: { token_count: { input_tokens: 10, output_tokens: 5 } } } }, 10, 5],
    [{}, 0, 0],
  ])('tells what it used: %j', (more, inputTokens, outputTokens) => {
    const { hear, usage, events } = begun()
    hear(update({ sessionUpdate: 'usage_update', used: 1, size: 2, cost: { amount: 0.5, currency: 'USD' } }))
    hear({ id: 3, result: { stopReason: 'end_turn', ...more } })
    expect(usage()).toEqual({ inputTokens, outputTokens, costUsd: 0.5 })
    expect(events.at(-1)).toEqual({ type: 'usage', usage: usage() })
  })
})

const options = [
  { optionId: 'always', name: 'Always', kind: 'allow_always' },
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
]

describe('a permission', () => {
  const inFolder = [{ path: '/work/src/x.ts' }, { path: 'y.ts' }]
  it.each<[Role, string, object, string]>([
    ['implementer', 'edit', { locations: inFolder }, 'yes'],
    ['implementer', 'execute', {}, 'yes'],
    ['implementer', 'other', {}, 'yes'],
    ['implementer', 'edit', { locations: [...inFolder, { path: '/etc/passwd' }] }, 'no'],
    ['implementer', 'edit', { locations: [{ path: '/work/../home/x' }] }, 'no'],
    ['implementer', 'edit', { content: [{ type: 'diff', path: '/workshop/x' }] }, 'no'],
    ['implementer', 'delete', { locations: [{ path: '../x' }] }, 'no'],
    ['implementer', 'read', { locations: [{ path: '/etc/hosts' }] }, 'yes'],
    ['reviewer', 'read', { locations: [{ path: '/etc/hosts' }] }, 'yes'],
    ['planner', 'search', {}, 'yes'],
    ['sia', 'think', {}, 'yes'],
    ['reviewer', 'edit', { locations: inFolder }, 'no'],
    ['planner', 'execute', {}, 'no'],
    ['sia', 'other', {}, 'no'],
    ['sia', '', {}, 'no'],
  ])('%s, %s %j: %s', (role, kind, call, optionId) => {
    const { hear, sent, events } = begun({ role })
    const toolCall = { toolCallId: 't', title: 'Use it', kind, ...call }
    hear({ id: 'ask-1', method: 'session/request_permission', params: { sessionId: 's', options, toolCall } })
    const result = { outcome: { outcome: 'selected', optionId } }
    expect(sent.at(-1)).toEqual({ jsonrpc: '2.0', id: 'ask-1', result })
    expect(events.filter(({ type }) => type === 'log')).toHaveLength(optionId === 'no' ? 1 : 0)
  })

  it('that is given shows the tool at once, as nothing may be told of it until it is over', () => {
    const { hear, events } = begun()
    const toolCall = { toolCallId: 't', title: 'Run it', kind: 'execute', status: 'pending' }
    hear({ id: 1, method: 'session/request_permission', params: { sessionId: 's', options, toolCall } })
    expect(events).toEqual([{ type: 'toolUse', tool: 'execute', input: 'Run it' }])
  })

  it('without a fitting answer is not given', () => {
    const { hear, sent } = begun({ role: 'sia' })
    const params = { sessionId: 's', options: options.slice(0, 2), toolCall: { toolCallId: 't', kind: 'edit' } }
    hear({ id: 9, method: 'session/request_permission', params })
    expect(sent.at(-1)).toEqual({ jsonrpc: '2.0', id: 9, result: { outcome: { outcome: 'cancelled' } } })
  })

  it.each(['fs/write_text_file', 'terminal/create', 'elicitation/create'])('%s is not offered', (method) => {
    const { hear, sent } = begun()
    hear({ id: 5, method, params: { path: '/work/x', content: 'x' } })
    const error = { code: -32_601, message: `${method} is not offered` }
    expect(sent.at(-1)).toEqual({ jsonrpc: '2.0', id: 5, error })
  })
})

describe('the end', () => {
  it.each([
    ['max_tokens', 'badOutput'],
    ['max_turn_requests', 'timedOut'],
    ['refusal', 'badOutput'],
    ['cancelled', 'killed'],
    ['a_new_one', 'badOutput'],
  ])('%s is %s', (stopReason, kind) => {
    const { hear, result } = begun()
    hear({ id: 3, result: { stopReason } })
    expect(result()).toMatchObject({ failure: { kind, sentence: expect.stringMatching(/; /) } })
  })

  it.each<[unknown, string, string, number?]>([
    [{ code: -32_000, message: 'Authentication required' }, 'auth', 'it offers: Log in with A'],
    [{ code: -32_603, message: 'Internal error', data: { details: 'API key not valid.' } }, 'auth', 'tester 7'],
    [{ code: 429, message: 'Please retry in 30s.' }, 'rateLimit', 'Please retry', NOW + 30_000],
    [{ code: -32_603, message: 'Internal error', data: { details: 'API Error: 529 Overloaded' } }, 'overload', '529'],
    [{ code: -32_603, message: 'Internal error', data: 'Your credit balance is too low' }, 'billing', 'credit'],
    [{ code: -32_603, message: 'Prompt is too long' }, 'contextTooLong', 'smaller'],
    [{ code: -32_601, message: '"Method not found"' }, 'unknownCommand', 'session/prompt'],
    [{ code: -32_603, message: 'Internal error' }, 'crashed', 'session/prompt'],
    [{ code: -32_603, message: 'Internal error: The process exited.' }, 'crashed', 'The process exited.'],
    ['nonsense', 'crashed', 'session/prompt'],
  ])('of an error: %j', (error, kind, words, until) => {
    const { hear, result } = begun()
    hear({ id: 3, error })
    expect(result()).toEqual({ failure: { kind, sentence: expect.stringContaining(words), until: until ?? null } })
  })

  it('comes at once where another version of the protocol is spoken', () => {
    const talk = conversation({
      role: 'implementer',
      prompt: 'x',
      model: null,
      session: { cwd: '/', mcpServers: [] },
      folders: [],
      now: () => NOW,
    })
    talk.begin(() => true)
    talk.reader.line('{"id":1,"result":{"protocolVersion":2}}')
    expect(talk.reader.result()).toMatchObject({ failure: { kind: 'unknownCommand' } })
  })

  it('comes where the agent asks and asks and reads no answer', () => {
    expect(begun({ reads: false }).result()).toMatchObject({ failure: { kind: 'badOutput' } })
  })
})

describe('a line that is too long to be had whole', () => {
  const long = (message: object): string => {
    const line = JSON.stringify({ jsonrpc: '2.0', ...message })
    return `${line.slice(0, 100_000)}… 50000000 bytes left out`
  }
  const text = `"type":"x" \\ \n${'y'.repeat(200_000)}`

  it('of words is heard by its beginning', () => {
    const { raw, events, hear, result } = begun()
    raw(long(chunk(text)))
    hear(chunk('after'))
    hear({ id: 3, result: { stopReason: 'end_turn' } })
    expect(events.map((event) => 'text' in event && event.text.slice(0, 20))).toEqual([
      '"type":"x" \\ ',
      'yyyyyyyyyyyyyyyyyyyy',
      'after',
    ])
    expect(result()).toMatchObject({ finalMessage: expect.stringMatching(/^"type".*… the rest is left out\nafter$/s) })
  })

  it('of a tool ends its use', () => {
    const { raw, hear, events } = begun()
    hear(update({ sessionUpdate: 'tool_call', toolCallId: 'a', title: 't', kind: 'read', status: 'in_progress' }))
    const content = [{ type: 'content', content: { type: 'text', text } }]
    raw(long(update({ sessionUpdate: 'tool_call_update', toolCallId: 'a', status: 'failed', content })))
    expect(events.at(-1)).toMatchObject({ type: 'toolResult', tool: 'read', isError: true })
  })

  it('of a request is refused', () => {
    const { raw, sent } = begun()
    raw(long({ id: 8, method: 'session/request_permission', params: { toolCall: { rawInput: text } } }))
    expect(sent.at(-1)).toMatchObject({ id: 8, error: { message: 'the request is longer than 1 MiB' } })
  })

  it('of an answer still ends the turn', () => {
    const { raw, result } = begun()
    raw(long({ id: 3, result: { stopReason: 'end_turn', _meta: { text } } }))
    expect(result()).toEqual({ finalMessage: '' })
  })

  it('of nothing that is known is passed over', () => {
    const { raw, events } = begun()
    raw(long({ method: 'x', params: { text } }))
    raw('not JSON')
    raw('[1]')
    expect(events).toEqual([
      { type: 'log', text: 'not JSON' },
      { type: 'log', text: '[1]' },
    ])
  })
})
