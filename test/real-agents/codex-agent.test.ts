// Behaviour that the conformance suite does not cover: the failures of `codex`, its usage figures, the display of its
// tools, and the limits of its sandbox for each role.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AgentEvent, FailureKind, Outcome, Role } from '../../src/agents/agent.ts'
import { sessionIn, tempFolder } from '../../src/agents/trial.conformance.ts'
import { bash } from '../model-server/numbers-story.ts'
import { atFirst, inOrder, type Scenario } from '../model-server/scenario.ts'
import { refuse, say, type Turn } from '../model-server/turn.ts'
import { openCodex } from './codex-agent.ts'
import { CODEX, NO_CODEX } from './codex-environment.ts'

const SETTINGS = { timeoutMs: 50_000, idleTimeoutMs: 50_000, env: [], credentials: 'none' } as const
const USER = { PATH: process.env['PATH'], HOME: '/nonexistent' }

const done = say('It is done.\n\nTASK_COMPLETE')
const always =
  (turn: Turn): Scenario =>
  () =>
    turn

interface Ran extends Outcome {
  readonly events: readonly AgentEvent[]
  readonly folder: string
  readonly bodies: readonly string[]
}

async function ran(scenario: Scenario, role: Role = 'implementer', sandbox?: 'its own'): Promise<Ran> {
  const { agent, server } = await openCodex(scenario, SETTINGS, USER, sandbox === undefined ? {} : { sandbox })
  const events: AgentEvent[] = []
  const folder = await tempFolder()
  const outcome = await agent.run(sessionIn(folder, { role, onEvent: (event) => events.push(event) }))
  return { ...outcome, events, folder, bodies: server.log.all().map(({ body }) => body) }
}

const HOUR_SECONDS = 3600

const failures: readonly { what: string; turn: Turn; kind: FailureKind }[] = [
  { what: 'a key that is not accepted', turn: refuse('auth'), kind: 'auth' },
  { what: '403', turn: refuse('forbidden'), kind: 'auth' },
  { what: 'no money', turn: refuse('credit'), kind: 'billing' },
  { what: 'no money, in a stream', turn: { ...done, cut: { afterParts: 2, by: 'credit' } }, kind: 'billing' },
  { what: '429', turn: refuse('rateLimit'), kind: 'rateLimit' },
  { what: 'a limit in a stream', turn: { ...done, cut: { afterParts: 2, by: 'rateLimit' } }, kind: 'rateLimit' },
  { what: '500', turn: refuse('server'), kind: 'overload' },
  { what: '503', turn: refuse('overload'), kind: 'overload' },
  { what: 'connections that break', turn: { ...done, cut: { afterParts: 0, by: 'drop' } }, kind: 'overload' },
  { what: 'a prompt that is too long', turn: refuse('tooLong'), kind: 'contextTooLong' },
  { what: 'the same, in a stream', turn: { ...done, cut: { afterParts: 2, by: 'tooLong' } }, kind: 'contextTooLong' },
  { what: 'a model that is not there', turn: refuse('unknownModel'), kind: 'unknownCommand' },
  { what: 'an answer without end', turn: { ...say('I was going to'), stops: 'length' }, kind: 'badOutput' },
  { what: 'a refusal', turn: { ...say('No.'), stops: 'refusal' }, kind: 'badOutput' },
]

describe.skipIf(CODEX === null)(`the agent codex${CODEX === null ? ` (${NO_CODEX})` : ''}`, () => {
  it.each(failures)('knows $what, at once and in one sentence', async ({ turn, kind }) => {
    const { failure, bodies, finalMessage } = await ran(always(turn))
    expect(failure).toEqual({ kind, sentence: expect.stringMatching(/^[^\n]{20,700}$/), until: null })
    expect(finalMessage).toBe('')
    expect(bodies.length).toBeLessThanOrEqual(6)
  })

  it('knows when the limit of a subscription is over, also after some work', async () => {
    const limit = refuse('rateLimit', { resetsInSeconds: HOUR_SECONDS })
    const before = Date.now()
    const { failure, usage } = await ran(inOrder(bash('echo one'), limit))
    expect(failure).toEqual({
      kind: 'rateLimit',
      sentence: expect.stringContaining('limit'),
      until: expect.any(Number),
    })
    // Told in whole minutes.
    expect(failure?.until).toBeGreaterThanOrEqual(before + HOUR_SECONDS * 1000)
    expect(failure?.until).toBeLessThanOrEqual(Date.now() + (HOUR_SECONDS + 61) * 1000)
    expect(usage.inputTokens).toBeGreaterThan(0)
  })

  it.each<[string, Turn]>([
    ['a stream that breaks off', { ...done, cut: { afterParts: 3, by: 'drop' } }],
    ['an overload', refuse('server')],
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
      { type: 'toolUse', tool: 'shell', input: 'echo out; exit 3' },
      { type: 'toolResult', tool: 'shell', output: 'out\n', isError: true },
      { type: 'text', text: 'It is done.\n\nTASK_COMPLETE' },
    ])
    expect(usage).toEqual({ inputTokens: 2110, outputTokens: 55, costUsd: null })
    expect(events.findLast(({ type }) => type === 'usage')).toEqual({ type: 'usage', usage })
  })

  it('holds the model of a role that answers in JSON to its form', async () => {
    const answer = '{"decision":"approve","reasons":[],"required_fixes":[]}'
    const { finalMessage, bodies } = await ran(always(say(answer)), 'reviewer')
    expect(finalMessage).toBe(answer)
    const { text } = JSON.parse(bodies[0] ?? '{}') as { text: { format: { schema: { required: string[] } } } }
    expect(text.format).toMatchObject({ type: 'json_schema', strict: true })
    expect(text.format.schema.required).toEqual(['decision', 'reasons', 'required_fixes'])
  })

  it.each<[Role, boolean]>([
    ['implementer', true],
    ['reviewer', false],
    ['planner', false],
    ['sia', false],
  ])('in its sandbox, the %s may write in the folder: %s; outside nobody may', async (role, isAllowed) => {
    const outside = join(import.meta.dirname, `outside-${role}-${process.pid}`)
    const { failure, folder } = await ran(inOrder(bash(`touch in; touch ${outside}`), done), role, 'its own')
    expect([failure, existsSync(join(folder, 'in')), existsSync(outside)]).toEqual([null, isAllowed, false])
  })
})
