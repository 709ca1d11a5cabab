// What in a green patch needs a second look: findings, and what the base's own tests and settings say about them.
import { type BaseJudgedRun, type CheckRun, type Evidence, withListedNames } from '../../core/evidence/evidence.ts'
import { checksToRunAgain, inventoryFindings, unsteadyNotes } from '../../core/evidence/inventory.ts'
import type { ProbeReport } from '../../core/evidence/probe-report.ts'
import type { Finding } from '../../core/fact/finding.ts'
import type { InstallRule } from '../../core/findings/install-scripts.ts'
import { findings, type Suspect } from '../../core/findings/patch-findings.ts'
import { withoutAsked } from '../../core/findings/requested-edits.ts'
import type { ChangedFile } from '../../core/probes/changed-file.ts'
import { codeFindings } from '../../core/probes/code-findings.ts'
import { judgeFindings, withoutEditedTests } from '../../core/probes/edited-tests.ts'
import { sameTestFiles } from '../../core/probes/same-tests.ts'
import { newTestNames } from '../../core/probes/witness.ts'
import { testChanges } from '../../core/probes/test-changes.ts'
import { type RunnerFinding, runnerFindings } from '../../core/test-output/runner-identity.ts'
import type { TreeId } from '../../core/values/id.ts'
import { asBaseJudges, changedJudges } from './base-judged-run.ts'
import { type Examination, runBaseAgain, runChecks } from './check-runs.ts'

export interface LookedPatch {
  readonly tree: TreeId
  readonly baseTree: TreeId
  readonly suspect: Suspect
  readonly files: readonly ChangedFile[]
  readonly changed: readonly string[]
  readonly install: InstallRule
  readonly runs: readonly CheckRun[]
  readonly baseline: readonly CheckRun[]
  /** Null: the probes were not made. */
  readonly report: ProbeReport | null
  readonly isGreen: boolean
}

/** A patch that is not green is only looked at; nothing runs for it. */
export async function lookAtPatch(
  taskRun: Examination,
  patch: LookedPatch,
): Promise<Pick<Evidence, 'findings' | 'secondOpinion' | 'notes'>> {
  const { engine } = taskRun
  const { baseTree, baseline, runs, suspect, files } = patch
  const byRule = [...findings(suspect, engine.config, baseline), ...syntaxFindings(taskRun, patch)]
  if (!patch.isGreen) return { findings: byRule, secondOpinion: null, notes: [] }
  const again = await runBaseAgain(taskRun, baseTree, checksToRunAgain(baseline, runs))
  const named = [...inventoryFindings(baseline, runs, again, testChanges(files).moved), ...byRule]
  const judges = await changedJudges(engine, baseTree, suspect.files)
  const found = [...named, ...judgeFindings(judges, named)]
  const secondOpinion = await judgedByBase(taskRun, patch, found, judges)
  const looked = withoutEditedTests({
    found: withoutAsked(found, taskRun.task),
    run: secondOpinion && { baseline, again, checks: secondOpinion.checks },
    sameTests: sameTestFiles(files),
    hasWitness: hasNewWitness(patch),
  })
  return {
    findings: looked.findings,
    secondOpinion: secondOpinion && {
      ...secondOpinion,
      checks: secondOpinion.checks.map((run) => withListedNames(run, engine.digest)),
    },
    notes: [...unsteadyNotes(baseline, again), ...looked.notes],
  }
}

/** A new test, and not one that was red before: the snapshot may hide what else the change does. */
function hasNewWitness({ report, runs, baseline }: LookedPatch): boolean {
  const added = new Set(newTestNames(runs, baseline))
  return report?.witnesses.tests.some((name) => added.has(name)) === true
}

function syntaxFindings({ engine }: Examination, { files, baseline, runs }: LookedPatch): Finding[] {
  return [
    ...(engine.config.evidence.plain ? codeFindings(files) : []),
    ...runnerFindings(baseline, runs).map(runnerFinding),
  ]
}

function runnerFinding({ check, what }: RunnerFinding): Finding {
  return { rule: 'runnerConfig', path: '.', line: null, what: `${check}: ${what}` }
}

/** The checks on the new code with everything that judges as the base had it. */
async function judgedByBase(
  taskRun: Examination,
  { tree, baseTree, suspect, changed, install }: LookedPatch,
  found: readonly Finding[],
  judges: Awaited<ReturnType<typeof changedJudges>>,
): Promise<BaseJudgedRun | null> {
  const { config, workspaces } = taskRun.engine
  if (!config.evidence.baseJudge) return null
  const asBefore = await asBaseJudges(workspaces, { base: baseTree, tree }, suspect, found, judges)
  if (asBefore === null) return null
  const checks = await runChecks(taskRun, asBefore.tree, changed, install)
  return { restored: asBefore.restored, checks }
}
