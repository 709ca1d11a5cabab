// What the engine works with: the ports, opened, and the config the build was frozen with.
import type { Agent, AgentEvent, Role } from '../agents/agent.ts'
import type { Checks } from '../checks/check.ts'
import type { Config } from '../config/settings/config.ts'
import type { Attempt } from '../core/attempt/attempt.ts'
import type { Fact } from '../core/fact/fact.ts'
import type { AgentId, BuildId, Instant, TaskId } from '../core/values/id.ts'
import type { Worker } from '../core/role/sia.ts'
import type { SessionMark } from '../core/money/spending.ts'
import type { Task } from '../core/task/task.ts'
import type { Sockets } from '../socket/socket.ts'
import type { Scope, Store } from '../store/store.ts'
import type { Workspaces } from '../workspace/workspace.ts'
import type { EngineMemory } from './memory.ts'
import type { Meter } from './session/meter.ts'
import type { ProgressFileSync } from './progress.ts'
import type { Stop } from './stop.ts'

export interface EngineDeps {
  readonly store: Store
  readonly scope: Scope
  readonly workspaces: Workspaces
  readonly checks: Checks
  readonly sockets: Sockets
  readonly agents: Readonly<Record<Role, Agent>>
  /** Who takes over, in this order, where the agent of a role cannot work. */
  readonly fallbacks?: readonly Agent[]
  /** An agent of this build by name, with the model that is named; null: it has none of that name. */
  readonly agentFor?: (worker: Worker) => Agent | null
  readonly config: Config
  readonly prompts: Prompts
  /** The folder of the Claude Code plugin, for agents that know what to do with it. */
  readonly plugin: string
  readonly transcripts: Transcripts
  readonly now: () => Instant
  readonly digest: (text: string) => string
  readonly platform: string
  readonly watcher: Watcher
  /** The file the plan came from, where it came from a progress file. */
  readonly progress?: ProgressFileSync | null
  /** Whether the limit that a task waits for is not waited out, since somebody says that it is over. */
  readonly isLifted?: (task: TaskId) => boolean
  /** Whether the process of a loop certainly does not run any more. */
  readonly isKnownGone: (loop: { readonly pid: number; readonly hostname: string }) => boolean
  /** Called around begin, perform and record; a crash test ends the process here. */
  readonly failpoint: (name: string) => void
  /** What this engine has found out so far. */
  readonly memory: EngineMemory
}

/** Templates by name, the user's own before the embedded ones. */
export interface Prompts {
  readonly fill: (name: PromptName, values: Readonly<Record<string, string>>) => Promise<string>
}

export type PromptName = 'build' | 'patch' | 'review' | 'objection' | 'sia' | 'plan' | 'repair' | 'claim'

/** Everything an agent said and did in a session, kept as a file. */
export interface Transcripts {
  readonly open: (name: string) => Transcript
}

export interface Transcript {
  readonly path: string
  readonly write: (event: AgentEvent) => void
  readonly close: () => Promise<void>
}

/** Who looks on: a live view, a log. Told of everything, asked for nothing. */
export interface Watcher {
  readonly fact: (fact: Fact) => void
  /** `task`: null where the session is about none, or about one of its own choice. */
  readonly agent: (role: Role, event: AgentEvent, task: TaskId | null) => void
  /** Another loop has taken the task that was worked on. */
  readonly leaseLost?: (takenBy: string) => void
}

/** One loop of a build. */
export interface Loop {
  readonly engine: EngineDeps
  readonly build: BuildId
  readonly agentId: AgentId
}

/** What an agent is sent to do; planning is about no task. */
export interface SessionRequestContext extends Pick<Loop, 'engine'> {
  /** The build it is for; what is planned without one has a name of its own. */
  readonly build: string
  readonly task: Task | null
  readonly attempt: Pick<Attempt, 'number' | 'iteration'> & Partial<Pick<Attempt, 'worker'>>
  /** Aborted when the work is to stop at once. */
  readonly signal: AbortSignal
  /** The loop that pays for it, from the budget of its build; left out where there is no build. */
  readonly agentId?: AgentId
  /** The build that pays, where `build` is only the name of a place. */
  readonly account?: BuildId
  /** What a session without a task was about in the end. */
  readonly about?: () => Pick<SessionMark, 'task' | 'attempt' | 'iteration'> | null
  /** Told what every session used. */
  readonly meter?: Meter
}

/** A claimed task and where it stands; what every effect is performed on. */
export interface TaskRun extends Loop, SessionRequestContext {
  readonly build: BuildId
  readonly agentId: AgentId
  readonly task: Task
  readonly attempt: Attempt
  /** `resumed`: this effect was begun before and its outcome never recorded. */
  readonly begun: { readonly resumed: boolean }
  /** Why there is no point in waiting until then; null: there is. */
  readonly atWait?: (until: Instant) => Stop | null
}
