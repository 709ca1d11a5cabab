// Finds installed agent CLIs on the PATH as a shell would, without running anything.
import { access, constants, stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'
import type { AgentName } from '../settings/config.ts'
import type { Environment } from '../../core/values/environment.ts'

export interface DetectedAgent {
  readonly name: AgentName
  readonly path: string
}

/** In the order in which `ralph init` prefers them. */
const programs = ['claude', 'codex', 'gemini', 'opencode'] as const satisfies readonly AgentName[]

export async function detectAgents(env: Environment): Promise<readonly DetectedAgent[]> {
  const paths = await Promise.all(programs.map((name) => findProgram(name, env)))
  return programs.flatMap((name, index) => {
    const path = paths[index] ?? null
    return path === null ? [] : [{ name, path }]
  })
}

/** Model providers that need a key, with its usual variables. */
const providerKeys = {
  anthropic: ['ANTHROPIC_API_KEY'],
  openai: ['OPENAI_API_KEY'],
  google: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
} as const

export type KeyedProvider = keyof typeof providerKeys

/** The first provider whose key is set. */
export function keyedProvider(env: Environment): KeyedProvider {
  const names = Object.keys(providerKeys) as KeyedProvider[]
  return names.find((name) => providerKeys[name].some((key) => env[key])) ?? 'anthropic'
}

interface LoginByVariable {
  /** Variables that replace a login. */
  readonly keys: readonly string[]
  /** The variable for another address of its model. */
  readonly address: string | null
  /** One of these files means that the user has logged in. */
  readonly files: (env: Environment) => readonly string[]
}

const logins: Partial<Record<AgentName, LoginByVariable>> = {
  claude: {
    keys: ['ANTHROPIC_API_KEY', 'CLAUDE_CODE_OAUTH_TOKEN', 'ANTHROPIC_AUTH_TOKEN'],
    address: 'ANTHROPIC_BASE_URL',
    files: ({ CLAUDE_CONFIG_DIR, HOME = '/' }) => [
      join(CLAUDE_CONFIG_DIR || join(HOME, '.claude'), '.credentials.json'),
    ],
  },
  codex: {
    keys: ['CODEX_API_KEY', 'OPENAI_API_KEY'],
    address: null,
    files: ({ CODEX_HOME, HOME = '/' }) => [join(CODEX_HOME || join(HOME, '.codex'), 'auth.json')],
  },
  gemini: {
    keys: ['GEMINI_API_KEY'],
    address: 'GOOGLE_GEMINI_BASE_URL',
    files: ({ GEMINI_CLI_HOME, HOME = '/' }) =>
      ['oauth_creds.json', 'gemini-credentials.json'].map((name) => join(GEMINI_CLI_HOME || HOME, '.gemini', name)),
  },
  opencode: {
    keys: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENROUTER_API_KEY', 'GEMINI_API_KEY'],
    address: null,
    files: ({ XDG_DATA_HOME, HOME = '/' }) => [
      join(XDG_DATA_HOME || join(HOME, '.local/share'), 'opencode', 'auth.json'),
    ],
  },
}

/** Variables that an agent needs where the user logs in with a variable and in no other way. */
export async function variablesForLogin(name: AgentName, env: Environment): Promise<readonly string[]> {
  const login = logins[name]
  const key = login?.keys.find((candidate) => env[candidate])
  if (login === undefined || key === undefined) return []
  const found = await Promise.all(login.files(env).map((path) => stat(path).catch(() => null)))
  if (found.some((file) => file !== null)) return []
  return login.address !== null && env[login.address] ? [key, login.address] : [key]
}

/** The path of a program on the PATH; null where there is none. */
export async function findProgram(name: string, env: Environment): Promise<string | null> {
  // A relative entry depends on the current folder, where an agent could have put its own program.
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder))
  return firstExecutable(folders.map((folder) => join(folder, name)))
}

async function firstExecutable(paths: readonly string[]): Promise<string | null> {
  for (const path of paths) if (await isExecutable(path)) return path
  return null
}

async function isExecutable(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  if (found?.isFile() !== true) return false
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}
