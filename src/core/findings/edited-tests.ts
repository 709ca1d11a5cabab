// Honest work edits tests all the time: a helper, one more case, a longer name. Where the tests of the base are green
// on the new code, as many as before, and nothing else that judges the code was touched, an edited test file needs no
// second look.
import { type CheckRun, isGreen, testsRun } from '../evidence/evidence.ts'
import { type Finding, type FindingRule, TEST_EDITED, touchesWhatJudges } from '../fact/finding.ts'
import { FINDINGS_MAX } from './patch-findings.ts'
import { inventoryFindings } from '../evidence/inventory.ts'

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

export function withoutEditedTests(found: readonly Finding[], run: BaseTestsRun | null): EditedTestsReport {
  const isCut = found.length >= FINDINGS_MAX
  if (run === null || isCut || !isGreenAsOnBase(run) || found.some(isWeaker)) return { findings: found, notes: [] }
  const edited = found.filter(isEdited)
  return {
    findings: found.filter((finding) => !isEdited(finding)),
    notes: edited.map(({ path }) => `${path} was edited; the base's own tests are green on the new code`),
  }
}

function isEdited({ rule, what }: Finding): boolean {
  return rule === 'testEdited' && what === TEST_EDITED
}

/** Green, and every test of the base is among those that ran. */
function isGreenAsOnBase({ baseline, again, checks }: BaseTestsRun): boolean {
  return (
    testsRun(checks) > 0 &&
    checks.every(isGreen) &&
    baseline.every(({ checkHash }) => checks.some((run) => run.checkHash === checkHash)) &&
    inventoryFindings(baseline, checks, again).length === 0
  )
}

/**
 * Beside the findings about what judges the code: where tests cannot be identified or read, nobody can say what changed
 * in them.
 */
const alsoWeaker: ReadonlySet<FindingRule> = new Set<FindingRule>(['assertionEmpty', 'inventoryUnknown', 'unreadable'])

function isWeaker(finding: Finding): boolean {
  return !isEdited(finding) && (touchesWhatJudges(finding) || alsoWeaker.has(finding.rule))
}
