// Whose settings a real `claude` runs with: its user's login and nothing else of the user, nothing of the repository.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sessionIn, tempFolder } from '../../src/agents/trial.conformance.ts'
import { bash } from '../model-server/numbers-story.ts'
import { inOrder } from '../model-server/scenario.ts'
import { say } from '../model-server/turn.ts'
import { openClaude } from './claude-agent.ts'
import { CLAUDE, NO_CLAUDE } from './claude-project.ts'

const TOKEN = 'sk-ant-oat01-dummy-4c1e'
const CANARY = 'canary-91fb27'
const FAR = Date.UTC(2100, 0, 1)

const login = JSON.stringify({
  claudeAiOauth: {
    accessToken: TOKEN,
    refreshToken: 'sk-ant-ort01-dummy-77d0',
    expiresAt: FAR,
    scopes: ['user:inference', 'user:profile'],
    subscriptionType: 'max',
  },
})

/** A hook for every session, and a server for every session: each leaves a mark when it runs. */
function settings(mark: string): string {
  const hooks = [{ hooks: [{ type: 'command', command: `touch ${mark}` }] }]
  return JSON.stringify({ hooks: { SessionStart: hooks, PreToolUse: hooks, Stop: hooks, SessionEnd: hooks } })
}

function mcp(mark: string): string {
  return JSON.stringify({ mcpServers: { mark: { command: 'sh', args: ['-c', `touch ${mark}; cat`] } } })
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

describe.skipIf(CLAUDE === null)(`the home of claude${CLAUDE === null ? ` (${NO_CLAUDE})` : ''}`, () => {
  it('holds the login of its user, and no settings of the user or of the repository', async () => {
    const [home, folder, marks] = [await tempFolder(), await tempFolder(), await tempFolder()]
    const credentials = join(home, '.claude/.credentials.json')
    write(credentials, login)
    write(join(home, '.claude/settings.json'), settings(join(marks, 'user-hook')))
    write(join(home, '.claude/CLAUDE.md'), `Always say ${CANARY}.`)
    write(
      join(home, '.claude.json'),
      `{"mcpServers":${JSON.stringify(JSON.parse(mcp(join(marks, 'user-mcp'))).mcpServers)}}`,
    )
    write(join(folder, '.claude/settings.json'), settings(join(marks, 'repository-hook')))
    write(join(folder, '.mcp.json'), mcp(join(marks, 'repository-mcp')))
    const { agent, server } = await openClaude(
      inOrder(
        bash(`ls -A "$HOME" "$HOME/.claude"; cat "$HOME/.claude/settings.json" "$HOME/.claude/CLAUDE.md"`),
        say('done'),
      ),
      { timeoutMs: 50_000, idleTimeoutMs: 50_000, env: [], credentials: 'user' },
      { PATH: process.env['PATH'], HOME: home },
      'none',
    )
    expect(await agent.ready()).toMatchObject({ ready: true })
    const { failure, finalMessage } = await agent.run(sessionIn(folder))
    expect({ failure, finalMessage }).toEqual({ failure: null, finalMessage: 'done' })
    const asked = server.log.all().filter(({ ask }) => ask !== null)
    expect(asked.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${TOKEN}`, `Bearer ${TOKEN}`])
    expect(asked.filter(({ body }) => body.includes(CANARY))).toEqual([])
    expect(
      ['user-hook', 'user-mcp', 'repository-hook', 'repository-mcp'].filter((name) => existsSync(join(marks, name))),
    ).toEqual([])
    expect(readFileSync(credentials, 'utf8')).toBe(login)
  })

  it('is none without a login, and the mend is said before the first iteration', async () => {
    const home = await tempFolder()
    const { agent } = await openClaude(
      () => say('done'),
      { timeoutMs: 50_000, idleTimeoutMs: 50_000, env: [], credentials: 'user' },
      { PATH: process.env['PATH'], HOME: home },
      'none',
    )
    expect(await agent.ready()).toEqual({ ready: false, reason: expect.stringContaining('/login') })
  })
})
