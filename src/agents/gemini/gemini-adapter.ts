// The adapter for Gemini CLI, Google's CLI.
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { asTyped, fromRoot } from '../../system/program.ts'
import type { Call, AgentAdapter, Readiness, Rehearsal, Session, SessionPlace } from '../agent.ts'
import { type VersionQuery, loggedOut, programVersion } from '../shared/program-version.ts'
import { explainCrash } from './ending.ts'
import { commandLine, type CommandLineSettings, sessionSettings, variables } from './gemini-settings.ts'
import { FOLDER, KEYS, loginIn, userLogin } from './login.ts'
import { geminiReader } from './stream-reader.ts'
import type { Environment } from '../../core/values/environment.ts'

export interface GeminiSettings extends CommandLineSettings {
  readonly credentials: 'user' | 'none'
  /** Names of the user's variables that it gets. */
  readonly env: readonly string[]
}

export interface GeminiContext {
  /** The operator's checkout. */
  readonly root: string
  /** The user's environment. */
  readonly user: Environment
}

const ABOUT = {
  name: 'Gemini CLI',
  table: 'agent.gemini',
  npm: '@google/gemini-cli',
  // The one that was tried; stream-json is older, the settings are not.
  versionMin: [0, 61, 0],
} as const

export function geminiAdapter(settings: GeminiSettings, { root, user }: GeminiContext): AgentAdapter {
  const [program = 'gemini', ...rest] = settings.command ?? []
  const command = [fromRoot(program, root), ...rest]
  const called = { ...settings, command }
  const listed = Object.fromEntries(settings.env.map((name) => [name, user[name]]))
  return {
    name: 'gemini',
    login: userLogin(user),
    describe: ({ role }) => `${asTyped(commandLine(called, { role }))} < {prompt_file}`,
    ready: (inEnvironment) => inEnvironment((rehearsal) => readiness(command, rehearsal, { settings, user, listed })),
    call: (session, place) => callOf(commandLine(called, session), session, place, { user, listed }),
  }
}

interface UserVariables {
  readonly user: Environment
  /** The part of the user's environment that the agent gets. */
  readonly listed: Environment
}

async function callOf(
  argv: readonly string[],
  session: Session,
  { home, promptFile }: SessionPlace,
  { user, listed }: UserVariables,
): Promise<Call> {
  const place = home ?? dirname(promptFile)
  const login = loginIn(place, listed, user)
  await mkdir(join(place, FOLDER), { recursive: true, mode: 0o700 })
  const settings = JSON.stringify(sessionSettings(session, login?.selectedType ?? null))
  await writeFile(join(place, FOLDER, 'settings.json'), settings, { mode: 0o600 })
  return {
    argv,
    input: session.prompt,
    env: variables(place),
    reader: geminiReader(Date.now, login?.paidBy ?? 'allowance'),
    explain: explainCrash,
  }
}

async function readiness(
  command: readonly string[],
  { env, home, folder }: Rehearsal,
  { settings, user, listed }: UserVariables & { readonly settings: GeminiSettings },
): Promise<Readiness> {
  const place = home ?? folder
  const asked: VersionQuery = { ...ABOUT, command, env: { ...variables(place), ...env }, folder }
  const version = await programVersion(asked)
  if ('ready' in version) return version
  const login = loginIn(place, listed, user)
  const logIn = 'run "gemini" and log in there'
  if (login === null) return loggedOut(asked, { user, credentials: settings.credentials, keys: KEYS, logIn })
  return { ready: true, detail: `${version.said}, logged in (${login.how})` }
}
