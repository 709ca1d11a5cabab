// The checks on one tree: what is known of them is not run again, what the machine cut short is.
import { setTimeout } from 'node:timers/promises'
import type { Check, Setup } from '../../checks/check.ts'
import type { Config } from '../../config/settings/config.ts'
import { type CheckRun, isGreen } from '../../core/evidence/evidence.ts'
import type { TaskId, TreeId } from '../../core/values/id.ts'
import { type InstallRule, installRule } from '../../core/guard/install-scripts.ts'
import { redCheckOf } from '../../core/builds/attachment.ts'
import { endingOf, RERUN_PAUSES_MS, rerunsFor } from '../../core/evidence/run-ending.ts'
import { setupFor } from './install.ts'
import type { TaskRun } from '../deps.ts'
import type { CheckResults } from '../memory.ts'

/** What is needed to run checks. */
export interface CheckContext extends Pick<TaskRun, 'engine' | 'build' | 'signal'> {
  /** `unused`: a person ordered this run, so neither is an earlier result believed nor is this one remembered. */
  readonly earlierResults?: 'unused'
}

/** Whose tree it is, and what is needed to judge it. */
export interface Examination extends CheckContext, Pick<TaskRun, 'task'> {}

/**
 * What runs are for. A base is compared with: what a person fixed there comes out otherwise on the same tree, so its red is
 * not remembered. A comparison is of how the machine is now: what was green before does not count. A trial leads to no evidence, and a sabotage is to go wrong, in whatever way: both are made once.
 */
type Purpose = 'evidence' | 'base' | 'comparison' | 'trial' | 'sabotage'

export function runChecks(
  taskRun: Examination,
  tree: TreeId,
  changed: readonly string[],
  install: InstallRule,
  purpose: Exclude<Purpose, 'base' | 'comparison'> = 'evidence',
): Promise<CheckRun[]> {
  return runAll(taskRun, { tree, changed, purpose, task: taskRun.task.id }, install)
}

/** The checks on a tree that work starts from: run once, whatever comes out. */
export async function baselineOf(taskRun: CheckContext, tree: TreeId): Promise<readonly CheckRun[]> {
  return knownBaseline(taskRun, tree) ?? (await runBaseline(taskRun, tree, 'base'))
}

export async function runBaseline(
  taskRun: CheckContext,
  tree: TreeId,
  purpose: 'base' | 'comparison',
): Promise<readonly CheckRun[]> {
  const install = installRule(taskRun.engine.config.workspace.installScripts, [])
  const runs = await runAll(taskRun, { tree, changed: [], purpose, task: null }, install)
  // A time-out or a program that was killed says nothing of the tree.
  if (runs.every((run) => endingOf(run) !== 'infrastructure')) results(taskRun).bases.set(tree, runs)
  return runs
}

/** Null: it would have to be run. */
export function knownBaseline(taskRun: CheckContext, tree: TreeId): readonly CheckRun[] | null {
  if (taskRun.earlierResults === 'unused') return null
  return (
    results(taskRun)
      .bases.get(tree)
      ?.map((run) => ({ ...run, cached: true })) ?? null
  )
}

/** What a person fixes meanwhile comes out otherwise, on the same tree. */
export function forgetBaseline(taskRun: CheckContext, tree: TreeId): void {
  results(taskRun).bases.delete(tree)
}

interface CheckRequest {
  readonly tree: TreeId
  readonly changed: readonly string[]
  readonly purpose: Purpose
  /** Null: of a tree that no task made. */
  readonly task: TaskId | null
}

async function runAll(taskRun: CheckContext, wanted: CheckRequest, { scripts }: InstallRule): Promise<CheckRun[]> {
  const { tree, purpose } = wanted
  const command = await setupFor(taskRun.engine, tree)
  const setup = command === null ? null : { command, installScripts: scripts }
  const cut = new Map<string, number>()
  for (let round = 0; ; round += 1) {
    const runs = await runOnce(taskRun, wanted, setup)
    const pause = RERUN_PAUSES_MS[round]
    const isOnce = purpose === 'trial' || purpose === 'sabotage'
    if (pause === undefined || isOnce || round >= rerunsFor(runs)) return runs.map(withCuts)
    for (const { checkHash } of runs.filter((run) => !isGreen(run))) cut.set(checkHash, (cut.get(checkHash) ?? 0) + 1)
    await setTimeout(pause, undefined, { signal: taskRun.signal }).catch(() => taskRun.signal.throwIfAborted())
  }

  function withCuts(run: CheckRun): CheckRun {
    const unfinished = cut.get(run.checkHash)
    return unfinished === undefined ? run : { ...run, unfinished }
  }
}

