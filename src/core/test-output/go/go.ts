// go test. Plain, it prints `ok` for each package and no number: this counts as one test, since at least one ran. With -v
// and -json it names every test; subtests count as their parent, and only a test that started can have passed.
import { startGoEventCounts, startGoEventNames } from './go-events.ts'
import type { NameSink, RunnerReader } from '../runner-reader.ts'
import { type Counted, type Summary, sumSummaries } from '../tally.ts'
import type { NamedOutcome } from '../test-names.ts'

interface Package extends Summary {
  /** go test shows its output, so `PASS` or `FAIL` stands alone on the line before. */
  readonly isShown: boolean
  readonly isNamed: boolean
}

const ofStart = /^=== RUN {3}(\S+)$/
const ofEnd = /^--- (PASS|FAIL|SKIP): (\S+) \(/
const words: Readonly<Record<string, NamedOutcome>> = { PASS: 'passed', FAIL: 'failed', SKIP: 'skipped' }

export function startGo(names: NameSink): RunnerReader {
  return { ...startCounting(), name: startNaming(names) }
}

function startCounting(): Pick<RunnerReader, 'count' | 'finish'> {
  const events = startGoEventCounts()
  const packages: Package[] = []
  let started = new Set<string>()
  let ended = { PASS: 0, FAIL: 0, SKIP: 0 }
  let isShown = false
  let isWarned = false

  const conclude = (word: string, rest: string): void => {
    const isEmpty = isWarned || /\[no (?:tests to run|test files)\]/.test(rest)
    const failed = word === 'FAIL' ? Math.max(1, ended.FAIL) : ended.FAIL
    const isNamed = started.size > 0
    const run = isNamed ? ended.PASS + ended.FAIL : word === 'ok' && !isEmpty ? 1 : ended.FAIL
    packages.push({ run: isEmpty ? 0 : run, failed, skipped: ended.SKIP, isShown, isNamed })
    started = new Set()
    ended = { PASS: 0, FAIL: 0, SKIP: 0 }
    isShown = false
    isWarned = false
  }
  return {
    count: (text) => {
      if (events.count(text)) return
      const begun = ofStart.exec(text)?.[1]
      if (begun !== undefined) started.add(begun)
      const [, how, name] = ofEnd.exec(text) ?? []
      if (name !== undefined && (how === 'FAIL' || started.has(name))) ended[how as 'PASS' | 'FAIL' | 'SKIP'] += 1
      if (text === 'PASS' || text === 'FAIL') isShown = true
      if (text === 'testing: warning: no tests to run') isWarned = true
      const [, word, rest] = /^(ok|FAIL|\?)(?: {2,3})?\t(\S+.*)$/.exec(text) ?? []
      if (word !== undefined && rest !== undefined) conclude(word, rest)
      if (text === 'no packages to test') conclude('?', '[no test files]')
    },
    finish: () => {
      const printed = countedPackages(packages)
      const all = [printed.backed, events.summary()].flatMap((one) => one ?? [])
      return { ...printed, backed: sumSummaries(all) }
    },
  }
}

/** Where any output is shown, a package line without its `PASS` or `FAIL` is the output of a test. */
function countedPackages(packages: readonly Package[]): Counted {
  const isAnyShown = packages.some((one) => one.isShown)
  const real = packages.filter((one) => one.isShown || !isAnyShown || one.failed > 0 || one.run === 0)
  const sum = sumSummaries(real.map(({ run, failed, skipped }) => ({ run, failed, skipped })))
  const isBacked = real.some((one) => one.isNamed) || real.every((one) => one.run + one.failed === 0)
  return isBacked ? { backed: sum, doubtful: null } : { backed: null, doubtful: sum }
}

/** The names of a package come before the line of the package. */
function startNaming(names: NameSink): RunnerReader['name'] {
  const nameEvent = startGoEventNames(names)
  let started = new Set<string>()
  let ended: [NamedOutcome, string][] = []
  return (text) => {
    nameEvent(text)
    const begun = ofStart.exec(text)?.[1]
    if (begun !== undefined) started.add(begun)
    const [, word = '', name] = ofEnd.exec(text) ?? []
    const outcome = words[word]
    if (outcome !== undefined && name !== undefined && started.has(name)) ended.push([outcome, name])
    const place = /^(?:ok|FAIL)(?: {2,3})?\t(\S+)/.exec(text)?.[1]
    if (place === undefined) return
    for (const [how, test] of ended) names.test(how, `${place}.${test}`)
    started = new Set()
    ended = []
  }
}
