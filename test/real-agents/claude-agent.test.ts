// What the conformance suite leaves to each agent: how `claude` fails, what it says it used, how its tools are shown.
import { describe, expect, it } from 'vitest'
import type { AgentEvent, FailureKind, Outcome } from '../../src/agents/agent.ts'
import { sessionIn, tempFolder } from '../../src/agents/trial.conformance.ts'
import { atFirst, inOrder, type Scenario } from '../model-server/scenario.ts'
import { refuse, say, type Turn } from '../model-server/turn.ts'
import { openClaude } from './claude-agent.ts'
import type { Login } from './claude-environment.ts'
import { CLAUDE, NO_CLAUDE } from './claude-project.ts'
import { bash } from '../model-server/numbers-story.ts'

const SETTINGS = { timeoutMs: 50_000, idleTimeoutMs: 50_000, env: [], credentials: 'none' } as const
const USER = { PATH: process.env['PATH'], HOME: '/nonexistent' }

const done = say('It is done.\n\nTASK_COMPLETE')
const always =
  (turn: Turn): Scenario =>
  () =>
    turn

interface Ran extends Outcome {
  readonly events: readonly AgentEvent[]
  readonly asked: number
}

async function ran(scenario: Scenario, login: Login = 'key', retries?: 'its own'): Promise<Ran> {
  const more = retries === undefined ? {} : { retries }
  const { agent, server } = await openClaude(scenario, SETTINGS, USER, login, more)
  const events: AgentEvent[] = []
  const outcome = await agent.run(sessionIn(await tempFolder(), { onEvent: (event) => events.push(event) }))
  return { ...outcome, events, asked: server.log.all().filter(({ ask }) => ask !== null).length }
}

const HOUR_SECONDS = 3600

const failures: readonly { what: string; turn: Turn; kind: FailureKind; login?: Login }[] = [
  { what: 'a key that is not accepted', turn: refuse('auth'), kind: 'auth' },
  { what: 'no login', turn: done, kind: 'auth', login: 'none' },
  { what: '403', turn: refuse('forbidden'), kind: 'auth' },
  { what: 'no money', turn: refuse('credit'), kind: 'billing' },
  { what: '429', turn: refuse('rateLimit'), kind: 'rateLimit' },
  { what: '500', turn: refuse('server'), kind: 'overload' },
  { what: '529', turn: refuse('overload'), kind: 'overload' },
  { what: 'connections that break', turn: { ...done, cut: { afterParts: 0, by: 'drop' } }, kind: 'overload' },
  { what: 'a prompt that is too long', turn: refuse('tooLong'), kind: 'contextTooLong' },
  { what: 'a model that is not there', turn: refuse('unknownModel'), kind: 'unknownCommand' },
  { what: 'an answer without end', turn: { ...say('I was going to'), stops: 'length' }, kind: 'badOutput' },
  { what: 'a refusal', turn: { ...say('No.'), stops: 'refusal' }, kind: 'badOutput' },
]

describe.skipIf(CLAUDE === null)(`the agent claude${CLAUDE === null ? ` (${NO_CLAUDE})` : ''}`, () => {
  it.each(failures)('knows $what, at once and in one sentence', async ({ turn, kind, login }) => {
    const { failure, asked, finalMessage } = await ran(always(turn), login)
    expect(failure).toEqual({ kind, sentence: expect.stringMatching(/^[^\n]{20,700}$/), until: null })
    expect(finalMessage).toBe('')
    expect(asked).toBeLessThanOrEqual(6)
  })

  it('does not ask again and again with a key that is not accepted', async () => {
    const { failure, asked } = await ran(always(refuse('auth')), 'key', 'its own')
    expect(failure).toMatchObject({ kind: 'auth', until: null })
    // Left alone, it would ask 7 times, over half a minute.
    expect(asked).toBeLessThanOrEqual(6)
  })

  it('knows when the limit of a subscription is over, also after some work', async () => {
    const limit = refuse('rateLimit', { resetsInSeconds: HOUR_SECONDS })
    const before = Date.now()
    const { failure, usage } = await ran(inOrder(bash('echo one'), limit), 'subscription')
    expect(failure).toEqual({
      kind: 'rateLimit',
      sentence: expect.stringContaining('limit'),
      until: expect.any(Number),
    })
    expect(failure?.until).toBeGreaterThanOrEqual(before + HOUR_SECONDS * 1000 - 1000)
    expect(failure?.until).toBeLessThanOrEqual(Date.now() + HOUR_SECONDS * 1000 + 1000)
    expect(usage).toMatchObject({ inputTokens: 1000, outputTokens: 50 })
  })

  it.each<[string, Turn]>([
    ['a stream that breaks off', { ...done, cut: { afterParts: 4, by: 'drop' } }],
    ['an overload', refuse('overload')],
    ['an overload in the middle of a stream', { ...done, cut: { afterParts: 4, by: 'overload' } }],
  ])('gets over %s', async (_, trouble) => {
    const { failure, finalMessage } = await ran(atFirst(trouble, always(done)))
    expect({ failure, finalMessage }).toEqual({ failure: null, finalMessage: 'It is done.\n\nTASK_COMPLETE' })
  })

  it('tells its tools, its thoughts and what it used', async () => {
    const { failure, usage, events } = await ran(
      inOrder(
        { says: [{ thinking: 'hm' }, { text: 'I look.' }, ...bash('echo out; exit 3').says] },
        { ...done, tokens: { input: 10, output: 5, cacheRead: 1000, cacheWrite: 100 } },
      ),
    )
    expect(failure).toBeNull()
    expect(events.filter(({ type }) => type !== 'usage' && type !== 'log')).toEqual([
      { type: 'thinking', text: 'hm' },
      { type: 'text', text: 'I look.' },
      { type: 'toolUse', tool: 'Bash', input: 'echo out; exit 3' },
      { type: 'toolResult', tool: 'Bash', output: 'Exit code 3\nout', isError: true },
      { type: 'text', text: 'It is done.\n\nTASK_COMPLETE' },
    ])
    expect(usage).toEqual({ inputTokens: 2110, outputTokens: 55, costUsd: expect.any(Number) })
    expect(events.findLast(({ type }) => type === 'usage')).toEqual({ type: 'usage', usage })
  })
})
