import { existsSync, readFileSync, statSync } from 'node:fs'
import { mkdir, readdir, rm, rmdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { tempFolder } from '../trial.conformance.ts'
import { userLogin } from './login.ts'
import { HANG_MS } from '../../../test/rig/hang.ts'

const HOUR = 3_600_000
const tokens = (name: string, hour: number) => ({
  accessToken: `access-${name}`,
  refreshToken: `refresh-${name}`,
  expiresAt: Date.UTC(2026, 0, 1) + hour * HOUR,
  subscriptionType: 'max',
})
const [first, second, third] = [tokens('first', 1), tokens('second', 2), tokens('third', 3)]
const mcp = { server: { accessToken: 'of-somebody-else' } }
const json = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))
const write = (path: string, value: unknown): Promise<void> => writeFile(path, JSON.stringify(value))

interface User {
  readonly home: string
  readonly file: string
  readonly borrow: () => Promise<Session>
}

interface Session {
  readonly home: string
  readonly file: string
  readonly secrets: () => readonly string[]
  readonly giveBack: () => Promise<void>
}

/** A user with a login and much else in the same files. */
async function user(): Promise<User> {
  const home = await tempFolder()
  const file = join(home, '.claude/.credentials.json')
  await mkdir(join(home, '.claude/projects'), { recursive: true })
  await write(file, { claudeAiOauth: first, mcpOAuth: mcp })
  await write(join(home, '.claude/settings.json'), { hooks: { Stop: [] } })
  await write(join(home, '.claude.json'), {
    oauthAccount: { emailAddress: 'a@b.c' },
    projects: { '/x': {} },
    mcpServers: {},
  })
  const borrow = async (): Promise<Session> => {
    const own = join(await tempFolder(), 'home')
    await mkdir(own)
    const borrowed = await userLogin({ HOME: home }).borrow(own)
    return { home: own, file: join(own, '.claude/.credentials.json'), ...borrowed }
  }
  return { home, file, borrow }
}

describe('the login of Claude Code', () => {
  it('is lent, and nothing else of the home', async () => {
    const { home, file, secrets, giveBack } = await (await user()).borrow()
    const paths = await readdir(home, { recursive: true })
    expect(paths.toSorted()).toEqual(['.claude', '.claude.json', '.claude/.credentials.json'])
    expect(json(file)).toEqual({ claudeAiOauth: first })
    expect(json(join(home, '.claude.json'))).toEqual({ oauthAccount: { emailAddress: 'a@b.c' } })
    const modes = ['.claude', '.claude.json', '.claude/.credentials.json'].map(
      (path) => statSync(join(home, path)).mode & 0o777,
    )
    expect(modes).toEqual([0o700, 0o600, 0o600])
    expect(secrets()).toEqual(['access-first', 'refresh-first'])
    await giveBack()
  })

  it('may be a key that was kept, and may be in a folder of its own', async () => {
    const config = await tempFolder()
    await write(join(config, '.claude.json'), { primaryApiKey: 'sk-kept', history: ['secret plans'] })
    const home = await tempFolder()
    const borrowed = await userLogin({ HOME: '/nonexistent', CLAUDE_CONFIG_DIR: config }).borrow(home)
    expect(json(join(home, '.claude.json'))).toEqual({ primaryApiKey: 'sk-kept' })
    expect(borrowed.secrets()).toEqual(['sk-kept'])
  })

  it.each([
    ['no home', {}],
    ['an empty home', { HOME: '/nonexistent' }],
  ])('is none where there is %s', async (_, env) => {
    const home = await tempFolder()
    const borrowed = await userLogin(env).borrow(home)
    await borrowed.giveBack()
    expect([await readdir(home), borrowed.secrets()]).toEqual([[], []])
  })

  it('that a session renewed becomes the user’s at once, and all else in the file stays', async () => {
    const { file, borrow } = await user()
    const session = await borrow()
    await write(session.file, { claudeAiOauth: second })
    await vi.waitFor(() => expect(json(file)).toEqual({ claudeAiOauth: second, mcpOAuth: mcp }), { timeout: HANG_MS })
    await write(session.file, { claudeAiOauth: third })
    await session.giveBack()
    expect(json(file)).toEqual({ claudeAiOauth: third, mcpOAuth: mcp })
    expect(session.secrets()).toEqual(expect.arrayContaining(['access-first', 'access-second', 'refresh-third']))
  })

  it('that one session renewed is had by the others too', async () => {
    const { file, borrow } = await user()
    const [one, other] = [await borrow(), await borrow()]
    await write(one.file, { claudeAiOauth: second })
    await one.giveBack()
    await vi.waitFor(() => expect(json(other.file)).toEqual({ claudeAiOauth: second }), { timeout: HANG_MS })
    await write(other.file, { claudeAiOauth: third })
    await other.giveBack()
    expect(json(file)).toMatchObject({ claudeAiOauth: third })
  })

  it('that the user renewed meanwhile is never written over', async () => {
    const { home, file, borrow } = await user()
    const session = await borrow()
    // As Claude Code does it, under its lock: neither has heard of the other when both are done.
    await mkdir(join(home, '.claude.lock'))
    await write(session.file, { claudeAiOauth: third })
    await write(file, { claudeAiOauth: second })
    await rmdir(join(home, '.claude.lock'))
    await session.giveBack()
    const [users, sessions] = [json(file), json(session.file)]
    expect([users, sessions]).toEqual([{ claudeAiOauth: second }, { claudeAiOauth: third }])
  })

  it('stays away where the user has logged out', async () => {
    const { file, borrow } = await user()
    const session = await borrow()
    await rm(file)
    await write(session.file, { claudeAiOauth: second })
    await session.giveBack()
    expect(existsSync(file)).toBe(false)
  })

  it.each([
    ['torn', '{"claudeAiOauth":{"acc'],
    ['empty', ''],
    ['of an earlier time', JSON.stringify({ claudeAiOauth: tokens('old', 0) })],
    ['without a token', JSON.stringify({ claudeAiOauth: { ...second, refreshToken: '' } })],
    ['no object', '[]'],
  ])('is not taken back when it is %s', async (_, text) => {
    const { file, borrow } = await user()
    const session = await borrow()
    await writeFile(session.file, text)
    await session.giveBack()
    expect(json(file)).toEqual({ claudeAiOauth: first, mcpOAuth: mcp })
  })

  it('may be a link, which stays one', async () => {
    const { file, borrow } = await user()
    const elsewhere = join(await tempFolder(), 'credentials.json')
    await write(elsewhere, json(file))
    await rm(file)
    await symlink(elsewhere, file)
    const session = await borrow()
    await write(session.file, { claudeAiOauth: second })
    await session.giveBack()
    expect(json(elsewhere)).toMatchObject({ claudeAiOauth: second })
    expect(readFileSync(file, 'utf8')).toBe(readFileSync(elsewhere, 'utf8'))
  })

  it('of a session that was killed with its engine is taken back once', async () => {
    const { home, file, borrow } = await user()
    const { home: left, file: copy, giveBack } = await borrow()
    // From here on nobody watches.
    await giveBack()
    await write(copy, { claudeAiOauth: second })
    const { takeBackRenewed } = userLogin({ HOME: home })
    await takeBackRenewed(left)
    expect(json(file)).toMatchObject({ claudeAiOauth: second })
    await write(file, { claudeAiOauth: third })
    await takeBackRenewed(left)
    expect(json(file)).toEqual({ claudeAiOauth: third })
  })
})
