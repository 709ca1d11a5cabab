import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Agent, Session } from '../agent.ts'
import { programAgent } from '../program-agent.ts'
import { sessionIn, tempFolder } from '../trial.conformance.ts'
import { codexAdapter } from './codex-adapter.ts'

const PATH = process.env['PATH'] ?? ''

interface Does {
  readonly version?: string
  readonly login?: string
  readonly sandbox?: string
  readonly session?: string
}

/** A program that answers like Codex, and leaves in `folder` what it was given. */
async function standIn(does: Does = {}): Promise<{ program: string; folder: string }> {
  const folder = await tempFolder()
  const program = join(folder, 'codex')
  const script = `#!/bin/sh
case "$1" in
--version) ${does.version ?? "echo 'codex-cli 0.166.0'"};;
login) ${does.login ?? "echo 'Logged in using ChatGPT' >&2"};;
sandbox) ${does.sandbox ?? 'exit 0'};;
exec) printf '%s\\n' "$@" > ${folder}/argv; cat > ${folder}/stdin; env > ${folder}/env; ls "$CODEX_HOME" "$TMPDIR" > ${folder}/home
  cat "$CODEX_HOME/auth.json" > ${folder}/auth 2> /dev/null
  ${does.session ?? ''}
  echo '{"type":"item.completed","item":{"id":"1","type":"agent_message","text":"done"}}'
  echo '{"type":"turn.completed","usage":{}}';;
esac
`
  await writeFile(program, script, { mode: 0o700 })
  return { program, folder }
}

interface More {
  readonly env?: readonly string[]
  readonly args?: readonly string[]
  readonly credentials?: 'user' | 'none'
}

function codex(program: string, user: Readonly<Record<string, string>> = {}, more: More = {}): Agent {
  const settings = {
    command: [program],
    model: null,
    args: [],
    env: [],
    credentials: 'user',
    timeoutMs: 30_000,
    idleTimeoutMs: 30_000,
    ...more,
  } as const
  const all = { PATH, HOME: '/nonexistent', ...user }
  return programAgent(codexAdapter(settings, { root: '/', user: all }), settings, all)
}

async function session(role: Session['role'] = 'implementer'): Promise<Session> {
  return sessionIn(await tempFolder(), { role })
}

describe('whether Codex could work', () => {
  it.each<[string, Does, More, object]>([
    ['logged in', {}, {}, { ready: true, detail: '0.166.0, logged in (ChatGPT)' }],
    [
      'with a key',
      { login: 'exit 1' },
      { env: ['OPENAI_API_KEY'] },
      { ready: true, detail: '0.166.0, logged in (API key)' },
    ],
    [
      'with a provider of its own',
      { login: 'exit 1' },
      { args: ['-c', 'model_provider="x"'] },
      { ready: true, detail: '0.166.0, with a provider of its own, as args says' },
    ],
    [
      'too old',
      { version: 'echo codex-cli 0.9.1' },
      {},
      { ready: false, reason: expect.stringMatching(/^Codex 0\.9\.1 is too old; update to 0\.166\.0/) },
    ],
    [
      'broken',
      { version: 'echo gone >&2; exit 3' },
      {},
      { ready: false, reason: expect.stringContaining('does not work (gone); install it again') },
    ],
    [
      'with a key that it does not get',
      { login: 'exit 1' },
      {},
      { ready: false, reason: expect.stringContaining('add env = ["OPENAI_API_KEY"] to [agent.codex]') },
    ],
    [
      'without a sandbox',
      { sandbox: 'echo no namespaces >&2; exit 1' },
      {},
      { ready: false, reason: expect.stringMatching(/does not work here \(no namespaces\); .*danger-full-access/) },
    ],
    [
      'without a sandbox, which it does not need',
      { sandbox: 'exit 1' },
      { args: ['-c', 'sandbox_mode="danger-full-access"'] },
      { ready: true, detail: '0.166.0, logged in (ChatGPT)' },
    ],
  ])('%s', async (_, does, more, answer) => {
    const { program } = await standIn(does)
    expect(await codex(program, { OPENAI_API_KEY: 'sk-user-key' }, more).ready()).toEqual(answer)
  })

  it.each<[string, More, string]>([
    ['logged out', {}, 'Codex is not logged in; run "codex login", or set OPENAI_API_KEY'],
    ['without a login, as was said', { credentials: 'none' }, 'Codex has no login, as credentials = "none" says'],
  ])('%s', async (_, more, reason) => {
    const { program } = await standIn({ login: "echo 'Not logged in'; exit 1" })
    expect(await codex(program, {}, more).ready()).toEqual({ ready: false, reason: expect.stringContaining(reason) })
  })

  it('not found', async () => {
    const reason = '"/nonexistent/codex" was not found; install it with: npm install -g @openai/codex'
    expect(await codex('/nonexistent/codex').ready()).toEqual({ ready: false, reason: expect.stringContaining(reason) })
  })
})

