// What is Claude Code's own, with a program in its place that answers as it does.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Agent, AgentEvent, Outcome, Session } from '../agent.ts'
import { tempFolder } from '../trial.conformance.ts'
import { agentOf, loggedInHome, type StandIn, standIn, tokens } from './stand-in.conformance.ts'

const PROMPT = '# Do the task.\n'

async function run(agent: Agent, more: Partial<Session> = {}): Promise<{ outcome: Outcome; events: AgentEvent[] }> {
  const events: AgentEvent[] = []
  const about = { role: 'implementer', task: null, attempt: 1, iteration: 1, env: {} } as const
  const signal = new AbortController().signal
  const folder = await tempFolder()
  const onEvent = (event: AgentEvent): void => void events.push(event)
  return { outcome: await agent.run({ ...about, prompt: PROMPT, folder, signal, onEvent, ...more }), events }
}

const told = ({ folder }: StandIn, name: string): string => readFileSync(join(folder, name), 'utf8')

describe('a session', () => {
  it('has its prompt on stdin, and ends with what the agent said', async () => {
    const program = await standIn()
    const { outcome, events } = await run(agentOf(program))
    expect(outcome).toMatchObject({
      failure: null,
      finalMessage: 'Done: wrote hello.txt\n\nTASK_COMPLETE',
      survivors: 0,
    })
    expect(outcome.usage).toEqual({ inputTokens: 3000, outputTokens: 100, costUsd: 0.01212 })
    expect(events.map(({ type }) => type)).toEqual([
      'text',
      'usage',
      'toolUse',
      'usage',
      'toolResult',
      'text',
      'usage',
      'usage',
    ])
    expect(told(program, 'stdin')).toBe(PROMPT)
    expect(told(program, 'argv')).not.toContain('Do the task')
    expect(told(program, 'argv').split('\0').slice(-3)).toEqual(['--effort', 'high', ''])
  })

  it('is told other words where it has a plugin that knows them', async () => {
    const program = await standIn()
    await run(agentOf(program), { plugin: '/plugin', pluginPrompt: '/ralph-build T1' })
    expect(told(program, 'stdin')).toBe('/ralph-build T1')
    await run(agentOf(program), { pluginPrompt: '/ralph-build T1' })
    expect(told(program, 'stdin')).toBe(PROMPT)
  })

  it('phones nowhere else, gives up in time, and leaves nothing behind', async () => {
    const program = await standIn({ first: 'touch "$CLAUDE_CODE_TMPDIR/mark"' })
    const user = { ANTHROPIC_API_KEY: 'sk-ant-unlisted', CLAUDE_CODE_MAX_RETRIES: '9' }
    await run(agentOf(program, { user }))
    const variables = Object.fromEntries(
      told(program, 'env')
        .split('\n')
        .map((line) => line.split(/=(.*)/s, 2)),
    )
    expect(variables).toMatchObject({
      DISABLE_AUTOUPDATER: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
      CLAUDE_CODE_MAX_RETRIES: '6',
    })
    expect(variables).not.toHaveProperty('ANTHROPIC_API_KEY')
    expect(variables['CLAUDE_CODE_TMPDIR']).toBe(variables['HOME'])
    expect(existsSync(dirname(variables['HOME'] ?? ''))).toBe(false)
    await run(agentOf(program, { user, env: ['CLAUDE_CODE_MAX_RETRIES'] }))
    expect(told(program, 'env')).toContain('CLAUDE_CODE_MAX_RETRIES=9\n')
  })

  it.each([
    ['echo "error: unknown option \'--tools\'" >&2; exit 1', 'unknownCommand'],
    ['echo "boom" >&2; exit 3', 'crashed'],
    ['exit 0', 'badOutput'],
  ])('that cannot even speak fails: %s', async (first, kind) => {
    expect((await run(agentOf(await standIn({ first })))).outcome.failure?.kind).toBe(kind)
  })
})

describe('the login of the user', () => {
  it('is all that a session has of the home; it has none where that is wanted', async () => {
    const program = await standIn()
    const user = { HOME: await loggedInHome() }
    await run(agentOf(program, { user }))
    expect(told(program, 'home').trim().split('\n').toSorted()).toEqual([
      './.claude.json',
      './.claude/.credentials.json',
    ])
    await run(agentOf(program, { user, credentials: 'none' }))
    expect(told(program, 'home')).toBe('')
  })

  it('that a session renewed is the user’s afterwards', async () => {
    const renewed = {
      ...tokens,
      accessToken: 'sk-ant-oat01-renewed',
      refreshToken: 'sk-ant-ort01-renewed',
      expiresAt: 2,
    }
    const json = JSON.stringify({ claudeAiOauth: renewed })
    const home = await loggedInHome()
    await run(
      agentOf(await standIn({ first: `echo '${json}' > "$HOME/.claude/.credentials.json"` }), { user: { HOME: home } }),
    )
    const kept = JSON.parse(readFileSync(join(home, '.claude/.credentials.json'), 'utf8')) as object
    expect(kept).toEqual({ claudeAiOauth: renewed, mcpOAuth: {} })
  })

  it('is never shown, nor are keys that were handed on, whatever the agent prints', async () => {
    const key = 'sk-ant-api03-canary-key'
    const spoken = [key, tokens.accessToken, tokens.refreshToken].join(' ')
    const text = `${spoken} ${Buffer.from(key).toString('base64')} ${JSON.stringify(key)}`
    const assistant = {
      type: 'assistant',
      message: {
        id: 'm',
        content: [
          { type: 'text', text },
          { type: 'thinking', thinking: text },
          { type: 'tool_use', id: 't', name: 'Bash', input: { command: text } },
        ],
      },
    }
    const user = {
      type: 'user',
      message: { content: [{ type: 'tool_result', tool_use_id: 't', content: `${'x'.repeat(20_000)} ${text}` }] },
    }
    const result = { type: 'result', subtype: 'success', is_error: true, num_turns: 1, result: text }
    const program = await standIn({ lines: [assistant, user, result], first: `echo "$ANTHROPIC_API_KEY" >&2` })
    const asked = { user: { HOME: await loggedInHome(), ANTHROPIC_API_KEY: key }, env: ['ANTHROPIC_API_KEY'] }
    const { outcome, events } = await run(agentOf(program, asked))
    expect(events.map(({ type }) => type).toSorted()).toEqual(['log', 'text', 'thinking', 'toolResult', 'toolUse'])
    const all = JSON.stringify([outcome, events]) + told(program, 'argv')
    for (const secret of ['canary', Buffer.from(key).toString('base64').slice(4, -4)]) expect(all).not.toContain(secret)
    expect(outcome.failure?.sentence).toContain('[redacted]')
  })
})
