// Evidence for one tree: the checks on it and on its base, what in the patch needs a second look, and the probes.
import { type CheckRun, type Evidence, withListedNames } from '../../core/evidence/evidence.ts'
import { withInstallNote } from '../../core/findings/install-scripts.ts'
import { inventoryNotes } from '../../core/evidence/inventory.ts'
import type { CommitId, EvidenceId, TreeId } from '../../core/values/id.ts'
import { unmetFiles } from '../../core/task/expected-files.ts'
import { endingOf } from '../../core/evidence/run-ending.ts'
import { judge, type Judgement, type RewrittenFile } from '../../core/evidence/verification.ts'
import { baselineOf, type Examination, runBaseline, runChecks, wantedChecks } from './check-runs.ts'
import { installRuleFor, setupFor } from './install.ts'
import { suspectOf } from './base-judged-run.ts'
import { lookAtPatch } from './second-look.ts'
import { changedFiles } from './changed-files.ts'
import { flakyIn, withFlakyTests } from './flaky-tests.ts'
import { flakyText } from '../../core/probes/flaky.ts'
import { findWeakened } from './weakened-tests.ts'
import { makeProbes, type ProbeInput } from './probes.ts'
import { probeSealed } from './sealed-examples.ts'
import { ruleOfPath } from '../../core/findings/path-findings.ts'
import { isOfTests } from '../../core/probes/changed-file.ts'
import { patchKind } from '../../core/probes/patch-claim.ts'
import type { ProbeReport } from '../../core/evidence/probe-report.ts'
import { claimOf } from '../../core/task/claim.ts'
import type { EngineDeps } from '../deps.ts'

export interface Proof {
  readonly evidence: Evidence
  readonly id: EvidenceId
  readonly judgement: Judgement
}

/** Runs again at the merge if the branch has moved, since the tree differs then. */
export async function prove(
  taskRun: Examination,
  tree: TreeId,
  base: CommitId,
  probes: 'make' | 'none' | ProbeReport = 'make',
): Promise<Proof> {
  const { engine, task } = taskRun
  const { config } = engine
  const patch = await examine(taskRun, tree, base)
  const { changed, install } = patch
  const checked = await checkTree(taskRun, tree, patch)
  const { runs, baseline } = checked
  const judgement = withInstallNote(await judgeTree(taskRun, tree, patch, checked), install)
  const isGreenNow = judgement.verdict.is === 'green'
  const report = isGreenNow ? await probesOf(taskRun, { tree, ...patch, ...checked }, probes) : null
  const looked = await lookAtPatch(taskRun, { tree, ...patch, ...checked, report, isGreen: isGreenNow })
  const evidence: Evidence = {
    task: task.id,
    tree,
    base,
    recipe: { setup: await setupFor(engine, tree), installScripts: install.scripts, checks: wantedChecks(config) },
    changed,
    checks: runs.map((run) => withListedNames(run, engine.digest)),
    baseline: baseline.map((run) => withListedNames(run, engine.digest)),
    findings: looked.findings,
    secondOpinion: looked.secondOpinion,
    cleared: null,
    resolution: null,
    verdict: judgement.verdict.is,
    ...(report === null ? {} : { probes: report }),
    notes: [...judgement.notes, ...flakyIn(runs).map(flakyText), ...inventoryNotes(runs), ...looked.notes],
    configHash: config.hash,
    platform: engine.platform,
    at: engine.now(),
  }
  return { evidence, id: evidenceId(engine, evidence), judgement }
}

type ExaminedPatch = Awaited<ReturnType<typeof examine>>

interface CheckedTree {
  readonly runs: readonly CheckRun[]
  readonly baseline: readonly CheckRun[]
}

/** The checks on the tree and on its base; tests that are flaky on the base are excused. */
async function checkTree(taskRun: Examination, tree: TreeId, patch: ExaminedPatch): Promise<CheckedTree> {
  const { baseTree, changed, install, files } = patch
  const first = await runChecks(taskRun, tree, changed, install)
  const isCutShort = first.some((run) => endingOf(run) === 'infrastructure')
  const baseline = isCutShort ? await runBaseline(taskRun, baseTree, 'comparison') : await baselineOf(taskRun, baseTree)
  const runs = await withFlakyTests(taskRun, { tree, baseTree, runs: first, baseline, install, files })
  return { runs, baseline }
}

async function judgeTree(
  { engine, task }: Examination,
  tree: TreeId,
  { files, changed }: ExaminedPatch,
  { runs, baseline }: CheckedTree,
): Promise<Judgement> {
  const { workspaces, config } = engine
  const absent = await workspaces.missing(tree, task.filesExpected)
  return judge({
    runs,
    requireTests: config.verify.requireTests ? 'required' : 'not-required',
    // A type that an implementer gave to its own task lowers nothing.
    taskType: claimOf(task).claim === 'none' ? task.type : null,
    kind: patchKind(files),
    rewritten: config.evidence.untouched ? rewrittenFiles(runs, baseline) : [],
    filesExpected: task.filesExpected,
    filesMissing: unmetFiles(task.filesExpected, (path) => !absent.includes(path), changed),
    baseline,
  })
}

/** On the base the check rewrites them too: then it is its habit, and said with the baseline. */
function rewrittenFiles(runs: readonly CheckRun[], baseline: readonly CheckRun[]): RewrittenFile[] {
  return runs.flatMap(({ name, checkHash, wrote = [] }) => {
    const before = new Set(baseline.find((run) => run.checkHash === checkHash)?.wrote)
    return wrote
      .filter((path) => !before.has(path))
      .map((path) => ({ check: name, path, judges: isOfTests(path) || ruleOfPath(path) !== null }))
  })
}

/** A tree never changes, so its probes are made once. */
async function probesOf(
  taskRun: Examination,
  input: Omit<ProbeInput, 'excluded'>,
  probes: 'make' | 'none' | ProbeReport,
): Promise<ProbeReport | null> {
  if (probes !== 'make') return probes === 'none' ? null : probes
  const known = taskRun.engine.memory.probeReports
  const key = JSON.stringify([input.tree, input.baseTree, taskRun.task.id, claimOf(taskRun.task)])
  const report =
    known.get(key) ??
    (await makeProbes(taskRun, {
      ...input,
      excluded: await findWeakened(taskRun, input.tree, input.files),
      trySealed: (tried, mayMake) => probeSealed(taskRun, tried, mayMake),
    }))
  known.set(key, report)
  return report
}

/** Runs the checks as for evidence; the result proves nothing yet. */
export async function tryChecks(taskRun: Examination, tree: TreeId, base: CommitId): Promise<CheckRun[]> {
  const { changed, install } = await examine(taskRun, tree, base)
  return runChecks(taskRun, tree, changed, install, 'trial')
}

async function examine(taskRun: Examination, tree: TreeId, base: CommitId) {
  const { workspaces } = taskRun.engine
  const baseTree = await workspaces.treeOf(base)
  const patch = await workspaces.diff(baseTree, tree)
  const suspect = await suspectOf(taskRun, baseTree, tree, patch)
  const changed = patch.files.filter(({ change }) => change !== 'deleted').map(({ path }) => path)
  const files = await changedFiles(taskRun.engine, { base: baseTree, tree }, patch)
  return { baseTree, suspect, changed, files, install: await installRuleFor(taskRun.engine, tree, suspect) }
}

/** The id shows whether anybody changed a byte of the evidence. */
export function evidenceId({ digest }: Pick<EngineDeps, 'digest'>, evidence: Evidence): EvidenceId {
  return `sha256:${digest(JSON.stringify(evidence))}` as EvidenceId
}
