// Parts of a program that take a role instead of an agent. They work in the task's own folder like any agent, and their
// word is only a claim: the engine runs the checks, and only evidence moves the branch.
import { type Agent, NOTHING_USED, type Outcome, type Role, type Session } from '../agents/agent.ts'
import type { Attempt } from '../core/attempt/attempt.ts'
import { refuse } from '../core/error/error.ts'
import type { TaskId } from '../core/values/id.ts'
import { type Technique, untriedTechniques } from '../core/role-answers/sia.ts'
import type { Task } from '../core/task/task.ts'
import { cutToLength } from '../core/values/text-bounds.ts'
import type { EngineDeps } from '../engine/deps.ts'
import { type TaskDefinition, taskDefinition } from './read/build-session.ts'

export interface TaskContext {
  readonly sessionId: string
  /** The task's own folder, where the work is done. */
  readonly projectPath: string
  readonly attempt: number
  readonly iteration: number
  readonly lastError: string | null
  /** The prompt that an agent would get. */
  readonly prompt: string
  /** Aborted when the work has to stop. */
  readonly signal: AbortSignal
}

/** Does a task by changing files in `context.projectPath`; an exception is a failed try. */
export interface TaskExecutor<Output = unknown> {
  execute(task: TaskDefinition, context: TaskContext): Promise<Output>
}

/** Has a veto before the engine's own checks run, but cannot replace them. */
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
  /** Default: the first technique that was not tried on this task. */
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

/** The same engine, with the given parts in their roles. */
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

/** An agent that runs in this process. */
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

/** In UTF-16 units, since it goes into the log and into prompts. */
const WORDS_MAX = 4000

/** Accepts any thrown value, not only errors. */
function wordsOf(thrown: unknown): string {
  const words = typeof thrown === 'object' && thrown !== null && 'message' in thrown ? thrown.message : thrown
  const text = typeof words === 'object' ? JSON.stringify(words) : String(words ?? '')
  return cutToLength(text, WORDS_MAX) || 'it failed without a word'
}

/** Nothing can end work inside this process from outside; work that ignores the signal is left behind. */
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
  // The error of the last try says more than the count of tries.
  const tries = await store.builds.attachments(build, 'iteration', id)
  const lastError = tries.at(-1)?.error ?? attempt?.lastError ?? null
  const context = { sessionId: build, projectPath: folder, attempt: number, iteration, lastError, prompt, signal }
  return { task: taskDefinition(task), context, attempt }
}

/** In the format of an agent's answer. */
function wireResult(result: SiaResult, tried: readonly Technique[]): object {
  const { type, technique = untriedTechniques(tried)[0], modifiedTask, subtasks, reason } = result
  if (type === 'escalate') return { type, reason: reason || 'SIA could not resolve the issue' }
  if (type === 'fixed') return { type, technique, modified_task: wireTask(modifiedTask ?? {}) }
  return { type, technique, subtasks: (subtasks ?? []).map(wireTask) }
}

function wireTask({ name, description, acceptance, filesExpected }: SiaTask): object {
  return { title: name, goal: description, acceptance, files_expected: filesExpected }
}
