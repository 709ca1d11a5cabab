// The adapter for opencode.
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { asTyped, fromRoot } from '../../system/program.ts'
import type { Call, AgentAdapter, Failure, Readiness, Rehearsal, Session, SessionPlace } from '../agent.ts'
import { type VersionQuery, loggedOut, programVersion } from '../shared/program-version.ts'
import { explainCrash } from './ending.ts'
import { foreignPlugin } from './foreign-plugins.ts'
import { KEYS, loginIn, userLogin } from './login.ts'
import { opencodeReader } from './stream-reader.ts'
import { commandLine, type CommandLineSettings, sessionConfig, variables } from './session-config.ts'
import type { Environment } from '../../core/values/environment.ts'

export interface OpencodeSettings extends CommandLineSettings {
  readonly credentials: 'user' | 'none'
  /** Names of the user's variables that it gets. */
  readonly env: readonly string[]
}

export interface OpencodeContext {
  /** The operator's checkout. */
  readonly root: string
  /** The user's environment. */
  readonly user: Environment
}

const ABOUT = {
  name: 'opencode',
  table: 'agent.opencode',
  npm: 'opencode-ai',
  // The one that was tried.
  versionMin: [1, 18, 18],
} as const

/** Models of opencode's own that need no login have this before their name. */
const OWN_MODELS = 'opencode/'

export function opencodeAdapter(settings: OpencodeSettings, { root, user }: OpencodeContext): AgentAdapter {
  const [program = 'opencode', ...rest] = settings.command ?? []
  const called = { ...settings, command: [fromRoot(program, root), ...rest] }
  const argv = commandLine(called)
  return {
    name: 'opencode',
    login: userLogin(user),
    describe: () => `${asTyped(argv)} < {prompt_file}`,
    ready: (inEnvironment) => inEnvironment((rehearsal) => readiness(called, rehearsal, user)),
    call: (session, place) => callOf(argv, session, place),
  }
}

async function callOf(
  argv: readonly string[],
  session: Session,
  { promptFile }: SessionPlace,
): Promise<Call | Failure> {
  const plugin = session.role === 'implementer' ? null : await foreignPlugin(session.folder)
  if (plugin !== null) {
    const mend = `let another agent play it: ${session.role} = "…" in [agents] of ralph.toml`
    const what = `opencode would run ${plugin} of the repository in a session of the ${session.role}`
    return { kind: 'unknownCommand', sentence: `${what}; ${mend}`, until: null }
  }
  const file = join(dirname(promptFile), 'opencode.json')
  await writeFile(file, JSON.stringify(sessionConfig(session)), { mode: 0o600 })
  return {
    argv,
    input: session.prompt,
    env: variables(file),
    reader: opencodeReader(Date.now),
    explain: explainCrash,
  }
}

async function readiness(
  { command, env: names, model, credentials }: OpencodeSettings,
  { env, home, folder }: Rehearsal,
  user: Environment,
): Promise<Readiness> {
  const file = join(folder, 'opencode.json')
  const asked: VersionQuery = { ...ABOUT, command: command ?? [], env: { ...variables(file), ...env }, folder }
  const version = await programVersion(asked)
  if ('ready' in version) return version
  const listed = Object.fromEntries(names.map((name) => [name, user[name]]))
  const login = loginIn(home ?? folder, listed)
  if (login !== null) return { ready: true, detail: `${version.said}, logged in (${login})` }
  if (model?.startsWith(OWN_MODELS) === true) return { ready: true, detail: `${version.said}, without a login` }
  return loggedOut(asked, { user, credentials, keys: KEYS, logIn: 'run "opencode auth login"' })
}