export function wantedChecks({ checks, validators }: Pick<Config, 'checks' | 'validators'>): Check[] {
  return [
    ...checks.map((check) => ({ ...check, kind: 'check' as const })),
    ...validators.map((check) => ({ ...check, kind: 'validator' as const })),
  ]
}

async function runOnce(taskRun: CheckContext, asked: CheckRequest, setup: Setup | null): Promise<CheckRun[]> {
  const { checks, config, workspaces } = taskRun.engine
  const { tree, changed, purpose } = asked
  const wanted = wantedChecks(config).map((check) => ({ check, key: checks.keyOf(tree, check, setup, changed) }))
  const known: (CheckRun | null)[] = []
  for (const { check, key } of wanted) {
    const run = await knownRun(taskRun, key, purpose)
    known.push(run && { ...run, name: check.name, cached: true })
  }
  // Mostly so of the base, which is the tree that the last task was merged as: not even a checkout is made.
  if (known.every((run) => run !== null)) return known
  const checkout = await workspaces.checkout(tree)
  try {
    const prepared = await checks.prepare(checkout, setup, taskRun.signal)
    if (!prepared.ok) return [prepared.run]
    const runs: CheckRun[] = []
    for (const [at, { check, key }] of wanted.entries()) {
      const run = known[at] ?? (await checks.run(checkout, check, changed, taskRun.signal))
      if (!run.cached) await remember(taskRun, asked, key, run)
      runs.push(run)
    }
    return runs
  } finally {
    await checks.release(checkout)
    checkout.free()
  }
}

/** A few checks on as many trees as one process has loops, and some. */
const RESULTS_MAX = 64

function results({ engine }: CheckContext): CheckResults {
  const found = engine.memory.checkResults
  for (const map of [found.green, found.bases] as readonly Map<unknown, unknown>[])
    for (const oldest of map.keys()) {
      if (map.size <= RESULTS_MAX) break
      map.delete(oldest)
    }
  return found
}

async function knownRun(taskRun: CheckContext, key: string, purpose: Purpose): Promise<CheckRun | null> {
  if (purpose === 'sabotage' || purpose === 'comparison' || taskRun.earlierResults === 'unused') return null
  const passed = results(taskRun).green.get(key) ?? null
  return passed !== null || purpose === 'base' ? passed : taskRun.engine.store.builds.redCheck(key)
}

/** At once, so that a process that is killed now does not get another try. */
async function remember(
  taskRun: CheckContext,
  { tree, purpose, task }: CheckRequest,
  key: string,
  run: CheckRun,
): Promise<void> {
  if (purpose === 'sabotage' || taskRun.earlierResults === 'unused') return
  const ending = endingOf(run)
  if (ending === 'failed' && task !== null)
    await taskRun.engine.store.builds.keep(taskRun.build, [redCheckOf({ key, tree, task, run })])
  if (ending === 'passed') results(taskRun).green.set(key, run)
}

/** `names`: of the checks in question. */
export async function runBaseAgain(
  { engine, signal }: Pick<TaskRun, 'engine' | 'signal'>,
  base: TreeId,
  names: readonly string[],
): Promise<CheckRun[]> {
  const { checks, config, workspaces } = engine
  if (names.length === 0) return []
  const checkout = await workspaces.checkout(base)
  try {
    const command = await setupFor(engine, base)
    const { scripts } = installRule(config.workspace.installScripts, [])
    const setup = command === null ? null : { command, installScripts: scripts }
    const prepared = await checks.prepare(checkout, setup, signal)
    if (!prepared.ok) return []
    const runs: CheckRun[] = []
    for (const check of config.checks.filter(({ name }) => names.includes(name)))
      runs.push(await checks.run(checkout, { ...check, kind: 'check' }, [], signal))
    return runs
  } finally {
    await checks.release(checkout)
    checkout.free()
  }
}
