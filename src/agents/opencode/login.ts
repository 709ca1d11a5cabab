// The parts of the user's opencode files that reach a model: the saved logins, and the providers in the
// configuration. Everything else (agents, commands, plugins, MCP servers) is left alone.
import { readFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Login } from '../agent.ts'
import { count, type Fields, fields, text } from '../shared/fields.ts'
import { borrowedFiles } from '../shared/borrowed-credentials.ts'
import { withoutComments } from './json-comments.ts'
import type { Environment } from '../../core/values/environment.ts'

const AUTH = '.local/share/opencode/auth.json'
const CONFIG = '.config/opencode/opencode.json'
const CONFIG_NAMES = ['opencode.jsonc', 'opencode.json', 'config.json']
const CONFIG_KEYS = ['provider', 'model', 'small_model', 'enabled_providers', 'disabled_providers']

/** Variables that stand for a login, the most usual first. */
export const KEYS = [
  'ANTHROPIC_API_KEY',
  'OPENAI_API_KEY',
  'OPENROUTER_API_KEY',
  'GEMINI_API_KEY',
  'GOOGLE_GENERATIVE_AI_API_KEY',
  'OPENCODE_API_KEY',
  'GITHUB_TOKEN',
  'OPENCODE_CONFIG_CONTENT',
] as const

export function userLogin(user: Environment): Login {
  const home = user['HOME']
  const data = user['XDG_DATA_HOME'] || (home === undefined ? null : join(home, '.local/share'))
  const config = user['XDG_CONFIG_HOME'] || (home === undefined ? null : join(home, '.config'))
  const own = data === null ? null : join(data, 'opencode/auth.json')
  const files = borrowedFiles([{ own, inHome: AUTH, secretsIn, isRenewal }])
  return {
    takeBackRenewed: files.takeBackRenewed,
    borrow: async (place) => {
      const borrowed = await files.borrow(place)
      const providers = config === null ? null : await providersIn(join(config, 'opencode'))
      if (providers === null) return borrowed
      const copy = join(place, CONFIG)
      await mkdir(dirname(copy), { recursive: true, mode: 0o700 })
      await writeFile(copy, JSON.stringify(providers), { mode: 0o600 })
      return { ...borrowed, secrets: () => [...borrowed.secrets(), ...secretsIn(providers)] }
    },
  }
}

async function providersIn(folder: string): Promise<Fields | null> {
  for (const name of CONFIG_NAMES) {
    const written = await readFile(join(folder, name), 'utf8').catch(() => null)
    const config = written === null ? null : parseJson(withoutComments(written))
    const kept = CONFIG_KEYS.flatMap((key) => (config?.[key] === undefined ? [] : [[key, config[key]] as const]))
    if (kept.length > 0) return Object.fromEntries(kept)
  }
  return null
}

function parseJson(json: string): Fields | null {
  try {
    return fields(JSON.parse(json))
  } catch {
    return null
  }
}

/** At any depth. */
function secretsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const isSecret = typeof inner === 'string' && /^(?:key|access|refresh|token|api_?key)$/i.test(key)
    // A place for a variable or a file is none.
    return isSecret && !inner.startsWith('{') ? [inner] : secretsIn(inner)
  })
}

/** The same logins, of which at least one is newer and none is older. */
function isRenewal(before: unknown, after: unknown): boolean {
  const [old, renewed] = [fields(before), fields(after)]
  const names = Object.keys(old)
  if (names.join('\n') !== Object.keys(renewed).join('\n')) return false
  const changed = names.filter((name) => JSON.stringify(old[name]) !== JSON.stringify(renewed[name]))
  return (
    changed.length > 0 &&
    changed.every((name) => {
      const [was, is] = [fields(old[name]), fields(renewed[name])]
      return text(was['type']) === 'oauth' && is['type'] === 'oauth' && count(is['expires']) > count(was['expires'])
    })
  )
}

/** How a session with this home and this environment reaches a model; null: it is not known to. */
export function loginIn(home: string, env: Environment): string | null {
  const key = KEYS.find((name) => env[name] !== undefined && env[name] !== '')
  if (key !== undefined) return `by ${key}`
  const logins = Object.keys(readFields(join(home, AUTH)))
  if (logins.length > 0) return logins.slice(0, 5).join(', ')
  const providers = Object.keys(fields(readFields(join(home, CONFIG))['provider']))
  return providers.length > 0 ? `${providers.slice(0, 5).join(', ')} of its configuration` : null
}

function readFields(path: string): Fields {
  try {
    return fields(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return {}
  }
}
