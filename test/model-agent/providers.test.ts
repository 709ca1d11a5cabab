// Every provider, each in its own API: tools are called and answered, and an answer by schema comes back whole.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { AgentEvent } from '../../src/agents/agent.ts'
import { sessionIn, tempFolder } from '../../src/agents/trial.conformance.ts'
import { lastResult, turnsSoFar } from '../model-server/ask.ts'
import { startModelServer } from '../model-server/server.ts'
import { call, say } from '../model-server/turn.ts'
import { MODEL, modelAt, type Settings } from './model-agent.ts'

const report = { decision: 'approve', reasons: ['1. é ✓ 🐙'], required_fixes: [] }

it.each<[string, Settings]>([
  ['anthropic', { provider: 'anthropic', model: MODEL }],
  ['openai', { provider: 'openai', model: 'gpt-5' }],
  ['google', { provider: 'google', model: 'gemini-2.5-flash' }],
  ['openai-compatible', { provider: 'openai-compatible', model: 'local' }],
])('%s', async (_, settings) => {
  const seen: string[] = []
  const server = await startModelServer((ask) => {
    if (turnsSoFar(ask) === 0)
      return { says: [{ thinking: 'hm' }, { text: 'I look.' }, ...call('repo_read', { path: 'a.txt' }).says] }
    seen.push(lastResult(ask)?.text ?? '')
    return say(JSON.stringify(report))
  })
  onTestFinished(server.close)
  const folder = await tempFolder()
  await writeFile(join(folder, 'a.txt'), 'one\n')
  const events: AgentEvent[] = []
  const outcome = await modelAt(server.address, settings, { GEMINI_API_KEY: 'canary-key-0123456789' }).run(
    sessionIn(folder, { role: 'reviewer', onEvent: (event) => events.push(event) }),
  )
  expect(outcome).toMatchObject({ failure: null, usage: { inputTokens: 2000, outputTokens: 100 } })
  expect(JSON.parse(outcome.finalMessage)).toEqual(report)
  expect(seen).toEqual(['a.txt, lines 1 to 1 of 1:\none'])
  expect(events.map(({ type }) => type)).toEqual([
    'thinking',
    'text',
    'usage',
    'toolUse',
    'toolResult',
    'text',
    'usage',
  ])
})
