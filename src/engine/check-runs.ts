// The checks on one tree: what is known of them is not run again, what the machine cut short is.
import { setTimeout } from 'node:timers/promises'
import type { Check, Setup } from '../checks/check.ts'
import type { Config } from '../config/config.ts'
import { type CheckRun, isGreen } from '../core/evidence.ts'
import type { TreeId } from '../core/id.ts'
import type { InstallRule } from '../core/install-scripts.ts'
import { redCheckOf } from '../core/keepsake.ts'
import { endingOf, RERUN_PAUSES_MS, rerunsFor } from '../core/run-ending.ts'
import { setupFor } from './install.ts'
import type { Job } from './shop.ts'

/** Whose tree it is, and what is needed to judge it. */
export interface Examination extends Pick<Job, 'shop' | 'build' | 'task' | 'signal'> {
  /** `unused`: a person ordered this run, so neither is an earlier result believed nor is this one remembered. */
  readonly memory?: 'unused'
}

/**
 * What runs are for. A comparison is of how the machine is now: what was green before does not count. A trial leads to no
 * evidence, and a sabotage is to go wrong, in whatever way: both are made once.
 */
export type Purpose = 'evidence' | 'comparison' | 'trial' | 'sabotage'

export async function runChecks(
  job: Examination,
  tree: TreeId,
  changed: readonly string[],
  { scripts }: InstallRule,
  purpose: Purpose = 'evidence',
): Promise<CheckRun[]> {
  const command = await setupFor(job.shop, tree)
  const setup = command === null ? null : { command, installScripts: scripts }
  const wanted = { tree, changed, setup, purpose }
  const cut = new Map<string, number>()
  for (let round = 0; ; round += 1) {
    const runs = await runOnce(job, wanted)
    const pause = RERUN_PAUSES_MS[round]
    const isOnce = purpose === 'trial' || purpose === 'sabotage'
    if (pause === undefined || isOnce || round >= rerunsFor(runs)) return runs.map(withCuts)
    for (const { checkHash } of runs.filter((run) => !isGreen(run))) cut.set(checkHash, (cut.get(checkHash) ?? 0) + 1)
    await setTimeout(pause, undefined, { signal: job.signal }).catch(() => job.signal.throwIfAborted())
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

interface Wanted {
  readonly tree: TreeId
  readonly changed: readonly string[]
  readonly setup: Setup | null
  readonly purpose: Purpose
}

async function runOnce(job: Examination, { tree, changed, setup, purpose }: Wanted): Promise<CheckRun[]> {
  const { checks, config, workspaces } = job.shop
  const wanted = wantedChecks(config).map((check) => ({ check, key: checks.keyOf(tree, check, setup, changed) }))
  const known: (CheckRun | null)[] = []
  for (const { check, key } of wanted) {
    const run = await knownRun(job, key, purpose)
    known.push(run && { ...run, name: check.name, cached: true })
  }
  // Mostly so of the base, which is the tree that the last task was merged as: not even a checkout is made.
  if (known.every((run) => run !== null)) return known
  const checkout = await workspaces.checkout(tree)
  try {
    const prepared = await checks.prepare(checkout, setup, job.signal)
    if (!prepared.ok) return [prepared.run]
    const runs: CheckRun[] = []
    for (const [at, { check, key }] of wanted.entries()) {
      const run = known[at] ?? (await checks.run(checkout, check, changed, job.signal))
      if (purpose !== 'sabotage' && !run.cached) await remember(job, tree, key, run)
      runs.push(run)
    }
    return runs
  } finally {
    await checks.release(checkout)
    checkout.free()
  }
}

/**
 * Green results are known to this process alone: what lies in a file could be written by whoever is judged. Red ones are in
 * the store for good, since they help nobody who would forge them.
 */
const green = new WeakMap<Config, Map<string, CheckRun>>()
/** A few checks on as many trees as one process has loops, and some. */
const GREEN_MAX = 64

async function knownRun({ shop, memory }: Examination, key: string, purpose: Purpose): Promise<CheckRun | null> {
  if (purpose === 'sabotage' || memory === 'unused') return null
  const passed = purpose === 'comparison' ? undefined : green.get(shop.config)?.get(key)
  return passed ?? (await shop.store.builds.redCheck(key))
}

/** At once, so that a process that is killed now does not get another try. */
async function remember(job: Examination, tree: TreeId, key: string, run: CheckRun): Promise<void> {
  const { shop, build, task, memory } = job
  if (memory === 'unused') return
  const ending = endingOf(run)
  if (ending === 'failed') await shop.store.builds.keep(build, [redCheckOf({ key, tree, task: task.id, run })])
  if (ending !== 'passed') return
  const known = green.get(shop.config) ?? new Map<string, CheckRun>()
  green.set(shop.config, known.set(key, run))
  for (const oldest of known.keys()) {
    if (known.size <= GREEN_MAX) return
    known.delete(oldest)
  }
}
