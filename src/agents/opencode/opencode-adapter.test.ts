// What is opencode's own, with a program in its place.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Agent, Role } from '../agent.ts'
import { runOnce, type StandIn, standIn } from '../shared/stand-in.conformance.ts'
import { programAgent } from '../program-agent.ts'
import { tempFolder } from '../trial.conformance.ts'
import { withoutComments } from './json-comments.ts'
import { opencodeAdapter } from './opencode-adapter.ts'
import { opencodeReader } from './stream-reader.ts'
import { HANG_MS } from '../../../test/rig/hang.ts'

const DONE = [
  { type: 'text', part: { text: 'Done.' } },
  { type: 'step_finish', part: { reason: 'stop', tokens: { input: 10, output: 5, cache: { read: 1 } }, cost: 0.5 } },
]

const opencode = (lines: readonly object[] = DONE): Promise<StandIn> =>
  standIn('echo 1.18.18', lines, '"$OPENCODE_CONFIG"')

interface Asked {
  readonly user?: Readonly<Record<string, string>>
  readonly env?: readonly string[]
  readonly credentials?: 'user' | 'none'
  readonly model?: string
}

function agentOf(program: string, { user = {}, env = [], credentials = 'user', model }: Asked = {}): Agent {
  const bounds = { timeoutMs: HANG_MS, idleTimeoutMs: HANG_MS }
  const settings = { ...bounds, command: [program], model: model ?? null, args: [], env, credentials }
  const all = { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', ...user }
  return programAgent(opencodeAdapter(settings, { root: '/', user: all }), settings, all)
}

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await tempFolder()
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
  return folder
}

const AUTH = { anthropic: { type: 'oauth', access: 'canary-access', refresh: 'canary-refresh', expires: 1 } }
const CONFIG = `{
  // mine
  "provider": { "local": { "options": { "baseURL": "http://localhost:1", "apiKey": "canary-key", }, }, },
  "mcp": { "evil": {} }, "plugin": ["evil"], /* no */ "model": "local/m",
}`
const FILES = { '.local/share/opencode/auth.json': JSON.stringify(AUTH), '.config/opencode/opencode.jsonc': CONFIG }

describe('a session', () => {
  it('has its prompt on stdin, and its permissions by its role', async () => {
    const { program, recordOf } = await opencode()
    const folder = await tempFolder()
    const reach = { socket: '/s', ralph: ['ralph'] }
    const outcome = await runOnce(agentOf(program, { model: 'p/m' }), { reach, folder })
    expect(outcome).toMatchObject({ failure: null, finalMessage: 'Done.' })
    expect(outcome.usage).toEqual({ inputTokens: 11, outputTokens: 5, costUsd: 0.5 })
    expect(await recordOf('stdin')).toBe('# Do it.\n')
    expect((await recordOf('argv')).trim().split('\n')).toEqual([
      ...['run', '--format', 'json', '--thinking', '--title', 'ralph', '--pure'],
      ...['--print-logs', '--log-level', 'ERROR', '--model', 'p/m'],
    ])
    expect(JSON.parse(await recordOf('config'))).toMatchObject({
      permission: { '*': 'allow', question: 'deny', webfetch: 'deny' },
      mcp: { ralph: { type: 'local', command: ['ralph', 'mcp', '--socket', '/s'], enabled: true } },
      instructions: [join(folder, 'AGENTS.md'), join(folder, 'CLAUDE.md')],
    })
    expect(await recordOf('env')).toContain('OPENCODE_DISABLE_PROJECT_CONFIG=1\n')
    await runOnce(agentOf(program), { reach, role: 'sia' })
    const reads = JSON.parse(await recordOf('config')) as object
    expect(reads).toMatchObject({ permission: { '*': 'deny', read: 'allow', grep: 'allow' } })
    expect(reads).not.toHaveProperty('mcp')
  })

  it('has of the home the logins and the providers, and shows none of their secrets', async () => {
    const words = { type: 'text', part: { text: 'canary-access canary-refresh canary-key' } }
    const { program, recordOf } = await standIn('true', [words, ...DONE], '"$HOME/.config/opencode/opencode.json"')
    const ran = await runOnce(agentOf(program, { user: { HOME: await folderWith(FILES) } }))
    expect((await recordOf('home')).trim().split('\n')).toEqual([
      './.config/opencode/opencode.json',
      './.local/share/opencode/auth.json',
    ])
    expect(JSON.parse(await recordOf('config'))).toEqual({
      provider: { local: { options: { baseURL: 'http://localhost:1', apiKey: 'canary-key' } } },
      model: 'local/m',
    })
    expect(JSON.stringify(ran)).not.toContain('canary')
  })

  it.each([
    ['renewed', { anthropic: { ...AUTH.anthropic, access: 'new', expires: 2 } }, 'taken'],
    ['of another provider', { openai: { type: 'api', key: 'x' } }, 'left'],
    ['turned into a key', { anthropic: { type: 'api', key: 'x' } }, 'left'],
  ])('whose login was %s: it is %s', async (_, auth, what) => {
    const home = await folderWith(FILES)
    const written = JSON.stringify(auth)
    const { program } = await standIn(
      'true',
      DONE,
      `/dev/null; echo '${written}' > "$HOME/.local/share/opencode/auth.json"; true`,
    )
    await runOnce(agentOf(program, { user: { HOME: home } }))
    const kept = (await readFile(join(home, '.local/share/opencode/auth.json'), 'utf8')).trim()
    expect(kept).toBe(what === 'taken' ? written : JSON.stringify(AUTH))
  })

  it.each<[Role, Record<string, string>, string | null]>([
    ['reviewer', { '.opencode/plugin/a.js': '' }, '.opencode/plugin/a.js'],
    ['planner', { '.opencode/plugins/a.ts': '' }, '.opencode/plugins/a.ts'],
    ['sia', { 'opencode.jsonc': '{ "plugin": ["x"] }' }, 'opencode.jsonc'],
    ['reviewer', { 'opencode.json': '{ "model": "m" }', '.opencode/agent/a.md': '' }, null],
    ['implementer', { '.opencode/plugin/a.js': '' }, null],
  ])('of a %s where the repository has %j', async (role, files, found) => {
    const { program } = await opencode()
    const { failure } = await runOnce(agentOf(program), { role, folder: await folderWith(files) })
    if (found === null) expect(failure).toBeNull()
    else expect(failure).toMatchObject({ kind: 'unknownCommand', sentence: expect.stringContaining(found) })
  })
})

