// vitest: opens with ` RUN  v…`, ends with `Test Files`, `Tests`, perhaps `Errors`, and `Start at`.
import { type RunnerReader, numbered, startTally } from './test-count-tally.ts'

interface Ending {
  readonly brokenFiles: number
  readonly tests: Readonly<Record<string, number>> | null
  readonly errors: number
}

export function startVitest(): RunnerReader {
  const tally = startTally()
  let ending: Ending | null = null
  return {
    line: (text) => {
      if (/^ RUN {2}v\d/.test(text)) return tally.sign(1)
      if (/^No test files found, exiting with code \d/.test(text)) {
        return tally.summary({ run: 0, failed: 0, skipped: 0 }, 1)
      }
      const [, label, value] = /^ *(Test Files|Tests|Errors|Type Errors|Start at) {2}(\S.*)$/.exec(text) ?? []
      if (label === undefined || value === undefined) return undefined
      if (label === 'Test Files') ending = { brokenFiles: counts(value)?.['failed'] ?? 0, tests: null, errors: 0 }
      else if (ending === null) return undefined
      else if (label === 'Tests') ending = { ...ending, tests: value === 'no tests' ? {} : counts(value) }
      else if (label === 'Start at') {
        finish(tally, ending)
        ending = null
      } else
        ending = { ...ending, errors: ending.errors + (counts(value)?.['error'] ?? counts(value)?.['errors'] ?? 0) }
      return undefined
    },
    counted: tally.counted,
  }
}

function finish(tally: ReturnType<typeof startTally>, { tests, brokenFiles, errors }: Ending): void {
  if (tests === null) return
  const { passed = 0, failed = 0, ...rest } = tests
  const skipped = Object.values(rest).reduce((sum, count) => sum + count, 0)
  // A file that failed without a failed test could not be loaded.
  tally.summary({ run: passed + failed, failed: Math.max(failed, brokenFiles) + errors, skipped }, 1)
}

/** `1 failed | 8 passed | 2 skipped (11)` */
function counts(value: string): Readonly<Record<string, number>> | null {
  return numbered(value.replace(/ \(\d+\)$/, ''), '|')
}
