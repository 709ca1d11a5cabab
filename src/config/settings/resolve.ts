// Puts the layers over each other, and the defaults below.
import type { SealedExample } from '../../core/sealed/example.ts'
import type { AgentName, AgentSettings, CheckSettings, FixedSettings, OperatorExamples, Settings } from './config.ts'
import { AGENT_NAMES } from './config.ts'
import type { Given } from './layer.ts'
import { checkKeys, fixedSections, type Group, isKey, type Key } from './schema.ts'
import { dottedKey } from './toml-text.ts'

/** By dotted key; the topmost layer has won already. */
export type AllGiven = ReadonlyMap<string, Given>

export function resolveSettings(given: AllGiven): Settings {
  // The schema describes FixedSettings, and the compiler checks that: see Describes in schema.ts.
  const fixed = resolvedGroup(fixedSections, [], given) as unknown as FixedSettings
  return {
    ...fixed,
    agent: withIdleTimeouts(fixed.agent, given),
    checks: checksOf('checks', given),
    validators: checksOf('validators', given),
    examples: examplesOf(given),
  }
}

export function originsOf(given: AllGiven): Readonly<Record<string, string>> {
  const origins = Object.fromEntries([...given].map(([key, { origin }]) => [key, origin]))
  const fallen = Object.entries(fixedSections).flatMap(([section, group]) => followers(section, group, origins))
  return { ...Object.fromEntries(fallen), ...origins }
}

/** A key that follows a given key has its origin, too. */
function followers(section: string, group: Group, origins: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(group).flatMap(([name, node]): [string, string][] => {
    const origin = isKey(node) && node.follows !== undefined ? origins[dottedKey([section, node.follows])] : undefined
    return origin === undefined ? [] : [[dottedKey([section, name]), origin]]
  })
}

function resolvedGroup(group: Group, path: readonly string[], given: AllGiven): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(group).map(([name, node]) => {
      if (isKey(node)) return [propertyName(name, node), resolvedKey(group, node, [...path, name], given)]
      return [propertyName(name, node), resolvedGroup(node, [...path, name], given)]
    }),
  )
}

function resolvedKey(group: Group, key: Key, path: readonly string[], given: AllGiven): unknown {
  const said = given.get(dottedKey(path))
  if (said !== undefined) return said.value
  const followed = key.follows === undefined ? undefined : group[key.follows]
  if (key.follows === undefined || followed === undefined || !isKey(followed)) return key.default
  return resolvedKey(group, followed, [...path.slice(0, -1), key.follows], given)
}

/** `idle_timeout` → `idleTimeoutMs` */
function propertyName(name: string, node: Key | Group): string {
  const camel = name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
  return isKey(node) && node.rule.kind === 'duration' ? `${camel}Ms` : camel
}

/** Shortening `timeout` alone is enough: the default of `idle_timeout` shrinks with it. */
function withIdleTimeouts(agent: FixedSettings['agent'], given: AllGiven): FixedSettings['agent'] {
  const entries = AGENT_NAMES.map((name): [AgentName, AgentSettings] => {
    const { idleTimeoutMs, timeoutMs } = agent[name]
    const asked = given.has(`agent.${name}.idle_timeout`)
    return [name, { ...agent[name], idleTimeoutMs: asked ? idleTimeoutMs : Math.min(idleTimeoutMs, timeoutMs) }]
  })
  return Object.fromEntries(entries) as Record<AgentName, AgentSettings>
}

function checksOf(section: 'checks' | 'validators', given: AllGiven): readonly CheckSettings[] {
  const said = [...given.values()].filter(({ path }) => path[0] === section && path.length === 2)
  return said.map(({ path, value }) => {
    const name = path[1] as string
    const detail = <T>(key: keyof typeof checkKeys, initial: T): T =>
      (given.get(dottedKey(['check', name, key]))?.value as T) ?? initial
    const writes = detail<readonly string[]>('writes', checkKeys.writes.default)
    return checkSettings(name, value as string, {
      timeoutMs: detail('timeout', checkKeys.timeout.default),
      cwd: detail('cwd', checkKeys.cwd.default),
      ...(writes.length === 0 ? {} : { writes }),
    })
  })
}

/** `[sealed.TASK] examples`; those of the file come later (operator-examples.ts). */
function examplesOf(given: AllGiven): OperatorExamples {
  const said = [...given.values()].filter(({ path }) => path[0] === 'sealed' && path.length === 3)
  return Object.fromEntries(
    said.map(({ path, value }) => [path[1], { list: value as readonly SealedExample[], from: 'settings' }]),
  )
}

/** A check with its details, or with the defaults of those. */
export function checkSettings(name: string, command: string, details: Partial<CheckSettings>): CheckSettings {
  return { name, command, timeoutMs: checkKeys.timeout.default, cwd: checkKeys.cwd.default, ...details }
}
