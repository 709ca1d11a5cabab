// The planner reads the project and the goal, changes nothing, and answers with a graph of tasks.
import { readBuildGraph, type BuildGraph } from '../../core/plan/build-graph.ts'
import type { Instant, TreeId } from '../../core/values/id.ts'
import { type Seed, seedText } from '../../core/plan/seed.ts'
import { isSettled, type Task } from '../../core/task/task.ts'
import { askRole } from '../session/ask-role.ts'
import { list } from '../session/brief.ts'
import { causeOf } from '../session/failure-policy.ts'
import type { SessionRequestContext, EngineDeps } from '../deps.ts'

export interface PlanRequest {
  readonly seed: Seed
  /** The project as it is now. */
  readonly tree: TreeId
  /** The tasks of this repository and branch. */
  readonly tasks: readonly Task[]
  /** What people said since then. */
  readonly said?: readonly string[]
}

export type PlanAnswer =
  | { readonly is: 'plan'; readonly graph: BuildGraph }
  | { readonly is: 'limited'; readonly until: Instant; readonly reason: string; readonly agent: string }
  | { readonly is: 'broke'; readonly reason: string }
  | { readonly is: 'stopped'; readonly reason: string }
  | { readonly is: 'failed'; readonly reason: string }

/** The number of this try, and how often in a row we have waited for the agent. */
export interface PlanTry {
  readonly number: number
  readonly waits: number
}

/** Asking again within one try, with the problem, is iteration 2. */
export async function askPlanner(
  requestContext: Omit<SessionRequestContext, 'task' | 'attempt'>,
  { number, waits }: PlanTry,
  planRequest: PlanRequest,
): Promise<PlanAnswer> {
  const { engine } = requestContext
  const { tree, tasks } = planRequest
  const known = new Set(tasks.flatMap(({ id, status }) => (status === 'deleted' ? [] : [id])))
  const rules = { tasksMax: engine.config.limits.tasksPerPlan, known }
  const turn = (iteration: number): SessionRequestContext => ({
    ...requestContext,
    task: null,
    attempt: { number, iteration },
  })
  const prompt = await planBrief(engine, planRequest, EMPTY_TREES.includes(tree) ? 'empty' : 'filled')
  let answers = 0
  // A plan is good without examples: bad ones are asked for again once, and then left out.
  const read = (message: string) => {
    answers += 1
    return readBuildGraph(message, { ...rules, badExamples: answers === 1 ? 'refused' : 'left out' })
  }
  const answer = await askRole(turn(1), { role: 'planner', prompt, tree, read }, turn(2))
  if (answer.is === 'answer') return { is: 'plan', graph: answer.value }
  const { agent } = answer
  const who = `the planner (${agent.name})`
  if (answer.is === 'none') return { is: 'failed', reason: `${who} gave no usable plan: ${answer.problem}` }
  const { failure } = answer
  const cause = causeOf(engine, failure, agent, waits)
  switch (cause.is) {
    case 'limit':
      return { is: 'limited', until: cause.until, reason: failure.sentence, agent: agent.name }
    case 'budget':
      return { is: 'broke', reason: cause.sentence }
    case 'operator':
      return { is: 'failed', reason: cause.sentence }
    case 'stopped':
      return { is: 'stopped', reason: failure.sentence }
    case 'own':
      return { is: 'failed', reason: `${who} failed: ${failure.sentence}` }
  }
}

/** Git's ids of the empty tree, for each hash that a repository may use. */
const EMPTY_TREES: readonly string[] = [
  '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
]

const EXISTING_SHOWN_MAX = 60

export function planBrief(
  { prompts, config }: Pick<EngineDeps, 'prompts' | 'config'>,
  { seed, tasks, said = [] }: Omit<PlanRequest, 'tree'>,
  project: 'empty' | 'filled',
): Promise<string> {
  return prompts.fill('plan', {
    goal: said.length === 0 ? seedText(seed) : `${seedText(seed)}\n\nSaid since:\n${list(said, '')}`,
    project: project === 'empty' ? EMPTY : FILLED,
    checks: list(
      config.checks.map(({ name, command }) => `${name}: ${command}`),
      'None are configured: choose what is usual for such a project.',
    ),
    existing: existing(tasks),
    limit: String(config.limits.tasksPerPlan),
    files: String(config.limits.filesPerPatch),
  })
}

const FILLED =
  'It has files. Look at them before you plan: what it is, how it is built and tested, the code that the goal touches.'
const EMPTY =
  'It is empty: nothing is committed yet. The first task is of type `setup`: it makes the smallest project that runs, with one ' +
  'real test and the command that runs it. All other tasks depend on it.'

/** Unfinished tasks first: a plan could get in their way. */
function existing(tasks: readonly Task[]): string {
  const there = tasks.filter(({ status }) => status !== 'deleted' && status !== 'split')
  const ordered = [
    ...there.filter(({ status }) => !isSettled(status)),
    ...there.filter(({ status }) => isSettled(status)).toReversed(),
  ]
  const more = ordered.length - EXISTING_SHOWN_MAX
  const shown = ordered.slice(0, EXISTING_SHOWN_MAX).map(({ id, status, title }) => `${id} (${status}): ${title}`)
  return list([...shown, ...(more > 0 ? [`and ${more} more`] : [])], 'None.')
}
