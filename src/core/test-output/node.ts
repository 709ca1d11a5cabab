// node:test, spec reporter: seven numbers in a row, `ℹ tests 6` and so on, after a line for each test and suite. Its other
// common reporter prints TAP, which tap.ts reads.
import { startTree, treeLine } from './name-tree.ts'
import type { NameSink, RunnerReader } from './runner-reader.ts'
import { startTally } from './tally.ts'

const fields = ['tests', 'suites', 'pass', 'fail', 'cancelled', 'skipped', 'todo'] as const

const ofSummary = /^ℹ ([a-z]+) (\d{1,9})$/
const ofTest = /^ *[✔✖﹣⚠] .*\(\d[\d.]*ms\)/
const ofTopTest = /^[✔✖] (.+) \(\d[\d.]*ms\)$/
/** The lines after it repeat the tests, or list none. */
const ofEnding = /^(?:✖ failing tests:|ℹ tests \d+)$/
const marks = { '✔': 'passed', '✖': 'failed', '﹣': 'skipped', '⚠': 'skipped' } as const

export function startNode(names: NameSink): RunnerReader {
  return { ...startCounting(), name: startNaming(names) }
}

function startCounting(): Pick<RunnerReader, 'count' | 'finish'> {
  const tally = startTally()
  let numbers: number[] = []
  let suites = new Set<string>()
  /** Files that are reported like a test: without a test in them, or not loaded. */
  let files = 0
  let isBelowPlace = false

  const conclude = (): void => {
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
    count: (text) => {
      const [, field, number] = ofSummary.exec(text) ?? []
      if (field !== undefined && field === fields[numbers.length]) {
        numbers.push(Number(number))
        if (numbers.length === fields.length) conclude()
        return
      }
      numbers = field === 'tests' ? [Number(number)] : []
      const isRepeated = isBelowPlace
      isBelowPlace = text.startsWith('test at ')
      if (text.startsWith('▶ ')) suites.add(text.slice(2))
      if (!ofTest.test(text)) return
      tally.sign(1)
      const name = ofTopTest.exec(text)?.[1]
      if (name !== undefined && !isRepeated && !suites.has(name) && isTestFile(name)) files += 1
    },
    finish: tally.counted,
  }
}

function startNaming(names: NameSink): RunnerReader['name'] {
  const tree = startTree(names)
  let isBelowPlace = false
  return (line) => {
    // At the end, node:test prints each failed test again, below the place where it is.
    const isRepeated = isBelowPlace
    isBelowPlace = line.startsWith('test at ')
    if (isRepeated) return
    if (ofEnding.test(line)) return tree.reset()
    const { depth, text, marked } = treeLine(line, marks)
    if (marked !== null) {
      // A file that did not load, or holds no test.
      if (depth === 0 && tree.level() === 0 && isTestFile(ofTopTest.exec(line)?.[1] ?? '')) return
      if (!tree.test(marked.outcome, depth, marked.title)) names.group()
    } else if (text.startsWith('▶ ')) tree.open(depth, text.slice(2))
  }
}

/**
 * node:test reports a file that registers no test, or exits before it could, as one passed test with the file's name;
 * and a file that it could not load as a failed one.
 */
export function isTestFile(name: string): boolean {
  return /(?:^|[/\\])(?:test|test-[^/\\]+|[^/\\]+[._-]test)\.[cm]?[jt]sx?$|[/\\][^/\\]+\.[cm]?[jt]sx?$/.test(name)
}
