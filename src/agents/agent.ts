// The port for agents. An agent takes a prompt and works in a folder. Each session starts fresh and ends in a
// value. One conformance suite (agent.conformance.ts) tests every implementation.

export const ROLES = ['planner', 'implementer', 'reviewer', 'sia'] as const
export type Role = (typeof ROLES)[number]

export interface Agent {
  readonly name: string
  /** `patch`: as the implementer it answers with a patch, which the engine applies. Left out: it works in its folder. */
  readonly edits?: 'patch'
  /** `attempt`: one session is the whole attempt, and where it fails the attempt has failed. Left out: the next may go on. */
  readonly session?: 'attempt'
  /** The command line of a session, for people to read; secrets are never in it. */
  describe(session: Pick<Session, 'role' | 'folder'>): string
  /** Whether it can work: found, the right version, logged in. Checked before the first iteration. */
  ready(): Promise<Readiness>
  run(session: Session): Promise<Outcome>
}

export type Readiness =
  /** `detail`: its version and how it is logged in, where it says so. */
  { readonly ready: true; readonly detail?: string } | { readonly ready: false; readonly reason: string }

export interface Session {
  readonly role: Role
  readonly prompt: string
  readonly folder: string
  /** What the session is about; a scripted agent plays by it. */
  readonly task: string | null
  readonly attempt: number
  readonly iteration: number
  /** Extra variables for the agent's process, beyond those its settings allow. */
  readonly env: Readonly<Record<string, string>>
  /** How the session's tools reach the engine; left out where no engine listens. */
  readonly reach?: Reach
  /** A folder with a Claude Code plugin for the session; other agents ignore it. */
  readonly plugin?: string
  /** The prompt of an agent that has the plugin. */
  readonly pluginPrompt?: string
  /** Stops it, as Ctrl+C does. */
  readonly signal: AbortSignal
  /** Receives the events of the session: bounded lines, in order. */
  readonly onEvent: (event: AgentEvent) => void
}

export interface Reach {
  /** A Unix socket that answers for this session and no other. */
  readonly socket: string
  /** The argv that starts Ralph; `[...ralph, 'mcp', '--socket', socket]` is the session's MCP server on stdio. */
  readonly ralph: readonly string[]
  /** A folder with a `ralph` command, first in the PATH of an agent that has a shell. */
  readonly commands?: string
}

export type AgentEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  /** Output on stderr; its place among the other events is not exact. */
  | { readonly type: 'log'; readonly text: string }
  | { readonly type: 'toolUse'; readonly tool: string; readonly input: string }
  | { readonly type: 'toolResult'; readonly tool: string; readonly output: string; readonly isError: boolean }
  /** Used by the whole session so far. */
  | { readonly type: 'usage'; readonly usage: Usage }

export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
  /** null: the agent does not say what it cost. */
  readonly costUsd: number | null
}

export const NOTHING_USED: Usage = { inputTokens: 0, outputTokens: 0, costUsd: null }

export const FAILURE_KINDS = [
  'notFound',
  'auth',
  'billing',
  'rateLimit',
  'overload',
  'contextTooLong',
  'permissionDenied',
  'unknownCommand',
  'crashed',
  'timedOut',
  'idle',
  'killed',
  'badOutput',
] as const
export type FailureKind = (typeof FAILURE_KINDS)[number]

export interface Outcome {
  /** Null: it worked to its own end, whatever it says. */
  readonly failure: Failure | null
  /** The last message of the agent, of a long one the beginning and the end; '' where it said nothing. */
  readonly finalMessage: string
  readonly usage: Usage
  readonly durationMs: number
  /** Processes that had to be killed after it ended. */
  readonly survivors: number
}

export interface Failure {
  readonly kind: FailureKind
  readonly sentence: string
  /** For a limit: when it is over, if the agent said so. */
  readonly until: number | null
}

/**
 * Most agents are programs. Their adapter only says how the program is called and how its words are read;
 * program-agent.ts gives it an environment, starts it, bounds it and ends it, the same way for all.
 */
export interface AgentAdapter {
  readonly name: string
  readonly describe: Agent['describe']
  /** `inEnvironment` runs programs in the environment of a session. */
  readonly ready: (inEnvironment: InEnvironment) => Promise<Readiness>
  /** A failure: the program must not be started. */
  readonly call: (session: Session, place: SessionPlace) => Promise<Call | Failure>
  /** Without it, `credentials = "user"` means that the session has the user's own home. */
  readonly login?: Login
  /** `unread`: `call` does not use the file, so it is not written. */
  readonly promptFile?: 'unread'
}

/** The files of a session outside its folder; removed when it ends. */
export interface SessionPlace {
  /** The prompt, as UTF-8; an empty file where the adapter does not read it. */
  readonly promptFile: string
  /** Its own home, empty but for the login; null: the user's. */
  readonly home: string | null
}

export interface SessionEnvironment extends SessionPlace {
  readonly env: Readonly<Record<string, string>>
}

/** A check of readiness may start the program as for a session, in a folder of its own. */
export interface Rehearsal extends SessionEnvironment {
  readonly folder: string
  readonly rehearse: (call: Call, limitMs: number) => Promise<Outcome>
}

export type InEnvironment = <T>(use: (rehearsal: Rehearsal) => Promise<T>) => Promise<T>

/** The user's login of one program, borrowed by sessions that have their own home. */
export interface Login {
  /** Copies the login, and nothing else, into an empty home. */
  readonly borrow: (home: string) => Promise<BorrowedCredentials>
  /** Takes over a login that a killed session has renewed in its home. */
  readonly takeBackRenewed: (home: string) => Promise<void>
}

export interface BorrowedCredentials {
  /** Secrets that must not be shown. */
  readonly secrets: () => readonly string[]
  /** Takes over a login that the program has renewed. */
  readonly giveBack: () => Promise<void>
}

export interface Call {
  readonly argv: readonly string[]
  /** For stdin, which is empty without it. */
  readonly input?: string
  /** For an interactive program: its stdin stays open until it has a result. Called once, at its start. */
  readonly begin?: (tell: Tell) => void
  /** How long it may run after its result; default: 5 s. */
  readonly lingerMs?: number
  /** Variables that the program needs; those that the user has listed take precedence. */
  readonly env?: Readonly<Record<string, string>>
  /** Without one stdout is plain text: every line is an event, and all of it is the final message. */
  readonly reader?: Reader
  /** Explains the end of stderr after a crash without a result; null: no known meaning. */
  readonly explain?: (words: string) => Failure | null
}

/** Writes to an interactive program; false: it does not read its stdin. */
export type Tell = (text: string) => boolean

/** Reads a program that speaks in records, one per line. */
export interface Reader {
  /** One line of stdout, without its end; of a very long one only the beginning. */
  readonly line: (text: string) => readonly AgentEvent[]
  /** One line of stderr, for programs that report there what their records leave out. */
  readonly aside?: (text: string) => void
  /** The failure that the program waits out in silence; null: none known. Used when it was stopped for silence. */
  readonly trouble?: () => Failure | null
  /** Flushes events that waited for their rest. */
  readonly end?: () => readonly AgentEvent[]
  readonly usage: () => Usage
  /** Null until the program has a result; after that it may be ended. */
  readonly result: () => Result | null
}

export type Result = { readonly finalMessage: string } | { readonly failure: Failure }
