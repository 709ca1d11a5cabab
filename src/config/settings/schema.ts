// Every key of ralph.toml, its rule and its default. The table has the shape and the names of the file; a value's name
// in the program is the same in camelCase, with `Ms` after a duration.
import { INSTALL_SCRIPTS } from '../../core/findings/install-scripts.ts'
import { DEFAULT_EVIDENCE } from '../../core/probes/settings.ts'
import { DEFAULT_LIMITS, WORKERS_MAX } from '../../core/values/limits.ts'
import { AGENT_NAMES, type AgentName, type AgentSettings, type FixedSettings, PROVIDERS } from './config.ts'
import type { LineFormName } from './setting-as-line.ts'
import type { Rule } from './rule.ts'

export interface Key<T = unknown> {
  readonly rule: Rule
  readonly default: T
  /** By default, the value of this key of the same table. */
  readonly follows?: string
  /** The key has no meaning here; names the agent that uses it. */
  readonly onlyFor?: string
}

export interface Group {
  readonly [name: string]: Key | Group
}

/** `maxIterations` → `max_iterations` */
type Snake<S extends string> = S extends `${infer Head}${infer Rest}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${Snake<Rest>}`
  : ''
type InFile<P extends string> = P extends `${infer Stem}Ms` ? Snake<Stem> : Snake<P>
type Leaf = string | number | boolean | null | readonly unknown[]

/** The table that describes T: the compiler keeps both in step. */
type Describes<T> = {
  readonly [P in keyof T & string as InFile<P>]-?: T[P] extends Leaf ? Key<T[P]> : Describes<T[P]>
}

type Dotted<T> = {
  [P in keyof T & string]: T[P] extends Leaf ? InFile<P> : `${InFile<P>}.${Dotted<T[P]>}`
}[keyof T & string]

/** `limits.max_iterations`, `agent.claude.model`, … */
export type SettingKey = Dotted<FixedSettings>

export function isKey(node: Key | Group): node is Key {
  // A check may be called `rule`: only a real rule has a kind.
  return 'rule' in node && 'kind' in node['rule']
}

function whole(initial: number, min: number, max: number, unit: string): Key<number> {
  return { rule: { kind: 'whole', min, max, unit }, default: initial }
}

function amount(initial: number, min: number, max: number, unit: string): Key<number> {
  return { rule: { kind: 'amount', min, max, unit }, default: initial }
}

function onOff(initial: boolean): Key<boolean> {
  return { rule: { kind: 'switch' }, default: initial }
}

function choice<const T extends string>(of: readonly T[], initial: NoInfer<T>): Key<T> {
  return { rule: { kind: 'choice', of }, default: initial }
}

function line(form: LineFormName, initial: string): Key<string> {
  return { rule: { kind: 'line', form, empty: 'refused' }, default: initial }
}

function optionalLine(form: LineFormName): Key<string | null> {
  return { rule: { kind: 'line', form, empty: 'none' }, default: null }
}

function lines(form: LineFormName, initial: readonly string[], twice: 'allowed' | 'refused'): Key<readonly string[]> {
  return { rule: { kind: 'list', of: { kind: 'line', form, empty: 'refused' }, twice }, default: initial }
}

function optionalNumber(kind: 'whole' | 'amount', min: number, max: number, unit: string): Key<number | null> {
  return { rule: { kind, min, max, unit }, default: null }
}

const MINUTE = 60_000

/** A day is more than any sane session or check; a second less than any useful one. */
function duration(initial: number): Key<number> {
  return { rule: { kind: 'duration', min: 1000, max: 1440 * MINUTE }, default: initial }
}

const anyAgent = choice(AGENT_NAMES, 'claude')
const followsDefault: Key<AgentName> = { ...anyAgent, follows: 'default' }
const provider = choice(PROVIDERS, 'anthropic')
const baseUrl = optionalLine('address')
const keyVariable = optionalLine('variable')
const maxOutputTokens = optionalNumber('whole', 256, 1_000_000, 'tokens of one answer')
const price = optionalNumber('amount', 0, 100_000, 'US dollars for a million tokens')
const scenario = optionalLine('argument')
const tools = choice(['own', 'none'], 'own')
const noCommand: Key<null> = { rule: { kind: 'argv' }, default: null }

