// A finding: something in a patch that needs a second look. It is no verdict; honest work touches tests and settings
// too. A reviewer or a person clears it with a reason; silence never does.

export interface Finding {
  readonly rule: FindingRule
  readonly path: string
  /** In the new file; null: the whole file. */
  readonly line: number | null
  /** For people: the observation, and why it matters. */
  readonly what: string
}

export const FINDING_RULES = [
  // Tests
  'testRemoved',
  'testEdited',
  'testSwitchedOff',
  'assertionRemoved',
  'assertionWeakened',
  'assertionEmpty',
  'toleranceLoosened',
  'snapshotEdited',
  'testGone',
  'testSkipped',
  'inventoryUnknown',
  // What runs the tests
  'runnerConfig',
  'runnerPatched',
  'script',
  'lockfile',
  'dependency',
  'packageTool',
  'exitCall',
  'pretence',
  'checkerSilenced',
  'underTest',
  'stub',
  'visibleValues',
  // What others rely on
  'ci',
  'gitSettings',
  'agentSettings',
  'specEdited',
  'protected',
  'secret',
  'manyFiles',
  'unreadable',
  'nothingChanged',
] as const

export type FindingRule = (typeof FINDING_RULES)[number]

/**
 * Findings about what judges the code: for them the engine also runs the base's own tests and settings against the new
 * code.
 */
const judging: ReadonlySet<FindingRule> = new Set<FindingRule>([
  'testRemoved',
  'testEdited',
  'testSwitchedOff',
  'assertionRemoved',
  'assertionWeakened',
  'toleranceLoosened',
  'snapshotEdited',
  'testGone',
  'testSkipped',
  'runnerConfig',
  'runnerPatched',
  'script',
  'packageTool',
])

export function touchesWhatJudges({ rule }: Finding): boolean {
  return judging.has(rule)
}

/** For a file that was not moved. */
export const TEST_EDITED = 'a test file that existed before was edited'

/** `src/a.test.ts:12: a test was switched off (it.skip)`; a finding about the whole patch names no file. */
export function findingText({ path, line, what }: Finding): string {
  if (path === '.') return what
  return `${line === null ? path : `${path}:${line}`}: ${what}`
}
