// mocha: `  3 passing (20ms)`, then perhaps `  2 pending` and `  1 failing`; its spec reporter prints a tree of the tests
// before, with a ✔ for each that passed.
import { startTree, treeLine } from './name-tree.ts'
import type { NameSink, RunnerReader } from './runner-reader.ts'
import { startTally } from './tally.ts'

/** The lines after it repeat the tests, or list none. */
const ofEnding = /^ {2}\d+ (?:passing|pending|failing)\b/
const ofHook = /^"(?:before|after) (?:all|each)" hook\b/
const marks = { '✔': 'passed', '✓': 'passed', '-': 'skipped' } as const

export function startMocha(names: NameSink): RunnerReader {
  return { ...startCounting(), name: startNaming(names) }
}

function startCounting(): Pick<RunnerReader, 'count' | 'finish'> {
  const tally = startTally()
  let ending: { passing: number; pending: number; failing: number } | null = null
  const conclude = (): void => {
    if (ending === null) return
    const { passing, pending, failing } = ending
    tally.summary({ run: passing + failing, failed: failing, skipped: pending }, passing)
    ending = null
  }
  return {
    count: (text) => {
      const [, number, word] = /^ {2}(\d{1,9}) (passing|pending|failing)(?: \([\dhms.]+\))?$/.exec(text) ?? []
      if (word === 'passing') {
        conclude()
        ending = { passing: Number(number), pending: 0, failing: 0 }
      } else if (ending !== null && (word === 'pending' || word === 'failing')) ending[word] = Number(number)
      else {
        conclude()
        if (/^ +[✔✓] \S/.test(text)) tally.sign(1)
      }
    },
    finish: () => {
      conclude()
      return tally.counted()
    },
  }
}

function startNaming(names: NameSink): RunnerReader['name'] {
  const tree = startTree(names)
  let isBelowBlank = false
  return (line) => {
    if (ofEnding.test(line)) return tree.reset()
    if (line === '') isBelowBlank = true
    const { depth, text, marked } = treeLine(line, marks)
    // mocha indents by two for each level and prints nothing at the margin: those lines are the output of a program.
    if (depth < 2 || depth % 2 !== 0) return
    const failed = /^\d+\) (.*[^:])$/.exec(text)?.[1]
    // A hook is no test, and the tests that it is for did not run.
    if (failed !== undefined && ofHook.test(failed)) return
    const test = marked ?? (failed === undefined ? null : ({ outcome: 'failed', title: failed } as const))
    if (test !== null) {
      if (tree.test(test.outcome, depth, test.title)) isBelowBlank = false
    } else if (!/^\d+\) /.test(text) && isGroup(depth / 2 - 1, tree.level())) {
      tree.open(depth, text)
      isBelowBlank = false
    }
  }

  /** One level below the last group; or, where a suite has begun, the next suite after an empty line. */
  function isGroup(level: number, open: number): boolean {
    return level <= open && (level > 0 || open === 0 || isBelowBlank)
  }
}
