// jest: a `PASS` or `FAIL` line per file, then `Test Suites: …` and `Tests: …`.
import { type RunnerReader, numbered, startTally } from './test-count-tally.ts'

type Counts = Readonly<Record<string, number>>

export function startJest(): RunnerReader {
  const tally = startTally()
  let suites: Counts | null = null
  return {
    line: (text) => {
      const before = suites
      suites = null
      if (/^(?:PASS|FAIL) \S/.test(text)) return tally.sign(1)
      if (/^No tests found, exiting with code \d/.test(text)) return tally.summary({ run: 0, failed: 0, skipped: 0 }, 0)
      const [, label, value] = /^(Test Suites|Tests): +(\S.*)$/.exec(text) ?? []
      if (label === 'Test Suites' && value !== undefined) suites = counts(value)
      const tests = label === 'Tests' && value !== undefined ? counts(value) : null
      if (before === null || tests === null) return undefined
      const { passed = 0, failed = 0, total = 0 } = tests
      const files = { failed: before['failed'] ?? 0, passed: before['passed'] ?? 0 }
      // A suite that failed without a failed test could not be loaded.
      return tally.summary(
        { run: passed + failed, failed: Math.max(failed, files.failed), skipped: Math.max(0, total - passed - failed) },
        files.passed + files.failed,
      )
    },
    counted: tally.counted,
  }
}

/** `1 failed, 2 passed, 3 total`, or `1 skipped, 0 of 1 total` */
function counts(value: string): Counts | null {
  return numbered(value.replace(/\b\d+ of (?=\d+ total$)/, ''), ',')
}
