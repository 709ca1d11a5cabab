// Evidence for one tree: the checks on it, on its base and, where nothing else shows that they can fail, on a sabotaged
// copy.
import { withoutEditedTests } from '../../core/findings/edited-tests.ts'
import { type CheckRun, type Evidence, withListedNames } from '../../core/evidence/evidence.ts'
import { findings } from '../../core/findings/patch-findings.ts'
import { withInstallNote } from '../../core/findings/install-scripts.ts'
import { checksToRunAgain, inventoryFindings, inventoryNotes, unsteadyNotes } from '../../core/evidence/inventory.ts'
import type { CommitId, EvidenceId, TreeId } from '../../core/values/id.ts'
import { unmetFiles } from '../../core/task/expected-files.ts'
import { endingOf } from '../../core/evidence/run-ending.ts'
import { sabotage } from '../../core/findings/sabotage.ts'
import { judge, type Judgement, needsSabotage } from '../../core/evidence/verification.ts'
import { baselineOf, type Examination, runBaseline, runChecks, wantedChecks, runBaseAgain } from './check-runs.ts'
import { installRuleFor, setupFor } from './install.ts'
import { asBaseJudges, suspectOf } from './base-judged-run.ts'
import type { EngineDeps } from '../deps.ts'

export interface Proof {
  readonly evidence: Evidence
  readonly id: EvidenceId
  readonly judgement: Judgement
}

/** Runs again at the merge if the branch has moved, since the tree differs then. */
export async function prove(taskRun: Examination, tree: TreeId, base: CommitId): Promise<Proof> {
  const { engine, task } = taskRun
  const { workspaces, config } = engine
  const { baseTree, suspect, changed, install } = await examine(taskRun, tree, base)
  const runs = await runChecks(taskRun, tree, changed, install)
  const isCutShort = runs.some((run) => endingOf(run) === 'infrastructure')
  const baseline = isCutShort ? await runBaseline(taskRun, baseTree, 'comparison') : await baselineOf(taskRun, baseTree)
  const requireTests = config.verify.requireTests ? 'required' : 'not-required'
  const broken = needsSabotage({ runs, baseline, requireTests }) ? sabotage(changed) : null
  const absent = await workspaces.missing(tree, task.filesExpected)
  const judged = judge({
    runs,
    requireTests,
    taskType: task.type,
    filesExpected: task.filesExpected,
    filesMissing: unmetFiles(task.filesExpected, (path) => !absent.includes(path), changed),
    baseline,
    // A patch that changes only documents has nothing to break.
    sabotage:
      broken === null || broken.size === 0
        ? null
        : await runChecks(taskRun, await workspaces.alter(tree, broken), changed, install, 'sabotage'),
  })
  const judgement = withInstallNote(judged, install)
  const isGreenNow = judgement.verdict.is === 'green'
  const again = isGreenNow ? await runBaseAgain(taskRun, baseTree, checksToRunAgain(baseline, runs)) : []
  const gone = isGreenNow ? inventoryFindings(baseline, runs, again) : []
  const found = [...gone, ...findings(suspect, config, baseline)]
  const asBefore = isGreenNow ? await asBaseJudges(workspaces, { base: baseTree, tree }, suspect, found) : null
  const checksAsBefore = asBefore === null ? [] : await runChecks(taskRun, asBefore.tree, changed, install)
  const looked = withoutEditedTests(found, asBefore && { baseline, again, checks: checksAsBefore })
  const evidence: Evidence = {
    task: task.id,
    tree,
    base,
    recipe: { setup: await setupFor(engine, tree), installScripts: install.scripts, checks: wantedChecks(config) },
    changed,
    checks: runs.map((run) => withListedNames(run, engine.digest)),
    baseline: baseline.map((run) => withListedNames(run, engine.digest)),
    findings: looked.findings,
    secondOpinion: asBefore && {
      restored: asBefore.restored,
      checks: checksAsBefore.map((run) => withListedNames(run, engine.digest)),
    },
    cleared: null,
    resolution: null,
    verdict: judgement.verdict.is,
    notes: [...judgement.notes, ...inventoryNotes(runs), ...unsteadyNotes(baseline, again), ...looked.notes],
    configHash: config.hash,
    platform: engine.platform,
    at: engine.now(),
  }
  return { evidence, id: evidenceId(engine, evidence), judgement }
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
  return { baseTree, suspect, changed, install: await installRuleFor(taskRun.engine, tree, suspect) }
}

/** The id shows whether anybody changed a byte of the evidence. */
export function evidenceId({ digest }: Pick<EngineDeps, 'digest'>, evidence: Evidence): EvidenceId {
  return `sha256:${digest(JSON.stringify(evidence))}` as EvidenceId
}
