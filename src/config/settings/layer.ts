// The settings of one source (the file, the environment, the flags), and their faults.
import { refuse } from '../../core/error/error.ts'
import { type Rule, readValue } from './rule.ts'
import { type Key, fixedSections, type Group, isKey } from './schema.ts'
import { dottedKey } from './toml-text.ts'

export interface Given {
  readonly path: readonly string[]
  readonly value: unknown
  /** `ralph.toml line 12`, `environment RALPH_…`, `flag -n` */
  readonly origin: string
  /** The line in the file; faults from elsewhere come after its last line. */
  readonly line: number
}

export interface Problem {
  readonly where: string
  readonly line: number
  readonly problem: string
}

export interface Layer {
  /** By dotted key. */
  readonly given: ReadonlyMap<string, Given>
  readonly problems: readonly Problem[]
}

export const AFTER_THE_FILE = Number.POSITIVE_INFINITY

/** Reads one value into the layer under construction. */
export function take(
  layer: { readonly given: Map<string, Given>; readonly problems: Problem[] },
  rule: Rule,
  said: Given,
): void {
  const key = dottedKey(said.path)
  const reading = readValue(rule, said.value)
  if ('value' in reading) layer.given.set(key, { ...said, value: reading.value })
  else layer.problems.push({ where: said.origin, line: said.line, problem: `${key} ${reading.problem}` })
}

/** People fix one fault at a time: the first in the file, else the first elsewhere. */
export function throwFirst(problems: readonly Problem[]): void {
  const first = problems.reduce<Problem | null>(
    (best, one) => (best === null || one.line < best.line ? one : best),
    null,
  )
  if (first !== null) throw refuse('CONFIG_BAD', { where: first.where, problem: first.problem })
}

export interface NamedKey {
  readonly path: readonly string[]
  readonly key: Key
}

/** Every key of the fixed sections by its dotted name. */
export const allKeys: ReadonlyMap<string, NamedKey> = new Map(
  keysOf(fixedSections, []).map((named) => [dottedKey(named.path), named]),
)

function keysOf(group: Group, path: readonly string[]): readonly NamedKey[] {
  return Object.entries(group).flatMap(([name, node]) =>
    isKey(node) ? [{ path: [...path, name], key: node }] : keysOf(node, [...path, name]),
  )
}
