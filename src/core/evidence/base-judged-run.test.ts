import { describe, expect, it } from 'vitest'
import { baseTestsText, redWithBaseTests } from './base-judged-run.ts'
import type { CheckRun } from './evidence.ts'

const unit: CheckRun = {
  name: 'unit',
  kind: 'check',
  checkHash: 'sha256:1',
  argv: [],
  exit: 0,
  how: 'exited',
  durationMs: 1,
  tests: { source: 'vitest', run: 9, failed: 0, skipped: 0 },
  names: { passed: ['z'], failed: [], skipped: [] },
  outputDigest: '',
  outputTail: '',
  report: null,
  cached: false,
}

function failing(failed: readonly string[]): CheckRun {
  const tests = { source: 'vitest', run: 9, failed: failed.length, skipped: 0 }
  return { ...unit, exit: 1, tests, names: { passed: [], failed, skipped: [] } }
}

describe('the run with the base’s own tests', () => {
  it.each<[string, readonly CheckRun[], string | null]>([
    ['green', [unit], null],
    ['red by name', [failing(['a', 'b'])], "with the base's own tests: unit red (2 failed: 'a', 'b')"],
    [
      'red with many',
      [failing(['a', 'b', 'c', 'd', 'e', 'f'])],
      "with the base's own tests: unit red (6 failed: 'a', 'b', 'c', 'd', 'e', …)",
    ],
    ['red without names', [{ ...failing(['a', 'b']), names: null }], "with the base's own tests: unit red (2 failed)"],
    [
      'red without a count, and one that is green',
      [
        { ...unit, exit: 1, tests: null, names: null },
        { ...unit, name: 'lint' },
      ],
      "with the base's own tests: unit red",
    ],
  ])('%s', (_, checks, expected) => {
    expect(baseTestsText(redWithBaseTests({ restored: ['a.test.js'], checks }))).toBe(expected)
  })

  it('has nothing to say where there was none', () => {
    expect(redWithBaseTests(null)).toEqual([])
  })
})
