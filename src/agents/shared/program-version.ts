// Tells whether a program exists and is new enough, by asking it for its version in the environment of a session.
import { outputText } from '../../system/process/head-tail-buffer.ts'
import { lastLine } from '../../system/text.ts'
import { isFound } from '../../system/program.ts'
import { run } from '../../system/process/spawn.ts'
import type { Readiness } from '../agent.ts'
import type { Environment } from '../../core/values/environment.ts'

export interface VersionQuery {
  /** The name for people. */
  readonly name: string
  /** Its table in ralph.toml. */
  readonly table: string
  /** The npm package. */
  readonly npm: string
  /** The oldest version known to work. */
  readonly versionMin: readonly number[]
  /** Program and first arguments. */
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** The working folder: the program must read nothing of the repository. */
  readonly folder: string
}

/** A cold start takes 6 s; on a machine that is busy with builds, several times that. */
const ANSWER_LIMIT_MS = 60_000

/** The version, or why the program cannot work. */
export async function programVersion(asked: VersionQuery): Promise<{ readonly said: string } | Readiness> {
  const { name, table, npm, command, env, folder } = asked
  const [program = ''] = command
  const install = `npm install -g ${npm}`
  if (!(await isFound(program, env['PATH'] ?? '')))
    return notReady(
      `${JSON.stringify(program)} was not found`,
      `install it with: ${install}, or name its path as command in [${table}]`,
    )
  const answer = await run({
    argv: [...command, '--version'],
    cwd: folder,
    env,
    deadlineMs: ANSWER_LIMIT_MS,
    graceMs: 500,
  })
  if (answer.how !== 'exited') {
    const line = `"${command.join(' ')} --version"`
    return notReady(`${line} gave no answer within ${ANSWER_LIMIT_MS / 1000} s`, 'run it by hand to see what holds it')
  }
  const said = outputText(answer.stdout).trim()
  const found = /(\d+)\.(\d+)\.(\d+)/.exec(said)
  if (answer.code !== 0 || found === null) {
    const words = lastLine(outputText(answer.stderr)) || lastLine(said) || 'no words'
    return notReady(`"${program} --version" does not work (${words})`, `install it again with: ${install}`)
  }
  if (!isOlder(found.slice(1).map(Number), asked.versionMin)) return { said: found[0] }
  const needed = asked.versionMin.join('.')
  return notReady(`${name} ${found[0]} is too old`, `update to ${needed} or newer: ${install}@latest`)
}

function isOlder(version: readonly number[], min: readonly number[]): boolean {
  const at = min.findIndex((part, index) => version[index] !== part)
  return at !== -1 && (version[at] ?? 0) < (min[at] ?? 0)
}

function notReady(what: string, mend: string): Readiness {
  return { ready: false, reason: `${what}; ${mend}` }
}

export interface LoginContext {
  readonly user: Environment
  readonly credentials: 'user' | 'none'
  /** Variables that stand for a login, the most usual first. */
  readonly keys: readonly string[]
  /** What to run to log in. */
  readonly logIn: string
}

/** What is wrong with a program that has no login, and the mend that fits this user. */
export function loggedOut(
  { name, table, env }: VersionQuery,
  { user, credentials, keys, logIn }: LoginContext,
): Readiness {
  const [usual = ''] = keys
  const unlisted = keys.find((key) => user[key] !== undefined && env[key] === undefined)
  if (unlisted !== undefined)
    return notReady(
      `${name} is not logged in, and ${unlisted} of your environment is not handed on to it`,
      `add env = ["${unlisted}"] to [${table}] in ralph.toml`,
    )
  if (credentials === 'none')
    return notReady(
      `${name} has no login, as credentials = "none" says`,
      `set credentials = "user" in [${table}], or name a key there: env = ["${usual}"]`,
    )
  return notReady(
    `${name} is not logged in`,
    `${logIn}, or set ${usual} and add env = ["${usual}"] to [${table}] in ralph.toml`,
  )
}