describe('readiness', () => {
  const KEY = { OPENAI_API_KEY: 'k' }
  it.each<[string, Asked, RegExp | string]>([
    ['a key that is handed on', { user: KEY, env: ['OPENAI_API_KEY'] }, '1.18.18, logged in (by OPENAI_API_KEY)'],
    ['a key that is not', { user: KEY }, /OPENAI_API_KEY of your environment is not handed on to it; add env = /],
    ['no login', {}, /opencode is not logged in; run "opencode auth login", or set ANTHROPIC_API_KEY/],
    ['a model that needs none', { model: 'opencode/free' }, '1.18.18, without a login'],
  ])('%s', async (_, asked, expected) => {
    const readiness = await agentOf((await opencode()).program, asked).ready()
    if (typeof expected === 'string') expect(readiness).toEqual({ ready: true, detail: expected })
    else expect(readiness).toEqual({ ready: false, reason: expect.stringMatching(expected) })
  })

  it.each([
    ['its logins', FILES, 'anthropic'],
    ['its providers', { '.config/opencode/opencode.jsonc': CONFIG }, 'local of its configuration'],
  ])('sees %s', async (_, files, how) => {
    const user = { HOME: await folderWith(files) }
    const detail = `1.18.18, logged in (${how})`
    expect(await agentOf((await opencode()).program, { user }).ready()).toEqual({ ready: true, detail })
  })
})

describe('an API that fails', () => {
  const error = (words: string): string =>
    `timestamp=T level=ERROR run=1 message="stream error" small=false error.error="AI_APICallError: ${words}"`
  const step = JSON.stringify({ type: 'step_start', part: {} })

  it('is waited for no longer than six times in a row', () => {
    const { line, aside, result, trouble } = opencodeReader(() => 0)
    for (let at = 0; at < 5; at += 1) aside?.(error('The server had an error.'))
    line(step)
    expect([trouble?.(), result()]).toEqual([null, null])
    for (let at = 0; at < 5; at += 1) aside?.(error('Internal server error'))
    expect([trouble?.()?.kind, result()]).toEqual(['overload', null])
    aside?.(error('Internal server error'))
    expect(result()).toMatchObject({ failure: { kind: 'overload' } })
  })

  it('by a limit is not waited for where nothing was done yet', () => {
    const fresh = opencodeReader(() => 0)
    fresh.aside?.(error('Rate limit reached for requests.'))
    expect(fresh.result()).toMatchObject({ failure: { kind: 'rateLimit' } })
    const busy = opencodeReader(() => 0)
    busy.line(step)
    busy.aside?.(error('Rate limit reached for requests.'))
    busy.aside?.('timestamp=T level=ERROR message="something else"')
    expect([busy.result(), busy.trouble?.()?.kind]).toEqual([null, 'rateLimit'])
  })
})

it.each([
  ['{"a": "// no", // yes\n"b": [1, 2,], /* x */ }', { a: '// no', b: [1, 2] }],
  ['{"a": "say \\"/* x */\\", ok,"}', { a: 'say "/* x */", ok,' }],
])('reads %j', (written, value) => {
  expect(JSON.parse(withoutComments(written))).toEqual(value)
})
