import { describe, expect, it } from 'vitest'
import { checkEnvironment, searchPath } from './environment.ts'
import { madeFolder } from '../../test/rig/folder.ts'

describe('PATH', () => {
  it.each<[string, string | undefined, string]>([
    ['as it is', '/usr/bin:/bin', '/usr/bin:/bin'],
    ['without the programs of packages', '/a/node_modules/.bin:/usr/bin:/x/node_modules/y/bin', '/usr/bin'],
    ['without folders that depend on where one is', './bin::bin:/usr/bin', '/usr/bin'],
    ['each folder once', '/usr/bin:/bin:/usr/bin', '/usr/bin:/bin'],
    ['the usual one where there is none', undefined, '/usr/local/bin:/usr/bin:/bin'],
    ['the usual one where nothing is left', 'bin', '/usr/local/bin:/usr/bin:/bin'],
  ])('%s', (_, path, expected) => {
    expect(searchPath(path)).toBe(expected)
  })
})

describe('the environment of a check', () => {
  const surroundings = { home: '/own/home', temporary: '/own/tmp', folder: '/state/checkouts/3' }

  it('is this, and nothing else of the user', () => {
    const user = {
      PATH: '/bin',
      HOME: '/nowhere',
      GITHUB_TOKEN: 'x',
      NODE_OPTIONS: '--require x',
      npm_config_x: 'y',
      TZ: 'CET',
    }
    const { LANG, ...env } = checkEnvironment({ user, ...surroundings })
    expect(LANG).toMatch(/UTF-8$/)
    expect(env).toEqual({
      PATH: '/bin',
      HOME: '/own/home',
      TMPDIR: '/own/tmp',
      SHELL: '/bin/sh',
      CI: 'true',
      GIT_CEILING_DIRECTORIES: '/state/checkouts',
      NO_UPDATE_NOTIFIER: '1',
      npm_config_update_notifier: 'false',
      npm_config_fund: 'false',
      npm_config_audit: 'false',
      PIP_DISABLE_PIP_VERSION_CHECK: '1',
    })
  })

  it.each<[string, Readonly<Record<string, string>>]>([
    ['a terminal with colours', { TERM: 'xterm-256color', COLORTERM: 'truecolor' }],
    ['colours forced', { TERM: 'dumb', FORCE_COLOR: '3' }],
    ['no colours', { NO_COLOR: '1' }],
    ['an empty NO_COLOR, which is none', { NO_COLOR: '' }],
    ['no word of it', {}],
  ])('has the colours of the user: %s', (_, colours) => {
    const env = checkEnvironment({ user: { PATH: '/bin', ...colours }, ...surroundings })
    const seen = Object.entries(env).filter(([name]) => /TERM|COLOR/.test(name))
    expect(Object.fromEntries(seen)).toEqual(colours)
  })

  it('says where version managers keep the programs that stand on PATH', async () => {
    const home = await madeFolder({ '.rustup/settings.toml': '', 'rubies/x': '' })
    const user = { HOME: home, RBENV_ROOT: `${home}/rubies`, PYENV_ROOT: '/not/there' }
    const env = checkEnvironment({ user, ...surroundings })
    expect([env['RUSTUP_HOME'], env['RBENV_ROOT'], env['PYENV_ROOT']]).toEqual([
      `${home}/.rustup`,
      `${home}/rubies`,
      undefined,
    ])
  })
})
