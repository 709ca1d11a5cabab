// Starts and watches an agent under test; shared by the parts of agent.conformance.ts.
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, type TestContext } from 'vitest'
import type { Agent, AgentEvent, Outcome, Session } from './agent.ts'
import type { Step } from './scripted/scenario.ts'
import type { Environment } from '../core/values/environment.ts'
import { HANG_MS } from '../../test/rig/hang.ts'

export interface Played {
  readonly steps: readonly Step[]
  readonly timeoutMs: number
  readonly idleTimeoutMs: number
  readonly env: readonly string[]
  readonly credentials: 'user' | 'none'
}

export type Capability =
  /** Tells exactly what the steps say was used. */
  | 'usage'
  | 'toolEvents'
  /** Its tools are the steps. */
  | 'toolNames'
  | 'reportedFailures'
  /** Has a shell: runs commands, and can be made to leave processes and to kill itself. */
  | 'commands'
  | 'result'
  /** May end a session without a word, at no cost. */
  | 'silence'
  /** Prints what it is told to, byte for byte. */
  | 'rawOutput'
  /** Leaves the home it is given as it is. */
  | 'plainHome'
  /** Can be made to ignore SIGTERM. */
  | 'stubbornness'
  /** Can be made to end with any exit code or signal, without a word. */
  | 'crashes'
  /** Says whatever its model says, be it one character 40,000 times. */
  | 'patience'
  /** Prints it to the end, be it 50 MB. */
  | 'stamina'

export interface AgentUnderTest {
  /** Plays these steps in every session, for a user with this environment. */
  readonly open: (played: Played, user: Environment) => Promise<Agent>
  readonly lacks: Readonly<Partial<Record<Capability, string>>>
  /** Names of the variables that it makes up for its tools, or that it has to be given to work at all. */
  readonly ownVariables?: RegExp
  /** The longest that it may be silent when it starts, on a busy machine; 3 s where nothing is said. */
  readonly startMs?: number
}

export interface Stage {
  readonly agent: Agent
  readonly folder: string
  readonly events: AgentEvent[]
  readonly run: (more?: Partial<Session>) => Promise<Outcome>
  readonly textOf: (file: string) => Promise<string>
}

export interface Trial {
  /** A session of the agent in an empty folder, to be run. */
  readonly stage: (steps: readonly Step[], more?: Partial<Played>, user?: Environment) => Promise<Stage>
  /** Skips the test, with the reason, where the agent lacks the capability. */
  readonly needs: (capability: Capability, skip: TestContext['skip']) => void
  readonly isOwnVariable: (name: string) => boolean
  readonly startMs: number
}

export function trialOf(underTest: AgentUnderTest): Trial {
  return {
    stage: (steps, more = {}, user = { PATH: process.env['PATH'], HOME: '/nonexistent' }) =>
      staged(underTest, { ...defaults, ...more, steps }, user),
    needs: (capability, skip) => {
      const reason = underTest.lacks[capability]
      if (reason !== undefined) skip(`${capability}: ${reason}`)
    },
    isOwnVariable: (name) => underTest.ownVariables?.test(name) ?? false,
    startMs: underTest.startMs ?? 3000,
  }
}

export const PROMPT = 'Do the task.'

/** Long enough for any machine: only the tests of these bounds set them lower. */
const defaults: Omit<Played, 'steps'> = { timeoutMs: HANG_MS, idleTimeoutMs: HANG_MS, env: [], credentials: 'none' }

async function staged(underTest: AgentUnderTest, played: Played, user: Environment): Promise<Stage> {
  const agent = await underTest.open(played, user)
  const folder = await tempFolder()
  const events: AgentEvent[] = []
  const session = sessionIn(folder, { prompt: PROMPT, onEvent: (event) => events.push(event) })
  return {
    agent,
    folder,
    events,
    run: (more = {}) => agent.run({ ...session, ...more }),
    textOf: (file) => readFile(join(folder, file), 'utf8'),
  }
}

/** The first session of a task, which nobody stops and nobody listens to. */
export function sessionIn(folder: string, more: Partial<Session> = {}): Session {
  return {
    role: 'implementer',
    prompt: 'Do the task.',
    folder,
    task: 't1',
    attempt: 1,
    iteration: 1,
    env: {},
    signal: new AbortController().signal,
    onEvent: () => {},
    ...more,
  }
}

export async function tempFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'ralph-agent-test-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Without what differs from run to run. */
export function withoutDuration({ durationMs: _, ...rest }: Outcome): Omit<Outcome, 'durationMs'> {
  return rest
}

export function textsIn(events: readonly AgentEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'text' ? [event.text] : []))
}
