// Checks ralph.toml key by key against the schema.
import { type Given, type Layer, type Problem, allKeys, take } from './layer.ts'
import { nearest } from './nearest.ts'
import { checkCommand, checkKeys, exampleKeys, fixedSections, type Group, isKey, type Key } from './schema.ts'
import { dottedKey, shownValue } from './toml-text.ts'
import { lineOrigin, type Table, type TomlFile } from './toml-file.ts'

interface Walk {
  readonly file: TomlFile
  /** Dotted key → its position among all keys of the text. */
  readonly places: ReadonlyMap<string, number>
  readonly given: Map<string, Given>
  readonly problems: Problem[]
}

export function readFileLayer(file: TomlFile): Layer {
  const places = new Map([...file.lines.keys()].map((key, place) => [key, place]))
  const walk: Walk = { file, places, given: new Map(), problems: [] }
  readTable(walk, schemaFor(file.table), file.table, [])
  return walk
}

/** The fixed sections, and those whose names the file chooses. */
function schemaFor(table: Table): Group {
  const commands = (section: unknown): Group => ofNames(isTable(section) ? Object.keys(section) : [], checkCommand)
  const checks = commands(table['checks'])
  const validators = commands(table['validators'])
  const check = ofNames([...Object.keys(checks), ...Object.keys(validators)], checkKeys)
  const named = isTable(table['sealed']) ? Object.keys(table['sealed']) : []
  const sealed = { ...ofNames(named, exampleKeys), ...fixedSections.sealed }
  return { ...fixedSections, sealed, checks, validators, check }
}

function ofNames(names: readonly string[], node: Key | Group): Group {
  return Object.fromEntries(names.map((name) => [name, node]))
}

/** In the order of the text, which the parsed table loses for names like `1`. */
function inOrder(walk: Walk, table: Table, path: readonly string[]): readonly string[] {
  const place = (name: string): number => walk.places.get(dottedKey([...path, name])) ?? 0
  return Object.keys(table).toSorted((one, other) => place(one) - place(other))
}

function readTable(walk: Walk, group: Group, table: Table, path: readonly string[]): void {
  for (const name of inOrder(walk, table, path)) {
    const node = Object.hasOwn(group, name) ? group[name] : undefined
    const said = saidAt(walk.file, [...path, name], table[name])
    if (node === undefined) blame(walk, said, unknownKey(said.path, group))
    else if (isKey(node)) readKey(walk, node, said)
    else if (isTable(said.value)) {
      walk.given.set(dottedKey(said.path), said)
      readTable(walk, node, said.value, said.path)
    } else blame(walk, said, `${dottedKey(said.path)} must be a table, not ${shownValue(said.value)}`)
  }
}

function readKey(walk: Walk, key: Key, said: Given): void {
  const name = said.path.at(-1) ?? ''
  if (key.onlyFor !== undefined) blame(walk, said, `${dottedKey(said.path)} is only for ${key.onlyFor}, delete it`)
  else if (key === checkCommand && !isCheckName(name)) blame(walk, said, checkNameProblem(said.path))
  else take(walk, key.rule, said)
}

const CHECK_NAME_LENGTH_MAX = 64

function isCheckName(name: string): boolean {
  return name !== '' && name.length <= CHECK_NAME_LENGTH_MAX && !/[\s\p{C}]/u.test(name)
}

function checkNameProblem(path: readonly string[]): string {
  const rule = `a name here is 1 to ${CHECK_NAME_LENGTH_MAX} characters without white space or control characters`
  return `${rule}, not ${shownValue(path.at(-1))}`
}

function unknownKey(path: readonly string[], group: Group): string {
  const known = Object.keys(group)
  const name = path.at(-1) ?? ''
  const sibling = nearest(name, known)
  const meant = sibling === null ? namesake(name) : dottedKey([...path.slice(0, -1), sibling])
  return `unknown key '${dottedKey(path)}', ${meant === null ? knownHere(known) : `did you mean '${meant}'?`}`
}

/** A key of the same name in another table. */
function namesake(name: string): string | null {
  const found = [...allKeys.values()].find((one) => one.path.at(-1) === name)
  return found === undefined ? null : dottedKey(found.path)
}

/** Only `check` can be without entries: its names are those of the checks. */
function knownHere(known: readonly string[]): string {
  return known.length === 0 ? 'give its command in [checks] first' : `known here: ${known.join(', ')}`
}

function saidAt(file: TomlFile, path: readonly string[], value: unknown): Given {
  const line = file.lines.get(dottedKey(path)) ?? 1
  return { path, value, origin: lineOrigin(line), line }
}

function blame(walk: Walk, said: Given, problem: string): void {
  walk.problems.push({ where: said.origin, line: said.line, problem })
}

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}
