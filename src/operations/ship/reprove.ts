// Makes the probes of a commit again in a clean clone, from the evidence alone, and compares what they see.
import { type CheckRun, type Evidence, isGreen, type RecipeCheck } from '../../core/evidence/evidence.ts'
import { PROBES, type ProbeReport } from '../../core/evidence/probe-report.ts'
import { ownTime } from '../../core/probes/budget.ts'
import { compareProbes, type ProbeComparison } from '../../core/probes/report/compare-probes.ts'
import { DEFAULT_EVIDENCE, type EvidenceSettings } from '../../core/probes/settings.ts'
import { newTask, type Task } from '../../core/task/task.ts'
import { taskId } from '../../core/values/id.ts'
import { newEngineMemory } from '../../engine/memory.ts'
import { changedFiles } from '../../engine/verify/changed-files.ts'
import type { ProbeContext } from '../../engine/verify/probe-runs.ts'
import { makeProbes } from '../../engine/verify/probes.ts'
import { type CleanClone, runRecipe } from './clean-clone.ts'

export interface Reproof {
  readonly probes: ProbeReport
  readonly comparison: ProbeComparison
}

export interface ReproofOptions {
  readonly signal: AbortSignal
  readonly note: (sentence: string) => void
}

/** `runs`: the checks on the tree, all green. */
export async function reprove(
  cleanClone: CleanClone,
  evidence: Evidence & { readonly probes: ProbeReport },
  runs: readonly CheckRun[],
  { signal, note }: ReproofOptions,
): Promise<Reproof> {
  const { workspaces } = cleanClone
  const { recipe, tree, base, probes: recorded } = evidence
  await cleanClone.bring([base])
  const baseTree = await workspaces.treeOf(base)
  const hasRuns = recorded.breaks.length > 0 || recorded.witnesses.count > 0
  if (hasRuns) note('Running the checks on what it stands on …')
  const baseline = hasRuns ? await runRecipe(cleanClone, { recipe, tree: baseTree, changed: [] }, signal) : []
  const files = await changedFiles(cleanClone, { base: baseTree, tree }, await workspaces.diff(baseTree, tree))
  if (hasRuns) note(`Making its probes again, which took ${seconds(recorded.spentMs)} …`)
  const install = { scripts: recipe.installScripts, note: null }
  const excluded = new Set(recorded.notes.flatMap((line) => WEAKENED.exec(line)?.[1] ?? []))
  const input = { tree, baseTree, files, runs, baseline, install, excluded }
  const task = { ...contextOf(cleanClone, evidence, { signal, note }), task: claiming(recorded) }
  const now = await makeProbes(task, input)
  signal.throwIfAborted()
  return { probes: now, comparison: compareProbes(recorded, now) }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

/** The evidence keeps such tests as a note. */
const WEAKENED = /^the test '(.*)' was red in an earlier attempt and was changed or removed since$/s

function contextOf(
  { workspaces, checks, syntax }: CleanClone,
  evidence: Evidence & { readonly probes: ProbeReport },
  { signal, note }: ReproofOptions,
): ProbeContext {
  const { recipe } = evidence
  const of = (kind: RecipeCheck['kind']) => recipe.checks.filter((check) => check.kind === kind)
  let runs = 0
  return {
    signal,
    engine: {
      workspaces,
      syntax,
      memory: newEngineMemory(),
      now: Date.now,
      checks: {
        ...checks,
        run: async (checkout, check, ...rest) => {
          const run = await checks.run(checkout, check, ...rest)
          runs += 1
          note(`  ${runs}. ${check.name}: ${isGreen(run) ? 'green' : 'red'} (${seconds(run.durationMs)})`)
          return run
        },
      },
      config: {
        checks: of('check'),
        validators: of('validator'),
        // The recipe's own setup, whatever the tree implies.
        workspace: { setup: recipe.setup, installScripts: 'always', copy: [] },
        origins: { 'workspace.setup': 'evidence' },
        evidence: settingsOf(evidence),
      },
    },
  }
}

/** As they were: probes that were left out stay out, and the others get twice their share of the time. */
function settingsOf({ probes, checks }: Evidence & { readonly probes: ProbeReport }): EvidenceSettings {
  const left = new Set(probes.skipped.map(({ probe }) => probe))
  const made = Object.fromEntries(PROBES.map((probe) => [probe, !left.has(probe)]))
  const took = probes.spentMs / Math.max(1, ownTime(checks))
  const share = Math.max(DEFAULT_EVIDENCE.share, 2 * took)
  return { ...DEFAULT_EVIDENCE, ...made, share, accept: probes.accepted }
}

/** A task that claims what was recorded, in words that claim nothing themselves. */
function claiming({ claim, areFilesThere }: ProbeReport): Task {
  const task = newTask(taskId('verify'), { title: 'Verify' }, [], 0)
  const made = areFilesThere === true ? ({ type: 'setup', filesExpected: ['.'] } as const) : {}
  return { ...task, ...made, fixedClaim: { claim, from: 'type' } }
}
