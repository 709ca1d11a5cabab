// jest: a `PASS` or `FAIL` line for each file, below it with --verbose a tree of its tests, then `Test Suites: …` and
// `Tests: …`.
import { startTree, treeLine } from './name-tree.ts'
import type { NameSink, RunnerReader } from './runner-reader.ts'
import { type Tally, parseCounts, startTally } from './tally.ts'

type Counts = Readonly<Record<string, number>>

const ofFile = /^(?:PASS|FAIL) (?:.* )?(\S+\.\w+)(?: \([\d.]+ m?s\))?$/
/** The lines after it repeat the tests, or list none. */
const ofEnding = /^(?:Summary of all failing tests|Test Suites: )/
const marks = { '✓': 'passed', '✕': 'failed', '○': 'skipped', '✎': 'skipped' } as const

export function startJest(names: NameSink): RunnerReader {
  const tally = startTally()
  return { count: startCounting(tally), name: startNaming(names), finish: tally.counted }
}

function startCounting(tally: Tally): RunnerReader['count'] {
  let suites: Counts | null = null
  return (text) => {
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
  }
}

function startNaming(names: NameSink): RunnerReader['name'] {
  const tree = startTree(names)
  let isInFile = false
  return (line) => {
    const file = ofFile.exec(line)?.[1]
    if (ofEnding.test(line)) isInFile = false
    else if (file !== undefined) {
      isInFile = true
      tree.reset(file)
    } else if (line === '') isInFile = false
    else if (isInFile) {
      const { depth, text, marked } = treeLine(line, marks)
      if (marked !== null) tree.test(marked.outcome, depth, marked.title)
      else if (text !== '' && !/^\d+\) /.test(text)) tree.open(depth, text)
    }
    // Outside of a file's block, jest prints the output of the tests.
  }
}

/** `1 failed, 2 passed, 3 total`, or `1 skipped, 0 of 1 total` */
function counts(value: string): Counts | null {
  return parseCounts(value.replace(/\b\d+ of (?=\d+ total$)/, ''), ',')
}
