// Everything that a person may want to know about a build: tasks, commits and their evidence, cost.
import type { Attempt } from '../../core/attempt/attempt.ts'
import { type Evidence, testsRun } from '../../core/evidence/evidence.ts'
import type { Proof, RecordedFact } from '../../core/fact/fact.ts'
import type { CommitId, EvidenceId, Instant, TaskId } from '../../core/values/id.ts'
import type { IterationRecord, OutageRecord, WarningRecord } from '../../core/builds/attachment.ts'
import { type RemovedTask, removedTasks } from '../../core/builds/removed-tasks.ts'
import { type SessionSpending, type SpentTogether, sumSpending } from '../../core/money/spending.ts'
import type { Task } from '../../core/task/task.ts'
import { type WaitedTime, waitedIn } from '../../core/builds/waiting.ts'
import { type BudgetNow, budgetNow } from '../builds/budget.ts'
import { factsOf } from '../builds/build-facts.ts'
import { nameOfBuild } from './build-name.ts'
import { type BuildOutline, outlineOf } from './build-outline.ts'
import { type BuildContext, findBuild, type FrozenBuild, frozenOf } from '../builds/builds.ts'
import { lastGreen, type TaskStrength, taskStrength } from '../tasks/task-strength.ts'
import { isHeld, isPlannedNow } from '../tasks/task-holder.ts'

export interface BuildReport extends BuildOutline {
  /** What the build is made from, for people. */
  readonly name: string
  readonly frozen: FrozenBuild
  /** Tasks that somebody removed from the plan. */
  readonly removed: readonly RemovedTask[]
  readonly iterations: readonly IterationRecord[]
  /** In the order of the merges. */
  readonly merged: readonly MergedTask[]
  /** In plan order: findings of merged tasks, and of the last verified tree of others. */
  readonly findings: readonly TaskFindings[]
  /** What the green tree of each task is worth: the merged one, else the one that was verified last. */
  readonly strengths: ReadonlyMap<TaskId, TaskStrength>
  /** Of the tree that was verified last; null: none was. */
  readonly lastEvidence: Evidence | null
  /** The tasks that a loop works on now. */
  readonly held: ReadonlySet<TaskId>
  /** Null where the build has its plan; `isHeld`: a loop plans it now. */
  readonly planning: { readonly attempt: number; readonly isHeld: boolean } | null
  readonly spent: Spent
  readonly sessions: readonly SessionSpending[]
  readonly budget: BudgetNow
  /** Agents that cannot work now, and their replacements. */
  readonly outages: readonly OutageRecord[]
  /** What somebody did past the engine, oldest first. */
  readonly warnings: readonly WarningRecord['warning'][]
  /** Whether the base branch has it, as recorded with its idea. */
  readonly isShipped: boolean
  /** The time of this report. */
  readonly now: Instant
}

/** A task on the branch, and its proof. */
export interface MergedTask {
  readonly task: TaskId
  readonly title: string
  readonly commit: CommitId
  readonly proof: Proof
  readonly evidence: Evidence | null
  readonly testsRun: number
}

export interface TaskFindings extends Pick<Evidence, 'findings' | 'cleared' | 'secondOpinion'> {
  readonly task: TaskId
  readonly title: string
}

/** Of every session: all roles, also failed and interrupted ones. */
export interface Spent extends SpentTogether {
  readonly iterations: number
  readonly interventions: number
  readonly byRole: readonly (SpentTogether & { readonly role: string; readonly agent: string })[]
  readonly byTask: ReadonlyMap<TaskId, SpentTogether>
}

export async function reportBuild(context: BuildContext, id?: string): Promise<BuildReport> {
  const build = await findBuild(context, id)
  const { store, scope } = context
  const [all, attempts, iterations, evidence, frozen, loops, sessions, [planning], outages, warnings] =
    await Promise.all([
      store.tasks.list(scope, {}),
      store.builds.attempts(build.id),
      store.builds.attachments(build.id, 'iteration'),
      store.builds.attachments(build.id, 'evidence'),
      frozenOf(context, build.id),
      store.agents.list(),
      store.spending.list(build.id),
      store.builds.attachments(build.id, 'planning'),
      store.builds.attachments(build.id, 'outage'),
      store.builds.attachments(build.id, 'warning'),
    ])
  const outline = outlineOf(build, all, attempts)
  const { tasks } = outline
  const byId = new Map(evidence.map((record) => [record.id, record.evidence]))
  const merged = mergedTasks(tasks, attempts, byId)
  return {
    ...outline,
    name: await nameOfBuild(context, build, frozen, tasks),
    frozen,
    removed: removedTasks(all, build.id, sessions),
    iterations,
    merged,
    lastEvidence: evidence.at(-1)?.evidence ?? null,
    findings: taskFindings(tasks, merged, [...byId.values()]),
    strengths: taskStrengths(tasks, merged, [...byId.values()]),
    held: new Set(tasks.filter((task) => isHeld(task, loops, context.now())).map(({ id }) => id)),
    planning:
      planning === undefined || planning.isPlanned
        ? null
        : { attempt: planning.attempt, isHeld: isPlannedNow(planning, loops, context.now()) },
    spent: spentOn(sessions, iterations.length, attempts),
    sessions,
    budget: await budgetNow(context, build.id, frozen.config),
    warnings: warnings.map(({ warning }) => warning),
    outages: build.state === 'running' ? outages.filter(({ until }) => until > context.now()) : [],
    isShipped: build.state === 'complete' && (await store.ideas.find(build.idea))?.phase === 'deployed',
    now: context.now(),
  }
}

