// Honest work edits tests all the time: a helper, one more case, a longer name. What the base's own tests and settings
// say about the new code decides whether anybody has to look at such an edit.
//
//   green, and every test of the base ran   an edit hides nothing: no second look
//   red                                     the edit may hide what it breaks: a second look
//   the same tests under other names        no second look, whatever they say: they cannot find the renamed code
import { type CheckRun, isGreen, testsRun } from '../evidence/evidence.ts'
import { type Finding, type FindingRule } from '../fact/finding.ts'
import { FINDINGS_MAX } from '../findings/patch-findings.ts'
import { inventoryFindings } from '../evidence/inventory.ts'
import type { JudgeRole } from './judge-files.ts'

export interface BaseTestsRun {
  readonly baseline: readonly CheckRun[]
  /** Second runs on the base, where names may differ from run to run. */
  readonly again: readonly CheckRun[]
  /** The checks on the new code with the base's own tests and settings. */
  readonly checks: readonly CheckRun[]
}

export interface EditedTestsReport {
  /** The findings that still need a second look. */
  readonly findings: readonly Finding[]
  readonly notes: readonly string[]
}

export interface EditedTestsInput {
  readonly found: readonly Finding[]
  /** Null: the patch touches nothing that judges. */
  readonly run: BaseTestsRun | null
  /** Test files that have the same tests as before, but for the names of what they test. */
  readonly sameTests: ReadonlySet<string>
  /** Whether a test fails without this change: then a changed snapshot is what the change makes. */
  readonly hasWitness: boolean
}

export function withoutEditedTests({ found, run, sameTests, hasWitness }: EditedTestsInput): EditedTestsReport {
  const isGreenThen = run !== null && found.length < FINDINGS_MAX && isGreenAsOnBase(run)
  const isSettled = (finding: Finding): boolean => {
    if (sameTests.has(finding.path) && ofEdits.has(finding.rule)) return true
    if (finding.rule === 'snapshotEdited' && hasWitness) return true
    return isGreenThen && ofEdits.has(finding.rule)
  }
  const settled = [...new Set(found.filter(isSettled).map(({ path }) => path))]
  return {
    findings: found.filter((finding) => !isSettled(finding)),
    notes: settled.map((path) => `${path} was edited; ${reasonFor(path, sameTests, isGreenThen)}`),
  }
}

function reasonFor(path: string, sameTests: ReadonlySet<string>, isGreenThen: boolean): string {
  if (isGreenThen) return "the base's own tests are green on the new code"
  return sameTests.has(path) ? 'it has the same tests as before' : 'a test fails without this change'
}

/** Edits of what judges, which the base's own judge can clear. Tests that are gone or switched off are another matter. */
const ofEdits: ReadonlySet<FindingRule> = new Set<FindingRule>([
  'testEdited',
  'assertionRemoved',
  'assertionWeakened',
  'toleranceLoosened',
  'snapshotEdited',
])

/** Green, and every test of the base is among those that ran. */
function isGreenAsOnBase({ baseline, again, checks }: BaseTestsRun): boolean {
  return (
    testsRun(checks) > 0 &&
    checks.every(isGreen) &&
    baseline.every(({ checkHash }) => checks.some((run) => run.checkHash === checkHash)) &&
    inventoryFindings(baseline, checks, again).length === 0
  )
}

const said: Readonly<Record<Exclude<JudgeRole, 'settings'>, string>> = {
  test: 'a test file, or data beside tests, that existed before was edited',
  script: 'a file that the checks run was changed',
  data: 'data that tests compare with was changed',
  helper: 'a helper that only tests use was changed',
}

/** Findings for changed judges that no other rule names. */
export function judgeFindings(judges: ReadonlyMap<string, JudgeRole>, found: readonly Finding[]): Finding[] {
  const named = new Set(found.map(({ path }) => path))
  return [...judges].flatMap(([path, role]): Finding[] => {
    if (role === 'settings' || named.has(path)) return []
    return [{ rule: role === 'script' ? 'script' : 'testEdited', path, line: null, what: said[role] }]
  })
}
