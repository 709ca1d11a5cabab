// A plan before its build: made from a goal, a spec or a list, previewed, changed, and started. It is the spec of an
// idea, which the server stores at every step, so nothing is lost with a connection or a closed page.
//
//   words ── makePlan ──> specification (the planner is at it) ──> spec_ready ── savePlan ↺ ── startPlan ──> building
import type { Build } from '../../core/builds/build.ts'
import { type BuildGraph, graphIn } from '../../core/plan/build-graph.ts'
import { refuse } from '../../core/error/error.ts'
import type { TaskId } from '../../core/values/id.ts'
import { type Idea, type IdeaMove, ideaText } from '../../core/idea/idea.ts'
import { groupOf } from '../../core/plan/seed.ts'
import { plannedSpec, seedOfIdea } from '../../core/idea/spec-text.ts'
import { isSettled, type Task } from '../../core/task/task.ts'
import { configForNew } from '../builds/build-config.ts'
import type { BuildContext } from '../builds/builds.ts'
import type { PlanDraft, PlanTask, WirePlan } from '../contract/plans.ts'
import { digest } from '../digest.ts'
import { planningSessions } from './idea-plannings.ts'
import { addIdea, findIdea, showIdea } from '../ideas/ideas.ts'
import { LISTED_MAX } from '../plans/import-plan.ts'
import { graphOfText } from '../plans/list-graph.ts'
import { AT_WORK, PLANNER, plannedSince } from '../ideas/planning-now.ts'
import { requireRoles } from '../builds/run-build.ts'
import type { IdeaWork } from './idea-worker.ts'
import type { ServedRepository } from './served-repository.ts'

const HERE = { agent: null, run: 'here' } as const

export interface PlanOptions {
  readonly text: string
  /** The idea that gets this text; default: a new idea. */
  readonly idea?: string | undefined
}

/** Resolves when the planner is at work, not when it is done; a list is ready at once. */
export async function planWords(
  servedRepo: ServedRepository,
  work: IdeaWork,
  { text, idea: id }: PlanOptions,
): Promise<Idea> {
  const graph = graphOfText(text)
  const title = graph === null ? undefined : titleOf(text, graph)
  // Finds a planner that cannot work before anything is written.
  if (graph === null) await requirePlanner(servedRepo)
  const idea = await (id === undefined
    ? addIdea(servedRepo.context, { text, ...(title && { title }) })
    : rewordIdea(servedRepo, id, text, title))
  if (idea.phase === 'failed') await work.move(idea.id, { to: 'ideation', reason: 'planned anew', ...HERE })
  if (idea.phase !== 'ideation_ready')
    await work.move(idea.id, { to: 'ideation_ready', reason: 'to be planned', ...HERE })
  const next =
    graph === null
      ? ({ to: 'specification', reason: 'to be planned' } as const)
      : ({ to: 'spec_ready', reason: graph.notes, spec: plannedSpec(idea, graph) } as const)
  return (await work.move(idea.id, { ...next, ...HERE })).idea
}

