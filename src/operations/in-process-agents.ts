// Parts of a program that play a role in place of an agent. They work in the task's own folder like any agent, and what they
// say is a claim like any other: the engine runs the checks, and only evidence moves the branch.
import { type Agent, NOTHING_USED, type Outcome, type Role, type Session } from '../agents/agent.ts'
import type { Attempt } from '../core/attempt/attempt.ts'
import { refuse } from '../core/error/error.ts'
import type { TaskId } from '../core/values/id.ts'
import { type Technique, untriedTechniques } from '../core/role/sia.ts'
import type { Task } from '../core/task/task.ts'
import { cutToLength } from '../core/values/text-bounds.ts'
import type { EngineDeps } from '../engine/deps.ts'
import { type TaskDefinition, taskDefinition } from './read/build-session.ts'

export interface TaskContext {
  readonly sessionId: string
  /** Where the work is done: a folder of the task's own. */
  readonly projectPath: string
  readonly attempt: number
  readonly iteration: number
  readonly lastError: string | null
  /** What an agent would be told. */
  readonly prompt: string
  /** Aborted when the work is to stop. */
  readonly signal: AbortSignal
}

/** Does a task by changing files in `context.projectPath`; what it throws is a failed try. */
export interface TaskExecutor<Output = unknown> {
  execute(task: TaskDefinition, context: TaskContext): Promise<Output>
}

/** Has a veto before the engine's own checks are run; it cannot take their place. */
export interface ValidationRunner<Output = unknown> {
  validate(
    task: TaskDefinition,
    output: Output,
  ): Promise<{ readonly passed: boolean; readonly errors: readonly string[] }>
}

export interface SiaRequest {
  readonly task: TaskDefinition
  readonly lastError: string | null
  readonly attempts: number
  readonly context: TaskContext
}

export interface SiaTask {
  readonly name?: string
  readonly description?: string
  readonly acceptance?: readonly string[]
  readonly filesExpected?: readonly string[]
}

export interface SiaResult {
  readonly type: 'fixed' | 'decomposed' | 'escalate'
  /** Left out: the first that was not tried on this task. */
  readonly technique?: Technique
  readonly modifiedTask?: SiaTask
  readonly subtasks?: readonly (SiaTask & { readonly name: string })[]
  readonly reason?: string
}

export interface SiaAgent {
  intervene(request: SiaRequest): Promise<SiaResult>
}

export interface Parts {
  readonly taskExecutor?: TaskExecutor | undefined
  readonly validationRunner?: ValidationRunner | undefined
  readonly siaAgent?: SiaAgent | undefined
}

/** The same shop, in which the parts that were given play their roles. */
export function withParts(engine: EngineDeps, { taskExecutor, validationRunner, siaAgent }: Parts): EngineDeps {
  const agents: Record<Role, Agent> = { ...engine.agents }
  if (taskExecutor !== undefined)
    agents.implementer = partAgent('taskExecutor', async (session) => {
      const { task, context } = await contextOf(engine, session)
      const output = await taskExecutor.execute(task, context)
      const verdict = await validationRunner?.validate(task, output)
      if (verdict?.passed === false) throw new Error(verdict.errors.join('; ') || 'the validation did not pass')
      return 'TASK_COMPLETE'
    })
  if (siaAgent !== undefined)
    agents.sia = partAgent('siaAgent', async (session) => {
      const { task, context, attempt } = await contextOf(engine, session)
      const { lastError } = context
      const result = await siaAgent.intervene({ task, lastError, attempts: session.attempt, context })
      return JSON.stringify(wireResult(result, attempt?.techniques ?? []))
    })
  return { ...engine, agents }
}

/** An agent that lives in this process. */
function partAgent(name: string, work: (session: Session) => Promise<string>): Agent {
  return {
    name,
    session: 'attempt',
    describe: () => `${name} of the program that uses the library`,
    ready: async () => ({ ready: true }),
    run: async (session) => {
      const startedAt = performance.now()
      const ended = (rest: Pick<Outcome, 'failure' | 'finalMessage'>): Outcome => ({
        ...rest,
        usage: NOTHING_USED,
        durationMs: performance.now() - startedAt,
        survivors: 0,
      })
      try {
        return ended({ failure: null, finalMessage: await unlessStopped(work(session), session.signal) })
      } catch (error) {
        const kind = session.signal.aborted ? 'killed' : 'crashed'
        return ended({ failure: { kind, sentence: wordsOf(error), until: null }, finalMessage: '' })
      }
    },
  }
}

/** In UTF-16 units: it goes into the log, and into prompts. */
const WORDS_MAX = 4000

/** Whatever was thrown; not everything that is thrown is an error. */
function wordsOf(thrown: unknown): string {
  const words = typeof thrown === 'object' && thrown !== null && 'message' in thrown ? thrown.message : thrown
  const text = typeof words === 'object' ? JSON.stringify(words) : String(words ?? '')
  return cutToLength(text, WORDS_MAX) || 'it failed without a word'
}

/** Nothing in this process can be ended from outside: what does not listen is left behind. */
function unlessStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new Error('stopped'))
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

interface PartContext {
  readonly task: TaskDefinition
  readonly context: TaskContext
  readonly attempt: Attempt | null
}

async function contextOf({ store, scope }: EngineDeps, session: Session): Promise<PartContext> {
  const task: Task | null = await store.tasks.find(scope, (session.task ?? '') as TaskId)
  if (task === null || task.build === null) throw refuse('TASK_NOT_FOUND', { id: session.task ?? '' })
  const { id, build } = task
  const attempt = await store.builds.attempt(build, id)
  const { folder, attempt: number, iteration, prompt, signal } = session
  // What the last try itself said tells more than that it was the third one.
  const tries = await store.builds.attachments(build, 'iteration', id)
  const lastError = tries.at(-1)?.error ?? attempt?.lastError ?? null
  const context = { sessionId: build, projectPath: folder, attempt: number, iteration, lastError, prompt, signal }
  return { task: taskDefinition(task), context, attempt }
}

/** As an agent would answer. */
function wireResult(result: SiaResult, tried: readonly Technique[]): object {
  const { type, technique = untriedTechniques(tried)[0], modifiedTask, subtasks, reason } = result
  if (type === 'escalate') return { type, reason: reason || 'SIA could not resolve the issue' }
  if (type === 'fixed') return { type, technique, modified_task: wireTask(modifiedTask ?? {}) }
  return { type, technique, subtasks: (subtasks ?? []).map(wireTask) }
}

function wireTask({ name, description, acceptance, filesExpected }: SiaTask): object {
  return { title: name, goal: description, acceptance, files_expected: filesExpected }
}
