// The environment of a real `claude` with a scripted model. It holds nothing of the tester's own.

import { tmpdir } from 'node:os'

/** Where nothing else is said it asks a server again and again, for minutes. */
const RETRIES = '1'

/** An API key, a subscriber's token, or neither. */
export type Login = 'key' | 'subscription' | 'none'

const DUMMY_KEY = 'dummy'

const logins: Readonly<Record<Login, Readonly<Record<string, string>>>> = {
  key: { ANTHROPIC_API_KEY: DUMMY_KEY },
  subscription: { CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-dummy' },
  none: {},
}

export function claudeEnvironment(address: string, home: string, login: Login = 'key'): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    TMPDIR: tmpdir(),
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    ANTHROPIC_BASE_URL: address,
    ...logins[login],
    CLAUDE_CONFIG_DIR: `${home}/.claude`,
    CLAUDE_CODE_MAX_RETRIES: RETRIES,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    // Nothing listens there: requests to other machines fail.
    HTTPS_PROXY: 'http://127.0.0.1:9',
    NO_PROXY: '127.0.0.1',
  }
}
