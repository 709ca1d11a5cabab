// The adapter for Codex, OpenAI's CLI.
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { answerSchema } from '../../core/role-answers/answer-schema.ts'
import { asTyped, fromRoot } from '../../system/program.ts'
import type { AgentAdapter } from '../agent.ts'
import { answersInForm, commandLine, type CommandLineSettings, KEYS, variables } from './command-line.ts'
import { explainCrash } from './ending.ts'
import { codexLogin } from './login.ts'
import { codexReader } from './stream-reader.ts'
import { ANSWER_LIMIT_MS, readiness } from './readiness.ts'
import type { Environment } from '../../core/values/environment.ts'

export interface CodexSettings extends CommandLineSettings {
  readonly credentials: 'user' | 'none'
  readonly env: readonly string[]
}

export interface CodexContext {
  /** The operator's checkout. */
  readonly root: string
  /** The user's environment. */
  readonly user: Environment
}

export function codexAdapter(settings: CodexSettings, { root, user }: CodexContext): AgentAdapter {
  const [program = 'codex', ...rest] = settings.command ?? []
  const command = [fromRoot(program, root), ...rest]
  const environmentOf = async (home: string): Promise<Readonly<Record<string, string>>> => {
    const own = variables(home)
    for (const folder of Object.values(own)) await mkdir(folder, { recursive: true, mode: 0o700 })
    return { ...own, ...keyOf(settings, user), ...zoneOf(user) }
  }
  return {
    name: 'codex',
    login: codexLogin(user),
    describe: ({ role }) =>
      `${asTyped(commandLine({ ...settings, command }, { role }, '{schema_file}'))} < {prompt_file}`,
    ready: (inEnvironment) =>
      inEnvironment(async ({ env, home }) => {
        const folder = home ?? tmpdir()
        const asking = { command, env: { ...(await environmentOf(folder)), ...env }, folder, limitMs: ANSWER_LIMIT_MS }
        return readiness(asking, { user, credentials: settings.credentials, args: settings.args })
      }),
    call: async (session, { home, promptFile }) => {
      const schema = join(dirname(promptFile), 'answer-schema.json')
      const { role } = session
      if (answersInForm(role)) await writeFile(schema, JSON.stringify(answerSchema(role)), { mode: 0o600 })
      const reader = codexReader(session, Date.now)
      return {
        argv: commandLine({ ...settings, command }, session, schema),
        input: session.prompt,
        env: await environmentOf(home ?? tmpdir()),
        reader,
        explain: (words) => explainCrash(reader.lastError() || words, Date.now()),
      }
    },
  }
}

/** Codex reads the key from one variable only; users often have it in the other. */
function keyOf({ env }: CodexSettings, user: Environment): Readonly<Record<string, string>> {
  const name = KEYS.find((key) => env.includes(key) && (user[key] ?? '') !== '')
  const key = name === undefined ? undefined : user[name]
  return key === undefined ? {} : { CODEX_API_KEY: key }
}

/** Codex reports the end of a limit as a local time, so its time zone must be ours. */
function zoneOf(user: Environment): Readonly<Record<string, string>> {
  const zone = user['TZ']
  return zone === undefined ? {} : { TZ: zone }
}
