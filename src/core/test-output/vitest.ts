// vitest: opens with ` RUN  v…`, ends with `Test Files`, `Tests`, perhaps `Errors`, and `Start at`. Its verbose reporter
// names each test: ` ✓ src/a.test.ts > group > one 3ms`.
import type { NameSink, RunnerReader } from './runner-reader.ts'
import { type Tally, parseCounts, startTally } from './tally.ts'
import type { NamedOutcome } from './test-names.ts'

interface Ending {
  readonly brokenFiles: number
  readonly tests: Readonly<Record<string, number>> | null
  readonly errors: number
}

const marks: Readonly<Record<string, NamedOutcome>> = { '✓': 'passed', '×': 'failed', '↓': 'skipped', '□': 'skipped' }

export function startVitest(names: NameSink): RunnerReader {
  const tally = startTally()
  return { count: startCounting(tally), name: startNaming(names), finish: tally.counted }
}

function startCounting(tally: Tally): RunnerReader['count'] {
  let ending: Ending | null = null
  return (text) => {
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
      conclude(tally, ending)
      ending = null
    } else ending = { ...ending, errors: ending.errors + (counts(value)?.['error'] ?? counts(value)?.['errors'] ?? 0) }
    return undefined
  }
}

function conclude(tally: Tally, { tests, brokenFiles, errors }: Ending): void {
  if (tests === null) return
  const { passed = 0, failed = 0, ...rest } = tests
  const skipped = Object.values(rest).reduce((sum, count) => sum + count, 0)
  // A file that failed without a failed test could not be loaded.
  tally.summary({ run: passed + failed, failed: Math.max(failed, brokenFiles) + errors, skipped }, 1)
}

function startNaming(names: NameSink): RunnerReader['name'] {
  let isPrinted = false
  return (text) => {
    // The output of a test follows such a line, up to an empty one.
    if (/^std(?:out|err) \| /.test(text)) isPrinted = true
    if (text === '') isPrinted = false
    if (isPrinted) return
    const [, mark = '', name] = /^ ([✓×↓□]) (.+? > .+?)(?: \d+ms)?(?: \[[^\]]*\])?$/.exec(text) ?? []
    const outcome = marks[mark]
    if (outcome !== undefined && name !== undefined) names.test(outcome, name)
  }
}

/** `1 failed | 8 passed | 2 skipped (11)` */
function counts(value: string): Readonly<Record<string, number>> | null {
  return parseCounts(value.replace(/ \(\d+\)$/, ''), '|')
}
