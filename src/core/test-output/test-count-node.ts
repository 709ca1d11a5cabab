// node:test, spec reporter: seven numbers in a row, `ℹ tests 6` and so on, after a line per test and suite. Its other
// common reporter prints TAP, which test-count-tap.ts reads.
import { type RunnerReader, startTally } from './test-count-tally.ts'

const fields = ['tests', 'suites', 'pass', 'fail', 'cancelled', 'skipped', 'todo'] as const

const ofSummary = /^ℹ ([a-z]+) (\d{1,9})$/
const ofTest = /^ *[✔✖﹣⚠] .*\(\d[\d.]*ms\)/
const ofTopTest = /^✔ (.+) \(\d[\d.]*ms\)$/

export function startNode(): RunnerReader {
  const tally = startTally()
  let numbers: number[] = []
  let suites = new Set<string>()
  let files = 0

  const finish = (): void => {
    const [tests = 0, groups = 0, pass = 0, fail = 0, cancelled = 0, skipped = 0, todo = 0] = numbers
    const run = Math.max(0, pass + fail + cancelled - files)
    const isConsistent = tests === pass + fail + cancelled + skipped + todo
    const needs = isConsistent ? tests + groups : Number.POSITIVE_INFINITY
    tally.summary({ run, failed: fail + cancelled, skipped: skipped + todo }, needs)
    numbers = []
    suites = new Set()
    files = 0
  }
  return {
    line: (text) => {
      const [, field, number] = ofSummary.exec(text) ?? []
      if (field !== undefined && field === fields[numbers.length]) {
        numbers.push(Number(number))
        if (numbers.length === fields.length) finish()
        return
      }
      numbers = field === 'tests' ? [Number(number)] : []
      if (text.startsWith('▶ ')) suites.add(text.slice(2))
      if (!ofTest.test(text)) return
      tally.sign(1)
      const name = ofTopTest.exec(text)?.[1]
      if (name !== undefined && !suites.has(name) && isTestFile(name)) files += 1
    },
    counted: tally.counted,
  }
}

/** A file that registers no test, or leaves before it could, is reported as one passed test named after the file. */
export function isTestFile(name: string): boolean {
  return /(?:^|[/\\])(?:test|test-[^/\\]+|[^/\\]+[._-]test)\.[cm]?[jt]sx?$|[/\\][^/\\]+\.[cm]?[jt]sx?$/.test(name)
}
