// A build in the browser: what the server says it is after a certain fact, and from there on the same facts folded by the
// same functions that the engine's store folds them with.
import { type Attempt, firstAttempt } from '../../core/attempt/attempt.ts'
import { type Build, type BuildState, type BuildView, lastErrorAfter, viewBuild } from '../../core/builds/build.ts'
import { applyInFamily } from '../../core/attempt/split-family.ts'
import { isCause, isOperatorCause } from '../../core/fact/cause.ts'
import type { BuildFact, Fact, FactEvent } from '../../core/fact/fact.ts'
import type { BuildId, IdeaId, Instant, TaskId } from '../../core/values/id.ts'
import { mergedStrength } from '../../core/probes/report/probe-text.ts'
import { afterReport } from '../../core/attempt/reported-on-head.ts'
import { taskAfter } from '../../core/attempt/settlement.ts'
import { addUsed, type Used } from '../../core/money/spending.ts'
import type { Task } from '../../core/task/task.ts'
import type { WireView } from '../../operations/contract/view.ts'

export interface Folded {
  readonly seq: number
  readonly build: Build
  readonly name: string
  readonly limits: Attempt['limits']
  readonly tasks: readonly Task[]
  readonly attempts: ReadonlyMap<TaskId, Attempt>
  /** What the green tree of a task is worth. */
  readonly strengths: ReadonlyMap<string, ShownStrength>
  readonly view: BuildView
  readonly used: Used
  readonly interventions: number
  readonly isDriven: boolean
  readonly isPlanned: boolean
  /** The number of planner sessions. */
  readonly plannings: number
}

export type ShownStrength = Pick<WireView['strengths'][number], 'strength' | 'sentence' | 'findings'>

/** The contract types only parts of tasks and attempts; both come from the store in the form of the core. */
export function foldedOf(view: WireView): Folded {
  const build: Build = { ...view.build, id: view.build.id as BuildId, idea: view.build.idea as IdeaId }
  const tasks = view.tasks as unknown as readonly Task[]
  const attempts = new Map((view.attempts as unknown as readonly Attempt[]).map((one) => [one.task, one]))
  const { seq, name, limits, interventions, isDriven, isPlanned, plannings, spent: used } = view
  return {
    seq,
    build,
    name,
    limits,
    tasks,
    attempts,
    strengths: new Map(view.strengths.map(({ taskId, ...rest }) => [taskId, rest])),
    view: viewBuild(build, tasks, attempts),
    used,
    interventions,
    isDriven,
    isPlanned,
    plannings,
  }
}

export interface FeedFact {
  /** The build of the log: an idea may get a new build. */
  readonly build: string
  readonly seq: number
  readonly at: Instant
  readonly fact: Fact
}

/** Folds facts in order. Null: only the server knows the new state, so it must be read again. */
export function foldFacts(before: Folded, facts: readonly FeedFact[]): Folded | null {
  const changes = { tasks: new Map(before.tasks.map((task) => [task.id, task])), attempts: new Map(before.attempts) }
  const strengths = new Map(before.strengths)
  let { build, used, interventions, seq, isDriven, plannings } = before
  for (const { seq: number, at, fact } of facts) {
    if (number <= seq) continue
    if (number !== seq + 1 || changesThePlan(fact)) return null
    seq = number
    build = { ...buildAfter(build, fact), lastActivityAt: at }
    if ('spent' in fact && fact.spent !== undefined) used = addUsed(used, fact.spent)
    if (fact.type === 'intervened') interventions += 1
    if (fact.type === 'planning') plannings = fact.attempt
    if (fact.type === 'iterationStarted' || fact.type === 'verifying' || fact.type === 'merging') isDriven = true
    foldStrength(strengths, fact)
    if (!foldTask(before, changes, fact, at)) return null
    const error = 'taskId' in fact ? changes.attempts.get(fact.taskId)?.lastError : undefined
    if (error !== undefined && isCause(fact)) build = { ...build, lastError: error }
  }
  const tasks = before.tasks.map((task) => changes.tasks.get(task.id) ?? task)
  const { attempts } = changes
  return {
    ...before,
    seq,
    build,
    used,
    interventions,
    isDriven,
    plannings,
    tasks,
    attempts,
    strengths,
    view: viewBuild(build, tasks, attempts),
  }
}

function foldStrength(strengths: Map<string, ShownStrength>, fact: Fact): void {
  switch (fact.type) {
    case 'verified': {
      const { taskId, verdict, strength = null, sentence = null, findings = [] } = fact
      if (verdict.is !== 'green') strengths.delete(taskId)
      else strengths.set(taskId, { strength, sentence, findings: findings.map((finding) => ({ ...finding })) })
      break
    }
    case 'merged':
      if (fact.proof.by === 'person') strengths.set(fact.taskId, { ...mergedStrength(fact.proof, null), findings: [] })
      break
    case 'taskSkipped':
    case 'taskReverted':
      strengths.delete(fact.taskId)
  }
}

interface Changes {
  readonly tasks: Map<TaskId, Task>
  readonly attempts: Map<TaskId, Attempt>
}

/** False: the fact does not fit the known state. */
function foldTask(before: Folded, { tasks, attempts }: Changes, fact: Fact, at: Instant): boolean {
  if (!('taskId' in fact)) return true
  const task = tasks.get(fact.taskId)
  if (task === undefined) return false
  const attempt = attempts.get(fact.taskId) ?? firstAttempt(task, before.build.id, before.limits)
  if (!isCause(fact)) {
    if (fact.type === 'taskStarted') tasks.set(task.id, { ...task, status: 'active' })
    if (fact.type === 'taskStarted') attempts.set(task.id, attempt)
    if (fact.type === 'reportVerified' || fact.type === 'reportRefused')
      tasks.set(task.id, afterReport(task, fact, before.build.id, at))
    return true
  }
  try {
    const after = applyInFamily(attempt, fact, () => attempts)
    attempts.set(task.id, after)
    tasks.set(task.id, taskAfter(task, after, fact, isOperatorCause(fact) ? 'free' : 'held', at))
    return true
  } catch {
    return false
  }
}

/** The tasks or their graph change. */
function changesThePlan({ type }: Fact): boolean {
  return type === 'planned' || type === 'buildStarted' || type === 'siaDecomposed'
}

const STATES: Partial<Record<BuildFact['type'], BuildState>> = {
  buildPaused: 'paused',
  buildResumed: 'running',
  buildAborted: 'aborted',
  buildComplete: 'complete',
  buildFailed: 'failed',
  baselineFailed: 'paused',
}

function buildAfter(build: Build, fact: Fact): Build {
  const state = STATES[fact.type as BuildFact['type']] ?? build.state
  return { ...build, state, lastError: lastErrorAfter(build, fact) }
}

/** On the wire a fact and its place in the log are one object. */
export function feedFactOf(wire: FactEvent | Readonly<Record<string, unknown>>): FeedFact {
  const { seq, at, sessionId, ideaId: _, ...fact } = wire
  return { build: String(sessionId), seq: Number(seq), at: Number(at), fact: fact as unknown as Fact }
}
