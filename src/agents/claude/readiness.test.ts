import { describe, expect, it } from 'vitest'
import { readiness } from './readiness.ts'
import { agentOf, type Asked, loggedInHome, PATH, standIn } from './stand-in.conformance.ts'

describe('readiness', () => {
  const install = 'npm install -g @anthropic-ai/claude-code'
  it('of a program that is not there', async () => {
    const reason = `"no-claude-here" was not found; install it with: ${install}, or name its path as command in [agent.claude]`
    expect(await agentOf({ program: 'no-claude-here' }).ready()).toEqual({ ready: false, reason })
  })

  it.each([
    ['echo 2.1.49', `Claude Code 2.1.49 is too old; update to 2.1.50 or newer: ${install}@latest`],
    ['echo "1.99.99 (Claude Code)"', `Claude Code 1.99.99 is too old; update to 2.1.50 or newer: ${install}@latest`],
    ['echo hello', `"claude --version" does not work (hello); install it again with: ${install}`],
    [
      'echo "no such lib" >&2; exit 127',
      `"claude --version" does not work (no such lib); install it again with: ${install}`,
    ],
  ])('of a program that says %s', async (version, reason) => {
    expect(await agentOf(await standIn({ version })).ready()).toEqual({ ready: false, reason })
  })

  it('of one that hangs is known in bounded time', async () => {
    const { program } = await standIn({ version: 'exec sleep 1000' })
    const asking = { command: [program], env: { PATH }, folder: '/', limitMs: 300 }
    const reason = `"${program} --version" gave no answer within 0.3 s; run it by hand to see what holds it`
    const context = { user: {}, credentials: 'user', platform: 'linux' } as const
    expect(await readiness(asking, context)).toEqual({ ready: false, reason })
  })

  it('of one that is logged in, by a login or by a key that is handed on', async () => {
    const program = await standIn()
    const byLogin = agentOf(program, { user: { HOME: await loggedInHome() } })
    expect(await byLogin.ready()).toEqual({ ready: true, detail: '2.1.325, logged in (claude.ai, max)' })
    const byKey = agentOf(program, { user: { ANTHROPIC_API_KEY: 'sk-ant-key' }, env: ['ANTHROPIC_API_KEY'] })
    expect(await byKey.ready()).toEqual({ ready: true, detail: '2.1.325, logged in (api_key)' })
  })

  it.each<[string, Asked, string]>([
    [
      'nobody',
      {},
      'Claude Code is not logged in; run "claude" and log in there with /login, or set ANTHROPIC_API_KEY and add env = ["ANTHROPIC_API_KEY"] to [agent.claude] in ralph.toml',
    ],
    [
      'a key that is not handed on',
      { user: { ANTHROPIC_API_KEY: 'sk-ant-key' } },
      'Claude Code is not logged in, and ANTHROPIC_API_KEY of your environment is not handed on to it; add env = ["ANTHROPIC_API_KEY"] to [agent.claude] in ralph.toml',
    ],
    [
      'no credentials wanted',
      { credentials: 'none' },
      'Claude Code has no login, as credentials = "none" says; set credentials = "user" in [agent.claude], or name a key there: env = ["ANTHROPIC_API_KEY"]',
    ],
  ])('of one that is logged out: %s', async (_, asked, reason) => {
    expect(await agentOf(await standIn(), asked).ready()).toEqual({ ready: false, reason })
  })

  it('of one whose login is in the Keychain', async () => {
    const { program, folder } = await standIn()
    const asking = { command: [program], env: { PATH, HOME: folder }, folder, limitMs: 20_000 }
    const answer = await readiness(asking, { user: {}, credentials: 'user', platform: 'darwin' })
    expect(answer).toMatchObject({ ready: false, reason: expect.stringContaining('claude setup-token') })
  })
})
