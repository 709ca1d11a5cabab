// The OpenAI Responses API of the scripted model, as a client meets it.
import { expect, it, onTestFinished } from 'vitest'
import { lastResult, toldTo, turnsSoFar } from './ask.ts'
import { inOrder, type Scenario } from './scenario.ts'
import { startModelServer } from './server.ts'
import { call, FAULTS, refuse, say } from './turn.ts'

async function asked(scenario: Scenario, body: object): Promise<{ status: number; text: string; headers: Headers }> {
  const server = await startModelServer(scenario)
  onTestFinished(server.close)
  const answer = await fetch(`${server.address}/v1/responses`, { method: 'POST', body: JSON.stringify(body) })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

const user = (text: string) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] })

const CONVERSATION = {
  model: 'm',
  instructions: 'be good',
  tools: [
    { type: 'function', name: 'exec_command' },
    { type: 'namespace', name: 'mcp__ralph', tools: [{ type: 'function', name: 'task_peek' }] },
  ],
  input: [
    { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'rules' }] },
    { type: 'additional_context' },
    user('where'),
    user('what'),
    { type: 'reasoning', summary: [] },
    { type: 'function_call', call_id: 'c1', namespace: 'mcp__ralph', name: 'task_peek', arguments: '{"a":1}' },
    { type: 'function_call_output', call_id: 'c1', output: [{ type: 'input_text', text: 'one task' }] },
  ],
}

it('reads who said what, turn by turn, and which tools there are', async () => {
  let seen: unknown
  await asked((ask) => {
    seen = {
      model: ask.model,
      system: ask.system,
      tools: ask.tools,
      turns: turnsSoFar(ask),
      told: toldTo(ask),
      calls: ask.messages.flatMap(({ calls }) => calls),
      result: lastResult(ask),
    }
    return say('x')
  }, CONVERSATION)
  expect(seen).toEqual({
    model: 'm',
    system: 'be good',
    tools: ['exec_command', 'mcp__ralph__task_peek'],
    turns: 1,
    told: 'where\nwhat',
    calls: [{ id: 'c1', tool: 'mcp__ralph__task_peek', input: { a: 1 } }],
    result: { id: 'c1', text: 'one task', isError: false },
  })
})

it('streams text and calls in the order of the real one, and says the same whole', async () => {
  const scenario = inOrder({
    says: [{ thinking: 'hm' }, { text: 'I look.' }, ...call('mcp__ralph__task_peek', { a: 1 }).says],
    tokens: { input: 10, output: 5, cacheRead: 90 },
  })
  const { text } = await asked(scenario, { model: 'm', stream: true, input: 'go' })
  const events = text.split('\n\n').flatMap((part) => /^data: (.*)$/m.exec(part)?.[1] ?? [])
  const parsed = events.map((event) => JSON.parse(event) as { type: string; response?: object })
  expect(parsed.map(({ type }) => type.replace('response.', ''))).toEqual([
    'created',
    ...['output_item.added', 'reasoning_summary_text.delta', 'output_item.done'],
    ...['output_item.added', 'output_text.delta', 'output_item.done'],
    ...['output_item.added', 'function_call_arguments.delta', 'output_item.done'],
    'completed',
  ])
  const whole = JSON.parse((await asked(scenario, { model: 'm', input: 'go' })).text) as object
  expect(whole).toMatchObject({
    status: 'completed',
    output: [
      { type: 'reasoning' },
      { type: 'message', content: [{ type: 'output_text', text: 'I look.' }] },
      { type: 'function_call', namespace: 'mcp__ralph', name: 'task_peek', arguments: '{"a":1}' },
    ],
    usage: { input_tokens: 100, input_tokens_details: { cached_tokens: 90 }, output_tokens: 5 },
  })
  expect(parsed.at(-1)?.response).toEqual(whole)
})

it('refuses in each way, before a stream and inside of one', async () => {
  for (const fault of FAULTS) {
    const { status, text } = await asked(() => refuse(fault), { stream: true, input: 'go' })
    expect(status).toBeGreaterThanOrEqual(400)
    expect(JSON.parse(text)).toMatchObject({ error: { message: expect.any(String) } })
  }
  const cut = { ...say('half'), cut: { afterParts: 2, by: 'rateLimit' } } as const
  expect((await asked(() => cut, { stream: true, input: 'go' })).text).toMatch(
    /event: response\.failed\ndata: .*rate_limit_exceeded/,
  )
})

it('tells a subscriber when the limit is over', async () => {
  const { headers, text } = await asked(() => refuse('rateLimit', { resetsInSeconds: 60 }), { input: 'go' })
  expect(headers.get('retry-after')).toBe('60')
  expect(JSON.parse(text)).toMatchObject({ error: { type: 'usage_limit_reached', resets_in_seconds: 60 } })
})
