import { chmod, mkdir, symlink } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { detectAgents, variablesForLogin } from './detect-agents.ts'
import { fillFolder, madeFolder } from '../../../test/rig/folder.ts'

async function withPrograms(...names: readonly string[]): Promise<string> {
  const folder = await madeFolder()
  for (const name of names) {
    await fillFolder(folder, { [name]: '#!/bin/sh\n' })
    await chmod(join(folder, name), 0o755)
  }
  return folder
}

describe('detectAgents', () => {
  it('finds programs on the PATH, the first folder first, in the order of preference', async () => {
    const one = await withPrograms('opencode', 'codex')
    const other = await withPrograms('codex', 'claude', 'node')
    expect(await detectAgents({ PATH: [one, '/nowhere', other].join(delimiter) })).toEqual([
      { name: 'claude', path: join(other, 'claude') },
      { name: 'codex', path: join(one, 'codex') },
      { name: 'opencode', path: join(one, 'opencode') },
    ])
  })

  it('passes over what is no executable file', async () => {
    const folder = await madeFolder({ claude: 'text' })
    await mkdir(join(folder, 'codex'))
    await symlink('gone', join(folder, 'gemini'))
    expect(await detectAgents({ PATH: folder })).toEqual([])
  })

  it('follows links', async () => {
    const folder = await withPrograms('real')
    await symlink('real', join(folder, 'gemini'))
    expect(await detectAgents({ PATH: folder })).toEqual([{ name: 'gemini', path: join(folder, 'gemini') }])
  })

  it('looks in no relative folder', async () => {
    const folder = await withPrograms('claude')
    const up = '../'.repeat(20)
    expect(await detectAgents({ PATH: ['', '.', `${up}${folder.slice(1)}`].join(delimiter) })).toEqual([])
    expect(await detectAgents({})).toEqual([])
  })
})

describe('variablesForLogin', () => {
  const key = { ANTHROPIC_API_KEY: 'k' }
  it.each([
    ['a key and no login', key, ['ANTHROPIC_API_KEY']],
    ['a token and no login', { CLAUDE_CODE_OAUTH_TOKEN: 't' }, ['CLAUDE_CODE_OAUTH_TOKEN']],
    ['a key for a gateway', { ...key, ANTHROPIC_BASE_URL: 'u' }, ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL']],
    ['nothing', {}, []],
    ['an empty key', { ANTHROPIC_API_KEY: '' }, []],
  ])('%s', async (_, env, names) => {
    expect(await variablesForLogin('claude', { HOME: await madeFolder(), ...env })).toEqual(names)
    expect(await variablesForLogin('codex', { HOME: await madeFolder(), ...env })).toEqual([])
  })

  it('each agent by its own', async () => {
    const env = { GEMINI_API_KEY: 'g', OPENAI_API_KEY: 'o', GOOGLE_GEMINI_BASE_URL: 'u', HOME: await madeFolder() }
    expect(await variablesForLogin('gemini', env)).toEqual(['GEMINI_API_KEY', 'GOOGLE_GEMINI_BASE_URL'])
    expect(await variablesForLogin('opencode', env)).toEqual(['OPENAI_API_KEY'])
    expect(await variablesForLogin('command', env)).toEqual([])
    const home = await madeFolder({ '.gemini/oauth_creds.json': '{}', '.local/share/opencode/auth.json': '{}' })
    expect(await variablesForLogin('gemini', { ...env, HOME: home })).toEqual([])
    expect(await variablesForLogin('opencode', { ...env, HOME: home })).toEqual([])
  })

  it('a key of Codex, where it has no login', async () => {
    const keys = { OPENAI_API_KEY: 'k' }
    expect(await variablesForLogin('codex', { HOME: await madeFolder(), ...keys })).toEqual(['OPENAI_API_KEY'])
    const home = await madeFolder({ '.codex/auth.json': '{}' })
    expect(await variablesForLogin('codex', { HOME: home, ...keys })).toEqual([])
    expect(await variablesForLogin('codex', { ...keys, CODEX_HOME: join(home, '.codex') })).toEqual([])
  })

  it('none where there is a login, in the home or where the user keeps it', async () => {
    const home = await madeFolder({ '.claude/.credentials.json': '{}' })
    expect(await variablesForLogin('claude', { ...key, HOME: home })).toEqual([])
    expect(await variablesForLogin('claude', { ...key, CLAUDE_CONFIG_DIR: join(home, '.claude') })).toEqual([])
  })
})
