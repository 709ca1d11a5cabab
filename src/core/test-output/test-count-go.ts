// go test. Plain, it says `ok` per package and no number: one test is counted, since at least one ran. With -v and -json
// every test is named; subtests are counted as their parent, and only what was started can have passed.
import { startGoEvents } from './test-count-go-events.ts'
import { type Counted, type RunnerReader, type Summary, together } from './test-count-tally.ts'

interface Package extends Summary {
  /** Its output is shown, so `PASS` or `FAIL` stands alone on the line before. */
  readonly isShown: boolean
  readonly isNamed: boolean
}

export function startGo(): RunnerReader {
  const events = startGoEvents()
  const packages: Package[] = []
  let started = new Set<string>()
  let ended = { PASS: 0, FAIL: 0, SKIP: 0 }
  let isShown = false
  let isWarned = false

  const finish = (word: string, rest: string): void => {
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
    line: (text) => {
      if (events.line(text)) return
      const begun = /^=== RUN {3}(\S+)$/.exec(text)?.[1]
      if (begun !== undefined) started.add(begun)
      const [, how, name] = /^--- (PASS|FAIL|SKIP): (\S+) \(/.exec(text) ?? []
      if (name !== undefined && (how === 'FAIL' || started.has(name))) ended[how as 'PASS' | 'FAIL' | 'SKIP'] += 1
      if (text === 'PASS' || text === 'FAIL') isShown = true
      if (text === 'testing: warning: no tests to run') isWarned = true
      const [, word, rest] = /^(ok|FAIL|\?)(?: {2,3})?\t(\S+.*)$/.exec(text) ?? []
      if (word !== undefined && rest !== undefined) finish(word, rest)
      if (text === 'no packages to test') finish('?', '[no test files]')
    },
    counted: () => {
      const said = countedPackages(packages)
      const all = [said.backed, events.summary()].flatMap((one) => one ?? [])
      return { ...said, backed: together(all) }
    },
  }
}

/** Where any output is shown, a package line without its `PASS` or `FAIL` is something that a test printed. */
function countedPackages(packages: readonly Package[]): Counted {
  const isAnyShown = packages.some((one) => one.isShown)
  const real = packages.filter((one) => one.isShown || !isAnyShown || one.failed > 0 || one.run === 0)
  const sum = together(real.map(({ run, failed, skipped }) => ({ run, failed, skipped })))
  const isBacked = real.some((one) => one.isNamed) || real.every((one) => one.run + one.failed === 0)
  return isBacked ? { backed: sum, doubtful: null } : { backed: null, doubtful: sum }
}