const agentKeys = {
  command: noCommand,
  model: optionalLine('model'),
  timeout: duration(20 * MINUTE),
  idle_timeout: duration(15 * MINUTE),
  args: lines('argument', [], 'allowed'),
  env: lines('variable', [], 'refused'),
  credentials: choice(['user', 'none'], 'user'),
  provider: { ...provider, default: null, onlyFor: 'agent.model' },
  base_url: { ...baseUrl, onlyFor: 'agent.model' },
  key_variable: { ...keyVariable, onlyFor: 'agent.model' },
  max_output_tokens: { ...maxOutputTokens, onlyFor: 'agent.model' },
  input_price: { ...price, onlyFor: 'agent.model' },
  output_price: { ...price, onlyFor: 'agent.model' },
  tools: { ...tools, onlyFor: 'agent.model, agent.command and agent.scripted' },
  scenario: { ...scenario, onlyFor: 'agent.scripted' },
} satisfies Describes<AgentSettings>

/** A CLI whose program has the agent's own name. */
function cli(name: AgentName): Describes<AgentSettings> {
  return { ...agentKeys, command: { ...noCommand, default: [name] } }
}

const modelKeys: Describes<AgentSettings> = {
  ...agentKeys,
  command: { ...noCommand, onlyFor: 'agents that are a program' },
  args: { ...agentKeys.args, onlyFor: 'agents that are a program' },
  provider,
  base_url: baseUrl,
  key_variable: keyVariable,
  max_output_tokens: maxOutputTokens,
  input_price: price,
  output_price: price,
  tools,
}

const fixedKeys = {
  agents: {
    default: anyAgent,
    planner: followsDefault,
    implementer: followsDefault,
    reviewer: followsDefault,
    sia: followsDefault,
    fallback: { rule: { kind: 'list', of: { kind: 'choice', of: AGENT_NAMES }, twice: 'refused' }, default: [] },
  },
  agent: {
    claude: cli('claude'),
    codex: cli('codex'),
    gemini: cli('gemini'),
    opencode: cli('opencode'),
    acp: agentKeys,
    command: { ...agentKeys, tools },
    model: modelKeys,
    scripted: { ...agentKeys, tools, scenario },
  },
  verify: { require_tests: onOff(true) },
  limits: {
    attempts: whole(DEFAULT_LIMITS.attempts, 1, 100, 'failed attempts'),
    interventions: whole(DEFAULT_LIMITS.interventions, 0, 100, 'interventions per task'),
    iterations: whole(DEFAULT_LIMITS.iterations, 1, 1000, 'iterations per attempt'),
    max_iterations: whole(DEFAULT_LIMITS.maxIterations, 1, 1_000_000, 'iterations per build'),
    tasks_per_plan: whole(DEFAULT_LIMITS.tasksPerPlan, 1, 1000, 'tasks'),
    files_per_patch: whole(DEFAULT_LIMITS.filesPerPatch, 1, 100_000, 'files'),
    workers: whole(DEFAULT_LIMITS.workers, 1, WORKERS_MAX, 'tasks at the same time'),
    budget_usd: amount(DEFAULT_LIMITS.budgetUsd, 0, 1_000_000, 'US dollars, 0 = no limit'),
    budget_tokens: whole(DEFAULT_LIMITS.budgetTokens, 0, 1_000_000_000_000, 'tokens, 0 = no limit'),
  },
  review: { when: choice(['never', 'thin', 'findings', 'always'], 'thin') },
  evidence: {
    share: amount(DEFAULT_EVIDENCE.share, 0, 100, "times the checks' own time"),
    accept: lines('path', DEFAULT_EVIDENCE.accept, 'refused'),
    names: onOff(true),
    untouched: onOff(true),
    stable: onOff(true),
    witness: onOff(true),
    sabotage: onOff(true),
    base_judge: onOff(true),
    sealed: onOff(true),
    plain: onOff(true),
  },
  sealed: { file: optionalLine('file') },
  protect: { paths: lines('path', ['ralph.toml', '.github/**'], 'refused') },
  sandbox: {
    mode: choice(['auto', 'required', 'off'], 'auto'),
    network: { agent: onOff(true), setup: onOff(true), checks: onOff(false) },
  },
  workspace: {
    setup: optionalLine('command'),
    install_scripts: choice(INSTALL_SCRIPTS, 'unchanged'),
    copy: lines('path', [], 'refused'),
  },
  ship: { base: line('branch', 'main'), deploy: optionalLine('command') },
  notify: { webhook: optionalLine('address'), command: optionalLine('command') },
} satisfies Describes<FixedSettings>

/** Widened once, for code that walks the table without knowing its keys. */
export const fixedSections: Readonly<Record<keyof FixedSettings, Group>> = fixedKeys

export const checkCommand: Key<string> = line('command', '')
/** Of the tables that are named after tasks. */
export const exampleKeys = { examples: { rule: { kind: 'examples' }, default: [] } } satisfies Group
export const checkKeys = {
  timeout: duration(10 * MINUTE),
  cwd: line('path', '.'),
  writes: lines('path', [], 'refused'),
} satisfies Group
