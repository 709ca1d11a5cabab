// RALPH_<SECTION>_<KEY> for every single value of a fixed section: RALPH_LIMITS_ATTEMPTS, RALPH_AGENTS_DEFAULT, …
// [agent.NAME] has none, so RALPH_AGENT_ID stays what it is: no setting.
import { AFTER_THE_FILE, allKeys, type Given, type Layer, type NamedKey, type Problem, take } from './layer.ts'
import { nearest } from './nearest.ts'
import { fromText } from './rule.ts'
import { fixedSections } from './schema.ts'
import { dottedKey } from './toml-text.ts'
import type { Environment } from '../../core/values/environment.ts'

export function readEnvironmentLayer(env: Environment): Layer {
  const layer = { given: new Map<string, Given>(), problems: [] as Problem[] }
  const written = Object.keys(env).filter((name) => name.startsWith('RALPH_'))
  if (written.length === 0) return layer
  const known = variables()
  for (const name of written.toSorted()) {
    const named = known.get(name)
    if (named !== undefined) readVariable(layer, named, name, env[name] ?? '')
    else if (ofASection(name)) layer.problems.push(unknownVariable(name, [...known.keys()]))
  }
  return layer
}

function variables(): ReadonlyMap<string, NamedKey> {
  const named = [...allKeys.values()].filter(({ path }) => path[0] !== 'agent')
  return new Map(named.map((one) => [`RALPH_${one.path.join('_').toUpperCase()}`, one]))
}

function readVariable(
  layer: { readonly given: Map<string, Given>; readonly problems: Problem[] },
  { path, key }: NamedKey,
  name: string,
  text: string,
): void {
  const { rule } = key
  // Build systems set variables without a value; an empty text counts only where "none" is a value.
  if (text === '' && !(rule.kind === 'line' && rule.empty === 'none')) return
  const said = { path, value: fromText(rule, text), origin: `environment ${name}`, line: AFTER_THE_FILE }
  if (rule.kind === 'list')
    layer.problems.push(problemAt(name, `${dottedKey(path)} is a list, give it in ralph.toml instead`))
  else take(layer, rule, said)
}

function ofASection(name: string): boolean {
  const sections = [...Object.keys(fixedSections).filter((section) => section !== 'agent'), 'checks', 'validators']
  return sections.some((section) => name.startsWith(`RALPH_${section.toUpperCase()}_`))
}

function unknownVariable(name: string, known: readonly string[]): Problem {
  if (/^RALPH_(CHECKS|VALIDATORS)_/.test(name))
    return problemAt(name, 'give checks and validators in ralph.toml instead')
  const prefix = `${name.split('_').slice(0, 2).join('_')}_`
  const inSection = known.filter((one) => one.startsWith(prefix))
  // Compares only the part after the section: the beginnings are the same.
  const endings = inSection.map((one) => one.slice(prefix.length))
  const meant = nearest(name.slice(prefix.length), endings)
  const hint = meant === null ? `known: ${inSection.join(', ')}` : `did you mean ${prefix}${meant}?`
  return problemAt(name, `unknown setting, ${hint}`)
}

function problemAt(name: string, problem: string): Problem {
  return { where: `environment ${name}`, line: AFTER_THE_FILE, problem }
}
