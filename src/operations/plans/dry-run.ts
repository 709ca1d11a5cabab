// Finds out what a build would do without changing anything: it makes no store, touches no repository and starts
// nothing.
import type { Config } from '../../config/settings/config.ts'
import { type Attempt, firstAttempt, next } from '../../core/attempt/attempt.ts'
import type { Build } from '../../core/builds/build.ts'
import { refuse } from '../../core/error/error.ts'
import type { BuildId, Instant, TaskId } from '../../core/values/id.ts'
import type { IterationRecord } from '../../core/builds/attachment.ts'
import {
  blockers,
  diffPlan,
  type Plan as CorePlan,
  planColumn,
  type PlanCounts,
  type PlanDiff,
} from '../../core/plan/plan.ts'
import type { Seed } from '../../core/plan/seed.ts'
import { type Task, isFree } from '../../core/task/task.ts'
import { buildBrief } from '../../engine/session/brief.ts'
import { patchBriefAlone } from '../../engine/session/patch-session.ts'
import { readWhole } from '../../engine/progress/file-on-disk.ts'
import { planBrief } from '../../engine/effects/plan.ts'
import { planIn } from '../../engine/progress/plan-items.ts'
import { problemOf } from '../../engine/progress.ts'
import type { EngineDeps } from '../../engine/deps.ts'
import type { Readiness, Role } from '../../agents/agent.ts'
import { type BuildContext, openAgain } from '../builds/builds.ts'
import { planOfList } from './import-plan.ts'
import type { PlanList } from './plan-source.ts'
import { offerOf } from './dry-claim.ts'
import type { ProgressSource } from '../builds/progress-file.ts'
import type { Claims } from '../builds/run-build.ts'

export interface DryRun {
  /** The build that would continue; null: a new one. */
  readonly build: Build | null
  readonly counts: PlanCounts
  /** Null: nothing can begin now, or the session chooses. */
  readonly next: NextTask | null
  /** The tasks that the session could choose from; null where it gets its task. */
  readonly offer: readonly TaskId[] | null
  readonly agent: RoleAgent
  /** The agents that take over, in this order, when an agent cannot work. */
  readonly fallbacks: readonly Pick<RoleAgent, 'name' | 'readiness'>[]
  /** The agent that would plan first, and its prompt; null where there is a plan. */
  readonly planner: (RoleAgent & { readonly prompt: PromptCheck }) | null
  readonly config: Config
  readonly iterationsDone: number
  /** The prompt of the next iteration; null where there is none. */
  readonly prompt: PromptCheck | null
  readonly recent: readonly IterationRecord[]
}

export interface RoleAgent {
  readonly name: string
  readonly command: string
  readonly readiness: Readiness
}

export interface NextTask {
  readonly id: TaskId
  readonly title: string
  readonly attempt: number
  readonly iteration: number
  readonly does: string
}

export type PromptCheck = { readonly tokens: number } | { readonly problem: string }

/** Where the tasks come from: a file that is kept up to date, or a list that is imported. */
export type PlanOrigin = ProgressSource | PlanList

export interface Plan {
  readonly tasks: readonly Task[]
  readonly attempts: ReadonlyMap<TaskId, Attempt>
  readonly iterations: readonly IterationRecord[]
  /** What was read from the file differently from what its writer may think. */
  readonly notes: readonly string[]
}

const RECENT_MAX = 5
/** Close enough for English and code. */
const CHARACTERS_PER_TOKEN = 4
const NOT_YET = 'b_new' as BuildId

/** The tasks as they would be after importing the progress file. `context`: null where there is no store. */
export async function planAhead(
  context: Pick<BuildContext, 'store' | 'scope' | 'now'> | null,
  build: Build | null,
  origin: PlanOrigin | null,
  now: Instant,
): Promise<Plan> {
  const there = context === null ? [] : await context.store.tasks.list(context.scope, {})
  const isLeft = (task: Task): boolean => build === null && task.status === 'waiting'
  const tasks = there.map((task) => (isLeft(task) ? openAgain(task, now) : task))
  const attempts =
    context === null || build === null ? new Map<TaskId, Attempt>() : await context.store.builds.attempts(build.id)
  const iterations =
    context === null || build === null ? [] : await context.store.builds.attachments(build.id, 'iteration')
  const imported = origin === null ? { tasks, notes: [] } : await afterImport(tasks, origin, now)
  return { ...imported, attempts, iterations }
}

async function afterImport(
  tasks: readonly Task[],
  origin: PlanOrigin,
  now: Instant,
): Promise<Pick<Plan, 'tasks' | 'notes'>> {
  const { items, specs, notes } =
    'form' in origin ? { ...planOfList(origin)(tasks), notes: [] } : await planOfFile(tasks, origin)
  return { tasks: after(tasks, diffPlan(tasks, items, now, specs)), notes }
}

type FromFile = CorePlan & Pick<Plan, 'notes'>

