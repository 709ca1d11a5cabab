// What is Gemini CLI's own, with a program in its place.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Agent } from '../agent.ts'
import { runOnce, type StandIn, standIn } from '../shared/stand-in.conformance.ts'
import { programAgent } from '../program-agent.ts'
import { tempFolder } from '../trial.conformance.ts'
import { geminiAdapter } from './gemini-adapter.ts'
import { HANG_MS } from '../../../test/rig/hang.ts'

const DONE = [
  { type: 'message', role: 'assistant', content: 'Done.', delta: true },
  { type: 'result', status: 'success', stats: { input_tokens: 10, output_tokens: 5 } },
]

const gemini = (lines: readonly object[] = DONE, version = 'echo 0.61.0'): Promise<StandIn> =>
  standIn(version, lines, '"$HOME/.gemini/settings.json"')

interface Asked {
  readonly user?: Readonly<Record<string, string>>
  readonly env?: readonly string[]
  readonly credentials?: 'user' | 'none'
}

function agentOf(program: string, { user = {}, env = [], credentials = 'user' }: Asked = {}): Agent {
  const bounds = { timeoutMs: HANG_MS, idleTimeoutMs: HANG_MS }
  const settings = { ...bounds, command: [program], model: 'pro', args: ['--debug'], env, credentials }
  const all = { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', ...user }
  return programAgent(geminiAdapter(settings, { root: '/', user: all }), settings, all)
}

const TOKENS = { access_token: 'canary-access', refresh_token: 'canary-refresh', expiry_date: 1 }

async function loggedInHome(): Promise<string> {
  const home = await tempFolder()
  await mkdir(join(home, '.gemini'))
  const files = { 'oauth_creds.json': TOKENS, 'google_accounts.json': { active: 'a@example.com' }, 'history.json': {} }
  for (const [name, value] of Object.entries(files)) await writeFile(join(home, '.gemini', name), JSON.stringify(value))
  return home
}

describe('a session', () => {
  it('has its prompt on stdin, and its settings by its role', async () => {
    const { program, recordOf } = await gemini()
    const reach = { socket: '/s', ralph: ['ralph'] }
    const outcome = await runOnce(agentOf(program), { reach })
    expect(outcome).toMatchObject({ failure: null, finalMessage: 'Done.' })
    expect(outcome.usage).toEqual({ inputTokens: 10, outputTokens: 5, costUsd: null })
    expect(await recordOf('stdin')).toBe('# Do it.\n')
    expect((await recordOf('argv')).split('\n')).toEqual([
      ...['--output-format', 'stream-json', '--approval-mode', 'yolo', '--skip-trust', '--extensions', 'none'],
      ...['--allowed-mcp-server-names', 'ralph', '--model', 'pro', '--debug', ''],
    ])
    expect(JSON.parse(await recordOf('config'))).toMatchObject({
      mcpServers: { ralph: { command: 'ralph', args: ['mcp', '--socket', '/s'], trust: true } },
      tools: { core: expect.arrayContaining(['write_file', 'run_shell_command', 'mcp_ralph_*']) as string[] },
      security: { folderTrust: { enabled: true }, auth: {} },
      general: { maxAttempts: 4 },
    })
    await runOnce(agentOf(program), { role: 'planner', reach })
    const reads = JSON.parse(await recordOf('config')) as { tools: { core: string[] } }
    expect(reads).not.toHaveProperty('mcpServers')
    expect(reads.tools.core).toEqual(['list_directory', 'read_file', 'read_many_files', 'grep_search', 'glob'])
    expect(await recordOf('argv')).toContain('default')
  })

  it('has of the home the login and nothing else; it has none where that is wanted', async () => {
    const { program, recordOf } = await gemini()
    const user = { HOME: await loggedInHome() }
    await runOnce(agentOf(program, { user }))
    expect((await recordOf('home')).trim().split('\n')).toEqual([
      './.gemini/google_accounts.json',
      './.gemini/oauth_creds.json',
      './.gemini/settings.json',
    ])
    expect(JSON.parse(await recordOf('config'))).toMatchObject({
      security: { auth: { selectedType: 'oauth-personal' } },
    })
    await runOnce(agentOf(program, { user, credentials: 'none' }))
    expect((await recordOf('home')).trim()).toBe('./.gemini/settings.json')
  })

  it('by a key costs what the list says, by an account nothing that is told', async () => {
    const used = { input_tokens: 1_000_000, output_tokens: 0, total_tokens: 1_000_000 }
    const stats = { ...used, models: { 'gemini-2.5-flash': used } }
    const { program } = await gemini([{ type: 'result', status: 'success', stats }])
    const asked = { user: { GEMINI_API_KEY: 'k' }, env: ['GEMINI_API_KEY'] }
    const usage = { inputTokens: 1_000_000, outputTokens: 0 }
    expect((await runOnce(agentOf(program, asked))).usage).toEqual({ ...usage, costUsd: 0.3 })
    const account = { user: { HOME: await loggedInHome() } }
    expect((await runOnce(agentOf(program, account))).usage).toEqual({ ...usage, costUsd: null })
  })

  it.each([
    [
      'Loop detected, stopping execution',
      'badOutput',
      'the model did the same again and again, and Gemini CLI stopped it (Loop detected, stopping execution); word the task differently, or make it smaller',
    ],
    [
      'Maximum session turns exceeded',
      'timedOut',
      'the session reached a limit of its turns (Maximum session turns exceeded); raise it in args of [agent.gemini]',
    ],
  ])('that was stopped early is no success: %s', async (message, kind, sentence) => {
    const { program } = await gemini([{ type: 'error', severity: 'warning', message }, ...DONE])
    expect((await runOnce(agentOf(program))).failure).toEqual({ kind, sentence, until: null })
  })

  it('never shows the login', async () => {
    const said = { type: 'message', role: 'assistant', content: 'it is canary-access', delta: true }
    const { program } = await gemini([said, { type: 'error', message: 'canary-refresh' }, ...DONE.slice(1)])
    const ran = await runOnce(agentOf(program, { user: { HOME: await loggedInHome() } }))
    expect(JSON.stringify(ran)).not.toContain('canary')
  })

  it('that renewed its login has renewed the user’s', async () => {
    const home = await loggedInHome()
    const renewed = JSON.stringify({ ...TOKENS, access_token: 'new', expiry_date: 2 })
    const { program } = await standIn(
      'true',
      DONE,
      `> /dev/null; echo '${renewed}' > "$HOME/.gemini/oauth_creds.json"; true`,
    )
    await runOnce(agentOf(program, { user: { HOME: home } }))
    expect((await readFile(join(home, '.gemini/oauth_creds.json'), 'utf8')).trim()).toBe(renewed)
  })
})

describe('readiness', () => {
  const KEY = { GEMINI_API_KEY: 'k' }
  it.each<[string, Asked, RegExp | string]>([
    ['a key that is handed on', { user: KEY, env: ['GEMINI_API_KEY'] }, '0.61.0, logged in (by GEMINI_API_KEY)'],
    ['a key that is not', { user: KEY }, /GEMINI_API_KEY of your environment is not handed on to it; add env = /],
    ['no login', {}, /not logged in; run "gemini" and log in there, or set GEMINI_API_KEY/],
    ['none wanted', { credentials: 'none' }, /credentials = "none" says; set credentials = "user"/],
  ])('%s', async (_, asked, expected) => {
    const readiness = await agentOf((await gemini()).program, asked).ready()
    if (typeof expected === 'string') expect(readiness).toEqual({ ready: true, detail: expected })
    else expect(readiness).toEqual({ ready: false, reason: expect.stringMatching(expected) })
  })

  it('sees the login of the user', async () => {
    const user = { HOME: await loggedInHome() }
    const detail = '0.61.0, logged in (with a Google account)'
    expect(await agentOf((await gemini()).program, { user }).ready()).toEqual({ ready: true, detail })
  })

  it.each([
    [
      'echo 0.9.0',
      /Gemini CLI 0\.9\.0 is too old; update to 0\.61\.0 or newer: npm install -g @google\/gemini-cli@latest/,
    ],
    ['echo boom >&2; exit 3', /does not work \(boom\); install it again with: npm install -g @google\/gemini-cli/],
  ])('%s', async (version, reason) => {
    const { program } = await gemini(DONE, version)
    expect(await agentOf(program).ready()).toEqual({ ready: false, reason: expect.stringMatching(reason) })
  })

  it('of a program that is not there', async () => {
    const reason =
      '"/nowhere/gemini" was not found; install it with: npm install -g @google/gemini-cli, or name its path as command in [agent.gemini]'
    expect(await agentOf('/nowhere/gemini').ready()).toEqual({ ready: false, reason })
  })
})
