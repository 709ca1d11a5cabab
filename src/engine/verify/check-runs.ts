// Runs the checks on one tree. It does not repeat known results, but repeats runs that the machine cut short.
import { setTimeout } from 'node:timers/promises'
import type { Check, Setup } from '../../checks/check.ts'
import type { Config } from '../../config/settings/config.ts'
import { type CheckRun, isGreen } from '../../core/evidence/evidence.ts'
import type { TaskId, TreeId } from '../../core/values/id.ts'
import { type InstallRule, installRule } from '../../core/findings/install-scripts.ts'
import { redCheckOf } from '../../core/builds/attachment.ts'
import { endingOf, RERUN_PAUSES_MS, rerunsFor } from '../../core/evidence/run-ending.ts'
import { setupFor } from './install.ts'
import type { TaskRun } from '../deps.ts'

export interface CheckContext extends Pick<TaskRun, 'engine' | 'build' | 'signal'> {
  /** `unused`: a person ordered this run, so it neither uses earlier results nor remembers its own. */
  readonly earlierResults?: 'unused'
}

/** The tree's task, and what is needed to judge the tree. */
export interface Examination extends CheckContext, Pick<TaskRun, 'task'> {}

/**
 * What a run is for. A base is the reference: a person may fix something outside the tree, so its red results are not
 * remembered. A comparison shows the machine's current state, so earlier green results do not count. A trial leads to
 * no evidence, and a sabotage has to fail in any way: both run once.
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

/** The checks on a tree that work starts from. They run once, whatever the result. */
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
  // A time-out or a killed program says nothing about the tree.
  if (runs.every((run) => endingOf(run) !== 'infrastructure')) taskRun.engine.memory.checkResults.bases.set(tree, runs)
  return runs
}

/** Null: the checks have not run on it. */
export function knownBaseline(taskRun: CheckContext, tree: TreeId): readonly CheckRun[] | null {
  if (taskRun.earlierResults === 'unused') return null
  return taskRun.engine.memory.checkResults.bases.get(tree)?.map((run) => ({ ...run, cached: true })) ?? null
}

/** The same tree may give another result after a person fixed something. */
export function forgetBaseline(taskRun: CheckContext, tree: TreeId): void {
  taskRun.engine.memory.checkResults.bases.delete(tree)
}

interface CheckRequest {
  readonly tree: TreeId
  readonly changed: readonly string[]
  readonly purpose: Purpose
  /** Null: no task made the tree. */
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
  // This is usual for the base, which is the tree of the last merge: it needs no checkout.
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

async function knownRun(taskRun: CheckContext, key: string, purpose: Purpose): Promise<CheckRun | null> {
  if (purpose === 'sabotage' || purpose === 'comparison' || taskRun.earlierResults === 'unused') return null
  const passed = taskRun.engine.memory.checkResults.green.get(key) ?? null
  return passed !== null || purpose === 'base' ? passed : taskRun.engine.store.builds.redCheck(key)
}

/** Saves the result at once, so that a killed process does not get another try. */
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
  if (ending === 'passed') taskRun.engine.memory.checkResults.green.set(key, run)
}

/**
 * Names of tests may contain a time, a random number or a path of the run. If some names of the base are missing and
 * others are new, the base runs again: a name that differs between two of its runs was not renamed. `names`: of these
 * checks.
 */
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