describe('a session of Codex', () => {
  it('gets its prompt on stdin, a home of its own, and a key by the name that it reads', async () => {
    const { program, folder } = await standIn()
    const user = { OPENAI_API_KEY: 'sk-user-key', TZ: 'Europe/Rome' }
    const outcome = await codex(program, user, { env: ['OPENAI_API_KEY'] }).run(await session())
    expect(outcome).toMatchObject({ failure: null, finalMessage: 'done' })
    expect(await readFile(join(folder, 'stdin'), 'utf8')).toBe('Do the task.')
    const env = await readFile(join(folder, 'env'), 'utf8')
    expect(env).toContain('CODEX_API_KEY=sk-user-key\n')
    expect(env).toContain('TZ=Europe/Rome\n')
    expect(await readFile(join(folder, 'argv'), 'utf8')).not.toContain('sk-user-key')
  })

  it('of a role that answers in JSON has the form of its answer', async () => {
    const { program, folder } = await standIn({
      session: `for last; do [ "$before" = --output-schema ] && cat "$last" > schema; before=$last; done`,
    })
    const asked = await session('planner')
    await codex(program).run(asked)
    expect(JSON.parse(await readFile(join(asked.folder, 'schema'), 'utf8'))).toMatchObject({
      required: ['tasks', 'notes'],
    })
    expect(await readFile(join(folder, 'argv'), 'utf8')).toContain('read-only')
  })

  it('has the login of the user and nothing else of theirs; what it renews is theirs', async () => {
    const home = await tempFolder()
    const auth = (token: string, at: string) =>
      JSON.stringify({ tokens: { access_token: token, refresh_token: `${token}-r` }, last_refresh: at })
    await mkdir(join(home, '.codex'))
    const own = join(home, '.codex', 'auth.json')
    await writeFile(own, auth('token-before', '2026-11-01T00:00:00Z'))
    await writeFile(join(home, '.codex', 'config.toml'), 'model = "mine"')
    const renewed = auth('token-after', '2026-11-02T00:00:00Z')
    const { program, folder } = await standIn({ session: `printf '%s' '${renewed}' > "$CODEX_HOME/auth.json"` })
    await codex(program, { HOME: home }).run(await session())
    expect(await readFile(join(folder, 'auth'), 'utf8')).toContain('token-before')
    expect((await readFile(join(folder, 'home'), 'utf8')).match(/\w+\.\w+$/gm)).toEqual(['auth.json'])
    expect(await readFile(own, 'utf8')).toBe(renewed)
  })

  it('without credentials has no login', async () => {
    const home = await tempFolder()
    await mkdir(join(home, '.codex'))
    await writeFile(join(home, '.codex', 'auth.json'), '{"OPENAI_API_KEY":"sk-user-key"}')
    const { program, folder } = await standIn()
    await codex(program, { HOME: home }, { credentials: 'none' }).run(await session())
    expect(await readFile(join(folder, 'auth'), 'utf8')).toBe('')
  })
})
