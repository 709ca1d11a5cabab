// Evidence for one tree: the checks on it, on what it was made from, and, in a new project, on a sabotage of it.
import type { Check } from '../checks/check.ts'
import type { Config } from '../config/config.ts'
import { type CheckRun, type Evidence, isGreen, withListedNames } from '../core/evidence.ts'
import { findings } from '../core/guard.ts'
import { type InstallRule, installRule, withInstallNote } from '../core/install-scripts.ts'
import { inventoryFindings, inventoryNotes } from '../core/inventory.ts'
import type { CommitId, EvidenceId, TreeId } from '../core/id.ts'
import { sabotage } from '../core/sabotage.ts'
import { judge, type Judgement, leavesUnproved } from '../core/verification.ts'
import { installRuleFor, setupFor } from './install.ts'
import { asBaseJudges, suspectOf } from './second-opinion.ts'
import type { Job, Shop } from './shop.ts'

export interface Proof {
  readonly evidence: Evidence
  readonly id: EvidenceId
  readonly judgement: Judgement
}

/** Whose tree it is, and what is needed to judge it. */
export type Examination = Pick<Job, 'shop' | 'task' | 'signal'>

/** What is needed to run checks. */
export type CheckJob = Pick<Examination, 'shop' | 'signal'>

/** Asked for again at the merge if the branch has moved, since the tree is another one then. */
export async function prove(job: Examination, tree: TreeId, base: CommitId): Promise<Proof> {
  const { shop, task } = job
  const { workspaces, config } = shop
  const { baseTree, suspect, changed, install } = await examined(job, tree, base)
  const runs = await runChecks(job, tree, changed, install)
  rememberGreen(job, tree, runs)
  const baseline = await baselineOf(job, baseTree)
  const requireTests = config.verify.requireTests ? 'required' : 'not-required'
  const broken = leavesUnproved(baseline, requireTests) && runs.every(isGreen) ? sabotage(changed) : null
  const judged = judge({
    runs,
    requireTests,
    taskType: task.type,
    filesExpected: task.filesExpected,
    filesMissing: await workspaces.missing(tree, task.filesExpected),
    baseline,
    // A patch of documents alone has nothing to break.
    sabotage:
      broken === null || broken.size === 0
        ? null
        : await runChecks(job, await workspaces.alter(tree, broken), changed, install),
  })
  const judgement = withInstallNote(judged, install)
  const isGreenNow = judgement.verdict.is === 'green'
  const found = [...(isGreenNow ? inventoryFindings(baseline, runs) : []), ...findings(suspect, config)]
  const asBefore = isGreenNow ? await asBaseJudges(workspaces, { base: baseTree, tree }, suspect, found) : null
  const evidence: Evidence = {
    task: task.id,
    tree,
    base,
    recipe: { setup: await setupFor(shop, tree), installScripts: install.scripts, checks: wantedChecks(config) },
    changed,
    checks: runs.map((run) => withListedNames(run, shop.digest)),
    baseline: baseline.map((run) => withListedNames(run, shop.digest)),
    findings: found,
    secondOpinion:
      asBefore === null
        ? null
        : {
            restored: asBefore.restored,
            checks: (await runChecks(job, asBefore.tree, changed, install)).map((run) =>
              withListedNames(run, shop.digest),
            ),
          },
    cleared: null,
    resolution: null,
    verdict: judgement.verdict.is,
    notes: [...judgement.notes, ...inventoryNotes(runs)],
    configHash: config.hash,
    platform: shop.platform,
    at: shop.now(),
  }
  return { evidence, id: evidenceId(shop, evidence), judgement }
}

/** The checks on a tree that work starts from: run once, whatever came out. */
export async function baselineOf(job: CheckJob, tree: TreeId): Promise<readonly CheckRun[]> {
  const known = knownBaseline(job, tree)
  if (known !== null) return known
  const runs = await runChecks(job, tree, [], installRule(job.shop.config.workspace.installScripts, []))
  if (runs.every(isConclusive)) remember(bases, job, tree, runs)
  return runs
}

