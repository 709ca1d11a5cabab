// The configuration: every setting of ralph.toml with its default, as one frozen, plain JSON value.
import type { EvidenceSettings } from '../../core/probes/settings.ts'
import type { InstallPolicy } from '../../core/findings/install-scripts.ts'
import type { SealedExample } from '../../core/sealed/example.ts'
import type { Limits } from '../../core/values/limits.ts'

export const AGENT_NAMES = ['claude', 'codex', 'gemini', 'opencode', 'acp', 'command', 'model', 'scripted'] as const
export type AgentName = (typeof AGENT_NAMES)[number]

export const PROVIDERS = ['anthropic', 'openai', 'google', 'openai-compatible'] as const
type Provider = (typeof PROVIDERS)[number]

export interface AgentSettings {
  /** Program and first arguments, without a shell; null where the agent has none or requires one in ralph.toml. */
  readonly command: readonly string[] | null
  /** null: the agent's own choice. */
  readonly model: string | null
  /** Of the whole iteration. */
  readonly timeoutMs: number
  /** Longest silence; suspended while a tool of the agent runs. Never longer than timeoutMs. */
  readonly idleTimeoutMs: number
  /** Appended to the command line. */
  readonly args: readonly string[]
  /** Names of the user's environment variables that the agent gets; it gets no others. */
  readonly env: readonly string[]
  readonly credentials: 'user' | 'none'
  /** `none`: the prompt shows it the relevant files, and it answers with a patch. */
  readonly tools: 'own' | 'none'
  /** Of the `model` agent only; null for the others. */
  readonly provider: Provider | null
  readonly baseUrl: string | null
  /** Of the `model` agent only: the environment variable that holds its key; null: the provider's usual one. */
  readonly keyVariable: string | null
  /** Tokens of one answer; null: as many as the model usually gives. */
  readonly maxOutputTokens: number | null
  /** US dollars for a million tokens; null: the price list of Ralph, where it has the model. */
  readonly inputPrice: number | null
  readonly outputPrice: number | null
  /** Of the `scripted` agent only: the file it plays, relative to the repository's root. */
  readonly scenario: string | null
}

/** A check or a validator: a shell command line that the engine runs. */
export interface CheckSettings {
  readonly name: string
  readonly command: string
  readonly timeoutMs: number
  /** Relative to the repository's root. */
  readonly cwd: string
  /** Patterns of files that it may rewrite while it runs; absent: none. */
  readonly writes?: readonly string[]
}

/** The sections whose keys are always the same. */
export interface FixedSettings {
  readonly agents: {
    readonly default: AgentName
    readonly planner: AgentName
    readonly implementer: AgentName
    readonly reviewer: AgentName
    readonly sia: AgentName
    /** In this order, when the first is rate-limited or down. */
    readonly fallback: readonly AgentName[]
  }
  readonly agent: Readonly<Record<AgentName, AgentSettings>>
  readonly verify: {
    readonly requireTests: boolean
  }
  readonly limits: Limits
  readonly review: {
    readonly when: 'never' | 'thin' | 'findings' | 'always'
  }
  readonly evidence: EvidenceSettings
  readonly sealed: {
    /** JSON with examples by task, outside of the repository; `~/` is the user's home. */
    readonly file: string | null
  }
  readonly protect: {
    readonly paths: readonly string[]
  }
  readonly sandbox: {
    readonly mode: 'auto' | 'required' | 'off'
    readonly network: { readonly agent: boolean; readonly setup: boolean; readonly checks: boolean }
  }
  readonly workspace: {
    /** Shell command line that makes a workspace runnable. */
    readonly setup: string | null
    /** When the setup may run package scripts: while a patch leaves dependencies alone, always, or never. */
    readonly installScripts: InstallPolicy
    readonly copy: readonly string[]
  }
  readonly ship: {
    readonly base: string
    readonly deploy: string | null
  }
  readonly notify: {
    readonly webhook: string | null
    readonly command: string | null
  }
}

export interface Settings extends FixedSettings {
  /** In the order in which they run. */
  readonly checks: readonly CheckSettings[]
  readonly validators: readonly CheckSettings[]
  /** The operator's own sealed examples, by the id of the task. */
  readonly examples: OperatorExamples
}

export type OperatorExamples = Readonly<Record<string, TaskExamples>>

export interface TaskExamples {
  readonly list: readonly SealedExample[]
  /** `settings`: they stand in ralph.toml, which agents can read. */
  readonly from: 'settings' | 'file'
}

export interface Config extends Settings {
  /** `sha256:…` of the settings: two configs with the same settings have the same hash, wherever these came from. */
  readonly hash: string
  /** Dotted key → the source of its value; a key that is not here has its default. */
  readonly origins: Readonly<Record<string, string>>
}

/** `ralph.toml line 12`, `environment RALPH_LIMITS_ATTEMPTS`, `flag -n`, `detected: …` or `default`. */
export function originOf(config: Config, key: string): string {
  return Object.hasOwn(config.origins, key) ? (config.origins[key] as string) : 'default'
}