/** Whether a loop works on the build or plans it now. */
export function isDriven({ held, planning }: Pick<BuildReport, 'held' | 'planning'>): boolean {
  return held.size > 0 || planning?.isHeld === true
}

/** The files that its merged tasks added or changed. */
export function changedFiles({ merged }: Pick<BuildReport, 'merged'>): readonly string[] {
  return [...new Set(merged.flatMap(({ evidence }) => evidence?.changed ?? []))]
}

/** How long the build waited for its agents. This reads the whole log, so it is separate. */
export async function waitedFor(
  context: BuildContext,
  { build, now }: Pick<BuildReport, 'build' | 'now'>,
): Promise<WaitedTime[]> {
  const facts: RecordedFact[] = []
  for await (const page of factsOf(context, build.id, 0)) facts.push(...page)
  return waitedIn(facts, now)
}

/** A done task does not change any more, so its last change was the merge. */
function mergedTasks(
  tasks: readonly Task[],
  attempts: ReadonlyMap<TaskId, Attempt>,
  evidence: ReadonlyMap<EvidenceId, Evidence>,
): readonly MergedTask[] {
  const inOrder = tasks.toSorted((one, other) => one.updatedAt - other.updatedAt)
  return inOrder.flatMap(({ id, title }): MergedTask[] => {
    const phase = attempts.get(id)?.phase
    if (phase?.at !== 'settled' || phase.as.is !== 'done') return []
    const { commit, proof } = phase.as
    const proved = proof.by === 'evidence' ? (evidence.get(proof.evidence) ?? null) : null
    return [
      { task: id, title, commit, proof, evidence: proved, testsRun: proved === null ? 0 : testsRun(proved.checks) },
    ]
  })
}

/** For an unmerged task, the findings of its last green tree: what was fixed meanwhile is no finding any more. */
function taskFindings(
  tasks: readonly Task[],
  merged: readonly MergedTask[],
  evidence: readonly Evidence[],
): readonly TaskFindings[] {
  return tasks.flatMap((task) => {
    const { id, title } = task
    const shown = merged.find((one) => one.task === id)?.evidence ?? lastGreen(task, evidence)
    if (shown === null || shown.findings.length === 0) return []
    const { findings, cleared, secondOpinion } = shown
    return [{ task: id, title, findings, cleared, secondOpinion }]
  })
}

function taskStrengths(
  tasks: readonly Task[],
  merged: readonly MergedTask[],
  evidence: readonly Evidence[],
): ReadonlyMap<TaskId, TaskStrength> {
  const all = tasks.flatMap((task): [TaskId, TaskStrength][] => {
    const landed = merged.find((one) => one.task === task.id)
    const found = taskStrength(
      landed?.proof ?? null,
      landed === undefined ? lastGreen(task, evidence) : landed.evidence,
    )
    return found === null ? [] : [[task.id, found]]
  })
  return new Map(all)
}

function spentOn(
  sessions: readonly SessionSpending[],
  iterations: number,
  attempts: ReadonlyMap<TaskId, Attempt>,
): Spent {
  const byRole = Map.groupBy(sessions, ({ role, agent }) => `${role} ${agent}`)
  const byTask = Map.groupBy(
    sessions.filter((one): one is SessionSpending & { task: TaskId } => one.task !== null),
    ({ task }) => task,
  )
  return {
    ...sumSpending(sessions),
    iterations,
    interventions: [...attempts.values()].reduce((all, one) => all + one.interventions, 0),
    byRole: [...byRole.values()].map((own) => ({
      role: own[0]?.role ?? '',
      agent: own[0]?.agent ?? '',
      ...sumSpending(own),
    })),
    byTask: new Map([...byTask].map(([task, own]) => [task, sumSpending(own)])),
  }
}