/** A heading is the title; otherwise the title of the first task stands for them. */
function titleOf(text: string, { tasks }: BuildGraph): string | undefined {
  if (/^#{1,6}\s+\S/.test(text.trim())) return undefined
  const more = tasks.length - 1
  return `${(tasks[0]?.title ?? '').slice(0, 150)}${more === 0 ? '' : ` and ${more} more`}`
}

async function requirePlanner({ root, env, openEngine }: ServedRepository): Promise<void> {
  const { config } = await configForNew({ folder: root, env }, null, 'planner')
  const engine = await openEngine(config)
  await requireRoles(engine, ['planner']).finally(() => engine.store.close())
}

const REWORDED_IN: readonly Idea['phase'][] = ['ideation', 'ideation_ready', 'failed']

async function rewordIdea(
  { context }: ServedRepository,
  id: string,
  text: string,
  title: string | undefined,
): Promise<Idea> {
  const { id: known } = await findIdea(context, id)
  return context.store.ideas.change(known, (idea) => {
    if (!REWORDED_IN.includes(idea.phase)) throw refuse('PLAN_WORDS_CLOSED', { id, phase: idea.phase })
    return idea.text === text.trim() ? idea : { ...idea, ...ideaText(text, title) }
  })
}

export async function readPlan(servedRepo: ServedRepository, id: string): Promise<WirePlan> {
  const { context, root, env } = servedRepo
  const { idea, build, moves } = await showIdea(context, id)
  const { config } = await configForNew({ folder: root, env }, null, 'planner')
  const others = await tasksOutside(context, idea)
  const graph = idea.spec?.graph ?? null
  return {
    idea_id: idea.id,
    title: idea.title,
    text: idea.text,
    phase: idea.phase,
    resumes: idea.resumes,
    tasks: graph === null ? null : graph.tasks.map(wireTask),
    notes: graph?.notes ?? '',
    planner: config.agents.planner,
    ...planningOf(idea, moves),
    planner_sessions: await planningSessions(servedRepo, idea.id, plannedSince(idea, moves)),
    known: others.map((task) => task.id),
    also_built: others.filter(({ status }) => !isSettled(status)).length,
    build_id: build?.id ?? null,
    updated_at: idea.updatedAt,
  }
}

/** Tasks that its own may wait for. Tasks of an earlier version of the plan do not count. */
async function tasksOutside({ store, scope }: BuildContext, idea: Idea): Promise<Task[]> {
  const group = groupOf(seedOfIdea(idea), digest)
  const tasks = await store.tasks.list(scope, {})
  return tasks.filter(({ spec, status }) => spec !== group && status !== 'deleted')
}

function planningOf(idea: Idea, moves: readonly IdeaMove[]): Pick<WirePlan, 'planning_since' | 'told' | 'problem'> {
  const last = moves.at(-1)
  const since = plannedSince(idea, moves)
  return {
    planning_since: since,
    told: since !== null && last !== undefined && last.reason !== AT_WORK ? withoutName(last.reason, idea.id) : null,
    problem: idea.phase === 'failed' && last?.by === PLANNER ? last.reason : null,
  }
}

/** A server's note begins with its idea's id, which is redundant here. */
function withoutName(note: string, id: string): string {
  const name = `idea ${id}`
  return note.startsWith(name) ? note.slice(name.length).replace(/^:? /, '') : note
}

function wireTask({
  id,
  title,
  goal,
  acceptance,
  dependsOn,
  filesExpected,
  type,
}: BuildGraph['tasks'][number]): PlanTask {
  const lists = { acceptance: [...acceptance], depends_on: [...dependsOn], files_expected: [...filesExpected] }
  return { id, title, goal, ...lists, type }
}

/** Saves a changed plan without building it. */
export async function savePlan(servedRepo: ServedRepository, id: string, draft: PlanDraft): Promise<Idea> {
  const found = await findIdea(servedRepo.context, id)
  const graph = withExamplesOf(found, await requireSound(servedRepo, found, draft))
  return servedRepo.context.store.ideas.change(found.id, (idea) => {
    if (idea.phase !== 'spec_ready') throw refuse('PLAN_CLOSED', { id, phase: idea.phase })
    return { ...idea, spec: plannedSpec(idea, graph) }
  })
}

/** The page never shows sealed examples, so a plan that comes back from it has none: those of the same tasks stay. */
function withExamplesOf({ spec }: Idea, graph: BuildGraph): BuildGraph {
  const known = new Map(spec?.graph?.tasks.map(({ id, examples }) => [id, examples]))
  const tasks = graph.tasks.map((task) => {
    const examples = task.examples ?? known.get(task.id)
    return examples === undefined ? task : { ...task, examples }
  })
  return { ...graph, tasks }
}

/** Saves the changes first, so that they survive if the build cannot start now. */
export async function startPlan(
  servedRepo: ServedRepository,
  work: IdeaWork,
  id: string,
  draft: PlanDraft,
): Promise<Build> {
  return work.build(await savePlan(servedRepo, id, draft), {})
}

async function requireSound(
  { context }: ServedRepository,
  idea: Idea,
  { tasks, notes }: PlanDraft,
): Promise<BuildGraph> {
  const known = new Set<TaskId>((await tasksOutside(context, idea)).map(({ id }) => id))
  const wanted = tasks.map(({ type, ...task }) => (type === null ? task : { ...task, type }))
  const read = graphIn({ tasks: wanted, notes }, { tasksMax: LISTED_MAX, known })
  if (!read.ok) throw refuse('PLAN_BAD', { problem: `${read.problem}; nothing was changed` })
  return read.value
}
