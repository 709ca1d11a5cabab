// Tells whether Codex can work: found, new enough, logged in, with a usable sandbox. Checked without a model, in
// the environment of a session.
import { outputText } from '../../system/process/head-tail-buffer.ts'
import type { Ended } from '../../system/process/ended.ts'
import { lastLine, oneLine } from '../../system/text.ts'
import { isFound } from '../../system/program.ts'
import { run } from '../../system/process/spawn.ts'
import type { Readiness } from '../agent.ts'
import { KEYS, WORKING_SANDBOX } from './command-line.ts'
import type { Environment } from '../../core/values/environment.ts'

/** The oldest that was seen to know every option we use. */
const VERSION_MIN = [0, 166, 0] as const
/** A start takes 50 ms; on a machine that is busy with builds, many times that. */
export const ANSWER_LIMIT_MS = 30_000

const PACKAGE = '@openai/codex'

export interface Asking {
  /** Program and first arguments. */
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** The working folder: the program must read nothing of the repository. */
  readonly folder: string
  readonly limitMs: number
}

export interface LoginContext {
  readonly user: Environment
  readonly credentials: 'user' | 'none'
  /** Of ralph.toml. */
  readonly args: readonly string[]
}

export async function readiness(asking: Asking, context: LoginContext): Promise<Readiness> {
  const [program = ''] = asking.command
  if (!(await isFound(program, asking.env['PATH'] ?? ''))) {
    const mend = `install it with: npm install -g ${PACKAGE}`
    return notReady(`${JSON.stringify(program)} was not found`, `${mend}, or name its path as command in [agent.codex]`)
  }
  const version = await versionOf(asking)
  if ('ready' in version) return version
  const login = await loginOf(asking, context)
  if (typeof login !== 'string') return login
  const sandbox = await sandboxProblem(asking, context)
  return sandbox ?? { ready: true, detail: `${version.said}, ${login}` }
}

async function versionOf(asking: Asking): Promise<{ readonly said: string } | Readiness> {
  const answer = await ask(asking, ['--version'])
  if (answer.how !== 'exited') return silent(asking, '--version')
  const said = outputText(answer.stdout).trim()
  const found = /(\d+)\.(\d+)\.(\d+)/.exec(said)
  if (answer.code !== 0 || found === null) {
    const words = lastLine(outputText(answer.stderr)) || lastLine(said) || 'no words'
    return notReady(`"codex --version" does not work (${words})`, `install it again with: npm install -g ${PACKAGE}`)
  }
  if (!isOlder(found.slice(1).map(Number))) return { said: found[0] }
  const needed = VERSION_MIN.join('.')
  return notReady(`Codex ${found[0]} is too old`, `update to ${needed} or newer: npm install -g ${PACKAGE}@latest`)
}

function isOlder(version: readonly number[]): boolean {
  const at = VERSION_MIN.findIndex((part, index) => version[index] !== part)
  return at !== -1 && (version[at] ?? 0) < (VERSION_MIN[at] ?? 0)
}

/** How it is logged in, or why it is not. */
async function loginOf(asking: Asking, context: LoginContext): Promise<string | Readiness> {
  if (asking.env['CODEX_API_KEY'] !== undefined) return 'logged in (API key)'
  if (context.args.some((word) => /model_provider|--oss|--profile/.test(word)))
    return 'with a provider of its own, as args says'
  const answer = await ask(asking, ['login', 'status'])
  if (answer.how !== 'exited') return silent(asking, 'login status')
  if (answer.code !== 0) return notReady(...loggedOut(asking, context))
  const words = `${outputText(answer.stdout)}\n${outputText(answer.stderr)}`
  const how = /logged in using (.+)/i.exec(words)?.[1] ?? (/api key/i.test(words) ? 'API key' : '')
  return how === '' ? 'logged in' : `logged in (${oneLine(how)})`
}

/** The problem, and the remedy for this user. */
function loggedOut({ env }: Asking, { user, credentials }: LoginContext): readonly [string, string] {
  const unlisted = KEYS.find((key) => (user[key] ?? '') !== '' && env[key] === undefined)
  if (unlisted !== undefined) {
    const what = `Codex is not logged in, and ${unlisted} of your environment is not handed on to it`
    return [what, `add env = ["${unlisted}"] to [agent.codex] in ralph.toml`]
  }
  if (credentials === 'none')
    return [
      'Codex has no login, as credentials = "none" says',
      'set credentials = "user" in [agent.codex], or name a key there: env = ["OPENAI_API_KEY"]',
    ]
  return [
    'Codex is not logged in',
    'run "codex login", or set OPENAI_API_KEY and add env = ["OPENAI_API_KEY"] to [agent.codex] in ralph.toml',
  ]
}

const FULL_ACCESS = `args = ["-c", "sandbox_mode='danger-full-access'"]`

/** Where its sandbox cannot work every command fails, in sessions that end well all the same. */
async function sandboxProblem(asking: Asking, { args }: LoginContext): Promise<Readiness | null> {
  if (args.some((word) => /sandbox|default_permissions/.test(word))) return null
  const answer = await ask(asking, ['sandbox', ...WORKING_SANDBOX, '--', 'true'])
  if (answer.how !== 'exited') return silent(asking, 'sandbox -- true')
  if (answer.code === 0) return null
  const words = lastLine(outputText(answer.stderr)) || `exit code ${answer.code}`
  const mend = `allow user namespaces, or, where this machine is a sandbox itself, set ${FULL_ACCESS} in [agent.codex]`
  return notReady(`the sandbox of Codex does not work here (${words})`, mend)
}

function ask({ command, env, folder, limitMs }: Asking, words: readonly string[]): Promise<Ended> {
  return run({ argv: [...command, ...words], cwd: folder, env, deadlineMs: limitMs, graceMs: 500 })
}

function silent({ command, limitMs }: Asking, words: string): Readiness {
  const line = `${command.join(' ')} ${words}`
  return notReady(`"${line}" gave no answer within ${limitMs / 1000} s`, 'run it by hand to see what holds it')
}

function notReady(what: string, mend: string): Readiness {
  return { ready: false, reason: `${what}; ${mend}` }
}
