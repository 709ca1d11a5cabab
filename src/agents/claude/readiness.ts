// Whether Claude Code could work: found, new enough, logged in. Asked without a model, in the surroundings of a session.
import { outputText } from '../../system/process/head-tail-buffer.ts'
import type { Ended } from '../../system/process/ended.ts'
import { lastLine } from '../../system/text.ts'
import { isFound } from '../../system/program.ts'
import { run } from '../../system/process/spawn.ts'
import type { Readiness } from '../agent.ts'
import { fields, text } from '../shared/fields.ts'
import type { Environment } from '../../core/values/environment.ts'

/** The oldest that was seen to know every option we use, and `auth status`. */
const VERSION_MIN = [2, 1, 50] as const
/** A cold start takes 3 s; on a machine that is busy with builds, several times that. */
export const ANSWER_LIMIT_MS = 30_000

const PACKAGE = '@anthropic-ai/claude-code'
/** Variables that stand for a login. */
const KEYS = ['ANTHROPIC_API_KEY', 'CLAUDE_CODE_OAUTH_TOKEN', 'ANTHROPIC_AUTH_TOKEN'] as const

export interface Asking {
  /** Program and first arguments. */
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Where it is run: nothing of the repository is to be read. */
  readonly folder: string
  readonly limitMs: number
}

export interface LoginContext {
  readonly user: Environment
  readonly credentials: 'user' | 'none'
  readonly platform: NodeJS.Platform
}

export async function readiness(asking: Asking, context: LoginContext): Promise<Readiness> {
  const [program = ''] = asking.command
  if (!(await isFound(program, asking.env['PATH'] ?? ''))) {
    const mend = `install it with: npm install -g ${PACKAGE}`
    return notReady(
      `${JSON.stringify(program)} was not found`,
      `${mend}, or name its path as command in [agent.claude]`,
    )
  }
  const version = await versionOf(asking)
  if ('ready' in version) return version
  const answer = await ask(asking, ['auth', 'status'])
  if (answer.how !== 'exited') return silent(asking, 'auth status')
  const status = statusIn(outputText(answer.stdout))
  if (status === null) return { ready: true, detail: `${version.said}; it does not say whether it is logged in` }
  if (status['loggedIn'] !== true) return notReady(...loggedOut(asking, context))
  const how = [text(status['authMethod']), text(status['subscriptionType'])].filter((word) => word !== '').join(', ')
  return { ready: true, detail: `${version.said}, logged in${how === '' ? '' : ` (${how})`}` }
}

async function versionOf(asking: Asking): Promise<{ readonly said: string } | Readiness> {
  const answer = await ask(asking, ['--version'])
  if (answer.how !== 'exited') return silent(asking, '--version')
  const said = outputText(answer.stdout).trim()
  const found = /(\d+)\.(\d+)\.(\d+)/.exec(said)
  if (answer.code !== 0 || found === null) {
    const words = lastLine(outputText(answer.stderr)) || lastLine(said) || 'no words'
    return notReady(`"claude --version" does not work (${words})`, `install it again with: npm install -g ${PACKAGE}`)
  }
  if (!isOlder(found.slice(1).map(Number))) return { said: found[0] }
  const needed = VERSION_MIN.join('.')
  return notReady(
    `Claude Code ${found[0]} is too old`,
    `update to ${needed} or newer: npm install -g ${PACKAGE}@latest`,
  )
}

function isOlder(version: readonly number[]): boolean {
  const at = VERSION_MIN.findIndex((part, index) => version[index] !== part)
  return at !== -1 && (version[at] ?? 0) < (VERSION_MIN[at] ?? 0)
}

function ask({ command, env, folder, limitMs }: Asking, words: readonly string[]): Promise<Ended> {
  return run({ argv: [...command, ...words], cwd: folder, env, deadlineMs: limitMs, graceMs: 500 })
}

function silent({ command, limitMs }: Asking, words: string): Readiness {
  const line = `${command.join(' ')} ${words}`
  return notReady(`"${line}" gave no answer within ${limitMs / 1000} s`, 'run it by hand to see what holds it')
}

function statusIn(words: string): ReturnType<typeof fields> | null {
  try {
    const status = fields(JSON.parse(words))
    return 'loggedIn' in status ? status : null
  } catch {
    return null
  }
}

/** What is wrong, and the mend that fits this user. */
function loggedOut({ env }: Asking, { user, credentials, platform }: LoginContext): readonly [string, string] {
  const unlisted = KEYS.find((key) => user[key] !== undefined && env[key] === undefined)
  if (unlisted !== undefined) {
    const what = `Claude Code is not logged in, and ${unlisted} of your environment is not handed on to it`
    return [what, `add env = ["${unlisted}"] to [agent.claude] in ralph.toml`]
  }
  if (credentials === 'none')
    return [
      'Claude Code has no login, as credentials = "none" says',
      'set credentials = "user" in [agent.claude], or name a key there: env = ["ANTHROPIC_API_KEY"]',
    ]
  if (platform === 'darwin')
    return [
      'Claude Code is not logged in outside the Keychain, which sessions with a home of their own cannot use',
      'run "claude setup-token", set CLAUDE_CODE_OAUTH_TOKEN to what it prints, and add env = ["CLAUDE_CODE_OAUTH_TOKEN"] to [agent.claude] in ralph.toml',
    ]
  return [
    'Claude Code is not logged in',
    'run "claude" and log in there with /login, or set ANTHROPIC_API_KEY and add env = ["ANTHROPIC_API_KEY"] to [agent.claude] in ralph.toml',
  ]
}

function notReady(what: string, mend: string): Readiness {
  return { ready: false, reason: `${what}; ${mend}` }
}
