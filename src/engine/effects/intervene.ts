import type { Effect } from '../../core/attempt/attempt.ts'
import type { Fact } from '../../core/fact/fact.ts'
import { lastFailures } from '../../core/attempt/failures.ts'
import { type Family, familyOf, splittingOf } from '../../core/attempt/split-family.ts'
import type { Attachment } from '../../core/builds/attachment.ts'
import { type Crew, type Intervention, readIntervention } from '../../core/role-answers/sia.ts'
import { askRole } from '../session/ask-role.ts'
import { list, taskText } from '../session/brief.ts'
import { failurePolicy } from '../session/failure-policy.ts'
import type { EffectOutcome } from '../perform.ts'
import type { TaskRun } from '../deps.ts'

/** The self-improvement agent rewrites the task, splits it, or says that a human is needed. */
export async function intervene(
  effect: Extract<Effect, { do: 'intervene' }>,
  taskRun: TaskRun,
): Promise<EffectOutcome> {
  const { engine, attempt, task } = taskRun
  const tree = attempt.tree ?? (await engine.workspaces.head(taskRun.build)).tree
  const crew = crewOf(taskRun)
  const family = familyOf(task.id, await engine.store.builds.attempts(taskRun.build))
  const splitting = splittingOf(family, engine.config.limits.tasksPerPlan)
  const techniques = effect.untried.filter((technique) => technique !== 'decomposition' || 'partsMax' in splitting)
  const prompt = await engine.prompts.fill('sia', {
    task: taskText(task),
    problem: effect.reason,
    feedback: attempt.feedback.join('\n'),
    attempts: String(attempt.number),
    failures: list(lastFailures(await factsOf(taskRun), task.id), 'None.'),
    techniques: techniques.join(', ') || 'none',
    tried: attempt.techniques.join(', ') || 'none',
    agents: crewText(crew),
    interventions: leftText(taskRun, family),
    splitting: 'partsMax' in splitting ? `into 2 to ${splitting.partsMax} parts` : `not possible: ${splitting.refused}`,
  })
  const taken = new Set((await engine.store.tasks.list(engine.scope, {})).map(({ id }) => id))
  const read = (message: string) => readIntervention(message, task.id, attempt.techniques, taken, crew, splitting)
  const answer = await askRole(taskRun, { role: 'sia', prompt, tree, read })
  if (answer.is === 'answer') return interventionOutcome(taskRun, answer.value)
  if (answer.is === 'failed') {
    const free = failurePolicy(answer.failure, taskRun, answer.agent)
    if (free !== null) return free
  }
  const problem = answer.is === 'none' ? answer.problem : answer.failure.sentence
  return interventionOutcome(taskRun, {
    type: 'escalate',
    reason: `${effect.reason} (SIA gave no usable answer: ${problem})`,
  })
}

/** How many interventions are left after this one. */
function leftText({ attempt }: TaskRun, family: Family): string {
  const { interventions: most } = attempt.limits
  const left = Math.max(0, most - attempt.interventions - family.interventions - 1)
  return `${left} of ${most}${family.depth === 0 ? '' : `, for task ${family.root} and all its parts together`}`
}

const PAGE_MAX = 500

/** All facts of the build: SIA is rarely asked, and the failures may be long ago. */
async function factsOf({ engine, build }: TaskRun): Promise<Fact[]> {
  const facts: Fact[] = []
  for (let after = 0; ;) {
    const page = await engine.store.builds.facts(build, after, PAGE_MAX)
    facts.push(...page.map(({ fact }) => fact))
    const last = page.at(-1)
    if (last === undefined) return facts
    after = last.seq
  }
}

/** The agents that have a role or may take over. An in-process agent has no name that SIA could choose. */
function crewOf({ engine, attempt }: TaskRun): Crew {
  const { agents, fallbacks = [], agentFor } = engine
  const names = [...new Set([...Object.values(agents), ...fallbacks].map(({ name }) => name))]
  const known = names.filter((agent) => (agentFor?.({ agent, model: null }) ?? null) !== null)
  return { now: attempt.worker?.agent ?? agents.implementer.name, agents: known }
}

function crewText({ now, agents }: Crew): string {
  const others = agents.filter((name) => name !== now)
  return others.length === 0 ? `${now}, and no other` : `${now} now; also ${others.join(', ')}`
}

function interventionOutcome({ attempt, task }: TaskRun, intervention: Intervention): EffectOutcome {
  const interventionNumber = attempt.interventions + 1
  return {
    fact: { type: 'intervened', taskId: task.id, interventionNumber, intervention },
    attachments: lesson(attempt.lastError, task.id, intervention),
  }
}

/** Which technique was used against which problem, for the benefit of later tasks. */
function lesson(problem: string | null, task: TaskRun['task']['id'], intervention: Intervention): Attachment[] {
  if (intervention.type === 'escalate') return []
  const { technique } = intervention
  const first = problem?.split('\n')[0] ?? 'no progress'
  const way = intervention.type === 'fixed' ? 'the task was rewritten' : 'the task was split'
  return [{ kind: 'lesson', task, technique, text: `"${first}" was met by ${technique}: ${way}` }]
}
