// Which agent CLIs are installed: looked up on the PATH as a shell would, without running anything.
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

/** Providers of models that know who asks by a key, with the variables it is usually kept in. */
const providerKeys = {
  anthropic: ['ANTHROPIC_API_KEY'],
  openai: ['OPENAI_API_KEY'],
  google: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
} as const

export type KeyedProvider = keyof typeof providerKeys

/** The first whose key is set. */
export function keyedProvider(env: Environment): KeyedProvider {
  const names = Object.keys(providerKeys) as KeyedProvider[]
  return names.find((name) => providerKeys[name].some((key) => env[key])) ?? 'anthropic'
}

interface LoginByVariable {
  /** Variables that stand for a login. */
  readonly keys: readonly string[]
  /** Where its model is, if elsewhere. */
  readonly address: string | null
  /** Any of these files means that the user has logged in. */
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

/** What of the environment an agent needs to be handed on, because the user logs in by a variable and no other way. */
export async function variablesForLogin(name: AgentName, env: Environment): Promise<readonly string[]> {
  const login = logins[name]
  const key = login?.keys.find((candidate) => env[candidate])
  if (login === undefined || key === undefined) return []
  const found = await Promise.all(login.files(env).map((path) => stat(path).catch(() => null)))
  if (found.some((file) => file !== null)) return []
  return login.address !== null && env[login.address] ? [key, login.address] : [key]
}

/** Where on the PATH a program is; null where it is not. */
export async function findProgram(name: string, env: Environment): Promise<string | null> {
  // A relative entry would mean whatever folder we happen to be in: an agent could have put its program there.
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