async function planOfFile(tasks: readonly Task[], { path, spec }: ProgressSource): Promise<FromFile> {
  const { text } = await readWhole(path)
  const { items, problems, notes } = planIn(text, spec, new Map(tasks.map((task) => [task.id, task])))
  const problem = problemOf(text, null, spec) ?? (problems.length === 0 ? null : problems.join('; '))
  if (problem !== null) throw refuse('PROGRESS_FILE_BAD', { problem })
  return { items, specs: [], notes }
}

function after(tasks: readonly Task[], diff: PlanDiff): Task[] {
  const known = new Map(tasks.map((task) => [task.id, task]))
  for (const task of [...diff.inserted, ...diff.updated, ...diff.deleted]) known.set(task.id, task)
  return [...known.values()].toSorted((one, other) => one.priority - other.priority)
}

export async function dryRunBuild(
  deps: Pick<EngineDeps, 'agents' | 'fallbacks' | 'prompts' | 'config'>,
  build: Build | null,
  { tasks, attempts, iterations }: Plan,
  seed: Seed | null,
  folder: string,
  now: Instant,
  claims: Claims = 'engine',
): Promise<DryRun> {
  const { config } = deps
  const task = claims === 'agent' ? null : nextTask(tasks, now)
  const id = build?.id ?? NOT_YET
  const attempt = task === null ? null : (attempts.get(task.id) ?? firstAttempt(task, id, config.limits))
  return {
    build,
    counts: countsOf(tasks),
    next: task === null || attempt === null ? null : nextTaskOf(task, attempt),
    agent: await roleAgentOf(deps, 'implementer', folder),
    fallbacks: await fallbackAgents(deps),
    planner:
      seed === null
        ? null
        : {
            ...(await roleAgentOf(deps, 'planner', folder)),
            prompt: await promptCheck(() => planBrief(deps, { seed, tasks }, 'filled')),
          },
    config,
    iterationsDone: iterations.length,
    prompt: task === null || attempt === null ? null : await promptCheck(() => brief(deps, task, attempt, iterations)),
    recent: iterations.slice(-RECENT_MAX),
    ...(claims === 'agent' ? await offerIn(deps, tasks, now) : { offer: null }),
  }
}

async function offerIn(
  deps: Pick<EngineDeps, 'prompts'>,
  tasks: readonly Task[],
  now: Instant,
): Promise<Pick<DryRun, 'offer' | 'prompt'>> {
  try {
    const { tasks: offer, prompt } = await offerOf(deps, tasks, now)
    return { offer, prompt: offer.length === 0 ? null : { tokens: tokensIn(prompt) } }
  } catch (error) {
    return { offer: [], prompt: problemIn(error) }
  }
}

function tokensIn(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN)
}

function problemIn(error: unknown): PromptCheck {
  return { problem: error instanceof Error ? error.message : String(error) }
}

function nextTask(tasks: readonly Task[], now: Instant): Task | null {
  const statusOf = statusIn(tasks)
  return tasks.find((task) => isFree(task, now) && blockers(task, statusOf) === 'finished') ?? null
}

function statusIn(tasks: readonly Task[]): (id: TaskId) => Task['status'] {
  const byId = new Map(tasks.map((task) => [task.id, task.status]))
  return (id) => byId.get(id) ?? 'deleted'
}

function countsOf(tasks: readonly Task[]): PlanCounts {
  const statusOf = statusIn(tasks)
  const counts = { open: 0, active: 0, done: 0, blocked: 0, deleted: 0 }
  for (const task of tasks) counts[planColumn(task, blockers(task, statusOf))] += 1
  return counts
}

function nextTaskOf({ id, title }: Task, attempt: Attempt): NextTask {
  const effect = next(attempt)
  const iteration = effect?.do === 'iterate' ? effect.iteration : attempt.iteration
  return { id, title, attempt: attempt.number, iteration, does: effect?.do ?? 'nothing' }
}

async function fallbackAgents({ fallbacks = [] }: Pick<EngineDeps, 'fallbacks'>): Promise<DryRun['fallbacks']> {
  return Promise.all(fallbacks.map(async ({ name, ready }) => ({ name, readiness: await ready() })))
}

async function roleAgentOf({ agents }: Pick<EngineDeps, 'agents'>, role: Role, folder: string): Promise<RoleAgent> {
  const agent = agents[role]
  return { name: agent.name, command: agent.describe({ role, folder }), readiness: await agent.ready() }
}

function brief(
  { prompts, config, agents }: Pick<EngineDeps, 'prompts' | 'config' | 'agents'>,
  task: Task,
  attempt: Attempt,
  iterations: readonly IterationRecord[],
): Promise<string> {
  const own = iterations.filter((record) => record.task === task.id)
  const attachments = async (_: BuildId, kind: string) => (kind === 'iteration' ? own : []) as never[]
  const engine = { prompts, config, store: { builds: { attachments } } }
  const tell = agents.implementer.edits === 'patch' ? patchBriefAlone : buildBrief
  return tell({ engine, task, attempt, build: attempt.build }, attempt.iteration + 1)
}

/** Filling a template fails if a placeholder has no value. */
async function promptCheck(fill: () => Promise<string>): Promise<PromptCheck> {
  try {
    return { tokens: tokensIn(await fill()) }
  } catch (error) {
    return problemIn(error)
  }
}