/** Null: it would have to be run. */
export function knownBaseline(job: CheckJob, tree: TreeId): readonly CheckRun[] | null {
  return greenOn(job, tree) ?? recalled(bases, job, tree)
}

/** What a person has mended meanwhile comes out otherwise, on the same tree. */
export function forgetBaseline({ shop }: CheckJob, tree: TreeId): void {
  bases.get(shop.config)?.delete(tree)
}

/** A time-out or a program that was killed says nothing of the tree. */
function isConclusive({ how }: CheckRun): boolean {
  return how === 'exited' || how === 'notNeeded'
}

/** The checks as they would be run for evidence; what comes out proves nothing yet. */
export async function tryChecks(job: Examination, tree: TreeId, base: CommitId): Promise<CheckRun[]> {
  const { changed, install } = await examined(job, tree, base)
  return runChecks(job, tree, changed, install)
}

async function examined(job: Examination, tree: TreeId, base: CommitId) {
  const { workspaces } = job.shop
  const baseTree = await workspaces.treeOf(base)
  const patch = await workspaces.diff(baseTree, tree)
  const suspect = await suspectOf(job, baseTree, tree, patch)
  const changed = patch.files.filter(({ change }) => change !== 'deleted').map(({ path }) => path)
  return { baseTree, suspect, changed, install: await installRuleFor(job.shop, tree, suspect) }
}

/** Whoever has the evidence can tell by it whether a byte was changed. */
export function evidenceId({ digest }: Pick<Shop, 'digest'>, evidence: Evidence): EvidenceId {
  return `sha256:${digest(JSON.stringify(evidence))}` as EvidenceId
}

/** Of each config, by tree. */
type Results = WeakMap<Config, Map<TreeId, readonly CheckRun[]>>
const green: Results = new WeakMap()
/** What work starts from, red or green; what a task made is only kept where it is green. */
const bases: Results = new WeakMap()
/** As many loops as one process may have, and some. */
const GREEN_TREES_MAX = 16

/** Mostly known: the base is the tree that the last task was merged as. Even to ask for kept results takes a checkout. */
function greenOn(job: CheckJob, tree: TreeId): readonly CheckRun[] | null {
  return recalled(green, job, tree)
}

function recalled(results: Results, { shop }: CheckJob, tree: TreeId): readonly CheckRun[] | null {
  const runs = results.get(shop.config)?.get(tree)
  return runs?.map((run) => ({ ...run, cached: true })) ?? null
}

function rememberGreen(job: CheckJob, tree: TreeId, runs: readonly CheckRun[]): void {
  if (runs.every(isGreen)) remember(green, job, tree, runs)
}

function remember(results: Results, { shop }: CheckJob, tree: TreeId, runs: readonly CheckRun[]): void {
  const trees = results.get(shop.config) ?? new Map<TreeId, readonly CheckRun[]>()
  results.set(shop.config, trees.set(tree, runs))
  for (const oldest of trees.keys()) {
    if (trees.size <= GREEN_TREES_MAX) return
    trees.delete(oldest)
  }
}

function wantedChecks({ checks, validators }: Pick<Config, 'checks' | 'validators'>): Check[] {
  return [
    ...checks.map((check) => ({ ...check, kind: 'check' as const })),
    ...validators.map((check) => ({ ...check, kind: 'validator' as const })),
  ]
}

async function runChecks(
  { shop, signal }: CheckJob,
  tree: TreeId,
  changed: readonly string[],
  { scripts }: InstallRule,
): Promise<CheckRun[]> {
  const { checks, config, workspaces } = shop
  const wanted = wantedChecks(config)
  if (wanted.length === 0) return []
  const checkout = await workspaces.checkout(tree)
  try {
    const command = await setupFor(shop, tree)
    const setup = command === null ? null : { command, installScripts: scripts }
    const prepared = await checks.prepare(checkout, setup, signal)
    if (!prepared.ok) return [prepared.run]
    const runs: CheckRun[] = []
    for (const check of wanted) runs.push(await checks.run(checkout, check, changed, signal))
    return runs
  } finally {
    await checks.release(checkout)
    checkout.free()
  }
}
