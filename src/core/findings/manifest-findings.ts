// Manifests hold both what a project is and how it is judged: this compares their parts on the base and in the patch.
import type { Finding, FindingRule } from '../fact/finding.ts'

export interface Versions {
  /** Null: the file does not exist. */
  readonly base: string | null
  readonly now: string | null
}

/** Whether a changed file must be read whole to be judged. */
export function isManifest(path: string): boolean {
  return readerOf(path) !== null
}

/** Whether any test ran on the base: where none did, a new setting of a runner has nothing to weaken. */
export type BaseTests = 'tested' | 'untested'

export function manifestFindings(path: string, { base, now }: Versions, tests: BaseTests): Finding[] {
  if (readerOf(path) === null || now === null) return []
  const parts = changedParts(path, { base, now })
  if (parts === null)
    return [{ rule: 'script', path, line: null, what: 'it cannot be read, so nobody can say what it runs' }]
  if (base === null)
    return tests === 'untested'
      ? []
      : parts.filter((name) => settingsOfRunner.test(name)).map((name) => foundIn(path, now, name, RUNNER_SET))
  const before = readerOf(path)?.(base)
  return parts.flatMap((name) => {
    const found = ruleOfPart(name)
    if (found?.rule === 'script' && before?.has(name) === false && !runsUnasked.test(name)) return []
    return found === null ? [] : [foundIn(path, now, name, found)]
  })
}

function foundIn(path: string, now: string, name: string, { rule, what }: Pick<PartRule, 'rule' | 'what'>): Finding {
  return { rule, path, line: lineOf(now, name), what: `${what}: ${name}` }
}

/** `scripts.test`, `tool.pytest`, …: the parts of a manifest that changed; null: it is unreadable. */
export function changedParts(path: string, { base, now }: Versions): string[] | null {
  const reader = readerOf(path)
  if (reader === null || now === null) return null
  const before = base === null ? new Map<string, string>() : reader(base)
  const after = reader(now)
  if (before === null || after === null) return null
  return [...new Set([...before.keys(), ...after.keys()])].filter((name) => before.get(name) !== after.get(name))
}

/** A new script runs without being called only if it has one of these names. */
const runsUnasked =
  /^scripts(?:$|\.(?:pre|post|install$|prepare$|prepublish|dependencies$|(?:test|unit|check|lint|type-?check|verify)\b))|^(?!scripts\.)/

type PartReader = (text: string) => ReadonlyMap<string, string> | null

function readerOf(path: string): PartReader | null {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (name === 'package.json' || name === 'composer.json' || name === 'deno.json') return jsonParts
  return /^(?:pyproject|Cargo|Pipfile)(?:\.toml)?$|^setup\.cfg$/.test(name) ? sectionParts : null
}

/** `scripts.test` and the like; deeper values are compared as a whole. */
function jsonParts(text: string): ReadonlyMap<string, string> | null {
  const value = parseObject(text)
  if (value === null) return null
  const parts = new Map<string, string>()
  for (const [key, part] of Object.entries(value)) {
    if (typeof part === 'object' && part !== null && !Array.isArray(part))
      for (const [inner, deep] of Object.entries(part)) parts.set(`${key}.${inner}`, JSON.stringify(deep))
    else parts.set(key, JSON.stringify(part))
  }
  return parts
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}

/** For TOML and ini: the text of each `[section]`. */
function sectionParts(text: string): ReadonlyMap<string, string> {
  const parts = new Map<string, string>()
  let section = ''
  for (const line of text.split('\n')) {
    const heading = /^\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$/.exec(line)?.[1]
    if (heading !== undefined) section = heading
    parts.set(section, `${parts.get(section) ?? ''}${line.trimEnd()}\n`)
  }
  return parts
}

/** The current manifest with the judging parts of the base; null where that cannot be built. */
export function asJudgedOnBase(path: string, { base, now }: Versions): string | null {
  if (now === null) return null
  // From a new manifest, only the settings of runners are removed: without its scripts the project could not run.
  const judges = base === null ? (name: string) => settingsOfRunner.test(name) : judgesAsPart
  return readerOf(path) === jsonParts
    ? jsonAsJudged(base ?? '{}', now, judges)
    : sectionsAsJudged(base ?? '', now, judges)
}

function jsonAsJudged(base: string, now: string, judges: (name: string) => boolean): string | null {
  const before = parseObject(base)
  const after = parseObject(now)
  if (before === null || after === null) return null
  const kept = Object.entries(after).filter(([key]) => !judges(key))
  const restored = Object.entries(before).filter(([key]) => judges(key))
  return `${JSON.stringify(Object.fromEntries([...kept, ...restored]), null, 2)}\n`
}

function sectionsAsJudged(base: string, now: string, judges: (name: string) => boolean): string {
  const kept = [...sectionParts(now)].filter(([name]) => !judges(name))
  const restored = [...sectionParts(base)].filter(([name]) => judges(name))
  return [...kept, ...restored].map(([, text]) => text).join('')
}

function judgesAsPart(name: string): boolean {
  const rule = ruleOfPart(name)?.rule
  return rule === 'script' || rule === 'runnerConfig'
}

interface PartRule {
  readonly rule: FindingRule
  readonly what: string
  readonly names: RegExp
}

const settingsOfRunner =
  /^(?:jest|vitest|mocha|ava|tap|nyc|c8|eslintConfig|eslintIgnore|prettier|babel|xo|stylelint)(?:\.|$)|^tool[.:](?:pytest|coverage|ruff|mypy|pyright|pylint|tox|black|flake8|nose)|^(?:flake8|mypy|coverage|tox|testenv)|^lints\b/
/** The targets of a crate, and the way it is built for its tests. */
const targets = /^(?:lib|bin|test|bench|profile\.test)\b/
const RUNNER_SET = {
  rule: 'runnerConfig',
  what: 'a setting of a test runner, type checker or linter is new, and tests ran before without it',
} as const

const rules: readonly PartRule[] = [
  {
    rule: 'script',
    what: 'a command of the project changed',
    names:
      /^scripts(?:\.|$)|^(?:lint-staged|husky|simple-git-hooks|pre-commit|wireit)(?:\.|$)|^tasks(?:\.|$)|^project\.scripts$|^tool\.(?:poe|taskipy|pdm\.scripts|hatch\.envs)\b/,
  },
  {
    rule: 'runnerConfig',
    what: 'a setting of a test runner, type checker or linter changed',
    names: new RegExp(`${settingsOfRunner.source}|${targets.source}`),
  },
  {
    rule: 'dependency',
    what: 'what the project depends on changed',
    names:
      /ependencies(?:[.-]|$)|^(?:overrides|resolutions|pnpm|packageManager|engines|optionalDependencies|bundleDependencies|requires|packages|dev-packages|build-system|workspaces|patch|replace)(?:\.|$)|^tool\.(?:poetry|uv|pdm)\b/,
  },
  {
    rule: 'packageTool',
    what: 'which code a name stands for changed',
    names: /^(?:imports|exports|type|main|module|browser|allowScripts|trustedDependencies)(?:\.|$)/,
  },
]

function ruleOfPart(name: string): PartRule | null {
  return rules.find(({ names }) => names.test(name)) ?? null
}

/** The line of the part, as well as a search can find it. */
function lineOf(text: string, name: string): number | null {
  const last = name.slice(name.lastIndexOf('.') + 1)
  const wanted = [`"${last}"`, `[${name}]`]
  const at = text.split('\n').findIndex((line) => wanted.some((word) => line.includes(word)))
  return at === -1 ? null : at + 1
}
