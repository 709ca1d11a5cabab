// Agents that print without end, in the protocol and past it: neither our memory nor the last words suffer.
import { execPath, memoryUsage } from 'node:process'
import { beforeAll, describe, expect, it } from 'vitest'
import { prepareForLongWork } from '../../system/long-work.ts'
import type { Outcome } from '../agent.ts'
import { programAgent } from '../program-agent.ts'
import { tempFolder } from '../trial.conformance.ts'
import { HANG_MS } from '../../../test/rig/hang.ts'
import { acpAdapter } from './acp-adapter.ts'

const GROWTH_MAX_BYTES = 64 * 1024 * 1024

/** Answers what it is asked; the turn is what is given: statements that end with `done()`, or do not end. */
const agentOf = (turn: string): string => `
import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
const print = (text) => {
  for (let rest = Buffer.from(text); rest.length > 0; )
    try { rest = rest.subarray(writeSync(1, rest)) } catch (error) { if (error.code !== 'EAGAIN') process.exit(1) }
}
const send = (message) => print(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
const say = (text) =>
  send({ method: 'session/update', params: { sessionId: 's', update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } } } })
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  const done = () => send({ id, result: { stopReason: 'end_turn' } })
  if (method === 'initialize') send({ id, result: { protocolVersion: 1 } })
  if (method === 'session/new') send({ id, result: { sessionId: 's' } })
  if (method === 'session/prompt') { ${turn} }
})`

async function ran(turn: string): Promise<{ outcome: Outcome; growthBytes: number }> {
  const user = { PATH: process.env['PATH'], HOME: '/nonexistent' }
  const settings = { timeoutMs: HANG_MS, idleTimeoutMs: HANG_MS, env: [], credentials: 'none' } as const
  const command = [execPath, '--input-type=module', '-e', agentOf(turn)]
  const agent = programAgent(acpAdapter({ command, model: null, args: [] }, '/'), settings, user)
  const about = { role: 'implementer', task: null, attempt: 1, iteration: 1, env: {}, prompt: 'Do it.' } as const
  const before = memoryUsage.rss()
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, memoryUsage.rss())
  }, 20)
  const signal = new AbortController().signal
  const outcome = await agent.run({ ...about, folder: await tempFolder(), signal, onEvent: () => {} })
  clearInterval(watch)
  return { outcome, growthBytes: Math.max(most, memoryUsage.rss()) - before }
}

describe('a flood', () => {
  beforeAll(prepareForLongWork)

  it.each([
    ['of lines that are no messages', `const lines = ('x'.repeat(63) + '\\n').repeat(1024); for (;;) print(lines)`],
    ['of one line', `for (;;) print('x'.repeat(65536))`],
    ['of messages', `for (;;) say('x'.repeat(4000))`],
    [
      'of one message',
      `print('{"jsonrpc":"2.0","method":"session/update","params":{"x":"'); for (;;) print('x'.repeat(65536))`,
    ],
  ])('%s is ended', async (_, turn) => {
    const { outcome, growthBytes } = await ran(turn)
    const sentence = 'acp printed without end and was stopped'
    expect(outcome.failure).toEqual({ kind: 'badOutput', sentence, until: null })
    expect(growthBytes).toBeLessThan(GROWTH_MAX_BYTES)
  })

  it('of questions whose answers are not read is ended', async () => {
    const ask = `send({ id: n++, method: 'session/request_permission', params: { sessionId: 's', options: [], toolCall: { toolCallId: 't', kind: 'edit' } } })`
    const { outcome, growthBytes } = await ran(`let n = 0; for (;;) ${ask}`)
    const sentence = 'the agent asks without end and reads no answer; it was stopped'
    expect(outcome.failure).toEqual({ kind: 'badOutput', sentence, until: null })
    expect(growthBytes).toBeLessThan(GROWTH_MAX_BYTES)
  })

  it('of 50 MB in one message leaves the words after it', async () => {
    const { outcome, growthBytes } = await ran(`say('x'.repeat(50_000_000)); say('after\\n\\nTASK_COMPLETE'); done()`)
    expect(outcome.failure).toBeNull()
    expect(outcome.finalMessage).toMatch(/^x{1000,20000}… the rest is left out\nafter\n\nTASK_COMPLETE$/)
    expect(growthBytes).toBeLessThan(GROWTH_MAX_BYTES)
  })
})
