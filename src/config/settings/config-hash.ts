// The last step of making a config: hash it and freeze it.
import type { Config, Settings } from './config.ts'
import { sha256 } from '../../system/hash.ts'

export function sealConfig(settings: Settings, origins: Readonly<Record<string, string>>): Config {
  return deepFrozen({ ...settings, hash: hashOf(settings), origins: { ...origins } })
}

function hashOf(settings: Settings): string {
  return `sha256:${sha256(canonicalJson(settings))}`
}

/** Names in code point order and no spaces, so equal values have equal bytes. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`)
  return `{${members.join(',')}}`
}

function deepFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) deepFrozen(member)
    Object.freeze(value)
  }
  return value
}
