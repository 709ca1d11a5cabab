import { describe, expect, it } from 'vitest'
import { agentEnvironment } from './agent-environment.ts'
import type { Environment } from '../core/values/environment.ts'

const user: Environment = {
  PATH: '/usr/bin:.:/bin::bin',
  HOME: '/home/me',
  LANG: 'de_DE.UTF-8',
  TERM: 'xterm',
  SECRET_CANARY: 'x',
  MY_VAR: 'mine',
  EMPTY: '',
}

describe('the environment of an agent', () => {
  const always = { PATH: '/usr/bin:/bin', LANG: 'de_DE.UTF-8', TERM: 'dumb' }
  it.each<[string, Environment, string[], string | null, Record<string, string>]>([
    ['nothing else of the user', user, [], null, { ...always, HOME: '/home/me' }],
    ['another home', user, [], '/tmp/h', { ...always, HOME: '/tmp/h' }],
    [
      'what is listed and set',
      user,
      ['MY_VAR', 'EMPTY', 'UNSET'],
      '/h',
      { ...always, HOME: '/h', MY_VAR: 'mine', EMPTY: '' },
    ],
    ['a listed one in place of ours', user, ['TERM', 'HOME'], '/h', { ...always, TERM: 'xterm', HOME: '/home/me' }],
    ['defaults', {}, ['X'], null, { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', TERM: 'dumb' }],
  ])('has %s', (_, env, names, home, expected) => {
    expect(agentEnvironment(env, names, home)).toEqual(expected)
  })
})
