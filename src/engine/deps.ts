// Everything the engine works with: its ports, and the config that the build was frozen with.
import type { Agent, AgentEvent, Role } from '../agents/agent.ts'
import type { Checks } from '../checks/check.ts'
import type { Config } from '../config/settings/config.ts'
import type { Attempt } from '../core/attempt/attempt.ts'
import type { Fact } from '../core/fact/fact.ts'
import type { AgentId, BuildId, Instant, TaskId } from '../core/values/id.ts'
import type { Worker } from '../core/role-answers/sia.ts'
import type { SessionMark } from '../core/money/spending.ts'
import type { Task } from '../core/task/task.ts'
import type { Sockets } from '../socket/socket.ts'
import type { Scope, Store } from '../store/store.ts'
import type { Syntax } from '../syntax/syntax.ts'
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
  /** Reads source code with real grammars. */
  readonly syntax: Syntax
  readonly agents: Readonly<Record<Role, Agent>>
  /** The agents that take over, in this order, when the agent of a role cannot work. */
  readonly fallbacks?: readonly Agent[]
  /** The agent of this name with this model; null: the build has no agent of this name. */
  readonly agentFor?: (worker: Worker) => Agent | null
  readonly config: Config
  readonly prompts: Prompts
  /** The folder of the Claude Code plugin, for agents that use it. */
  readonly plugin: string
  readonly transcripts: Transcripts
  readonly now: () => Instant
  readonly digest: (text: string) => string
  readonly platform: string
  readonly watcher: Watcher
  /** The progress file that the plan came from, if it came from one. */
  readonly progress?: ProgressFileSync | null
  /** Whether somebody has lifted the limit that the task waits for, so that nobody waits it out. */
  readonly isLifted?: (task: TaskId) => boolean
  /** Whether the process of a loop certainly does not run any more. */
  readonly isKnownGone: (loop: { readonly pid: number; readonly hostname: string }) => boolean
  /** Called around begin, perform and record. A crash test ends the process here. */
  readonly failpoint: (name: string) => void
  /** What this engine has found out so far. */
  readonly memory: EngineMemory
}

/** Templates by name. The user's own come before the embedded ones. */
export interface Prompts {
  readonly fill: (name: PromptName, values: Readonly<Record<string, string>>) => Promise<string>
}

export type PromptName = 'build' | 'patch' | 'review' | 'objection' | 'sia' | 'plan' | 'repair' | 'claim'

/** Keeps everything that an agent says and does in a session as a file. */
export interface Transcripts {
  readonly open: (name: string) => Transcript
}

export interface Transcript {
  readonly path: string
  readonly write: (event: AgentEvent) => void
  readonly close: () => Promise<void>
}

/** A live view or a log. The engine tells it everything and asks it nothing. */
export interface Watcher {
  readonly fact: (fact: Fact) => void
  /** `task`: null where the session has no task, or chooses one itself. */
  readonly agent: (role: Role, event: AgentEvent, task: TaskId | null) => void
  /** Another loop has taken the task that this loop worked on. */
  readonly leaseLost?: (takenBy: string) => void
}

export interface Loop {
  readonly engine: EngineDeps
  readonly build: BuildId
  readonly agentId: AgentId
}

/** The purpose of an agent session. Planning has no task. */
export interface SessionRequestContext extends Pick<Loop, 'engine'> {
  /** The build; a plan that is made without a build has a name of its own. */
  readonly build: string
  readonly task: Task | null
  readonly attempt: Pick<Attempt, 'number' | 'iteration'> & Partial<Pick<Attempt, 'worker'>>
  /** Aborted when the work has to stop at once. */
  readonly signal: AbortSignal
  /** The loop, whose build pays for the session; left out where there is no build. */
  readonly agentId?: AgentId
  /** The build that pays, where `build` only names a folder. */
  readonly account?: BuildId
  /** The task that a session without one chose in the end. */
  readonly about?: () => Pick<SessionMark, 'task' | 'attempt' | 'iteration'> | null
  /** Adds up what the sessions used. */
  readonly meter?: Meter
}

/** A claimed task with its state. Every effect is performed on one. */
export interface TaskRun extends Loop, SessionRequestContext {
  readonly build: BuildId
  readonly agentId: AgentId
  readonly task: Task
  readonly attempt: Attempt
  /** `resumed`: this effect began before, and its outcome was never recorded. */
  readonly begun: { readonly resumed: boolean }
  /** Why waiting until then is pointless; null: it is not. */
  readonly atWait?: (until: Instant) => Stop | null
}
