// pytest: `=== test session starts ===`, at last `=== 1 failed, 3 passed in 0.12s ===`; with -q only the latter, bare.
import type { NameSink, RunnerReader } from './runner-reader.ts'
import { type Tally, parseCounts, startTally } from './tally.ts'
import type { NamedOutcome } from './test-names.ts'

const opening = /^=+ test session starts(?: \([^)]*\))? =+$/
const ending = /^(?:=+ )?(no tests ran|\d[\w, ]*) in \d[\d.]*s(?: \([\d:]+\))?(?: =+)?$/
const outcomes = ['passed', 'failed', 'error', 'errors', 'skipped', 'xfailed', 'xpassed', 'deselected'] as const

/** Not ERROR: where a fixture fails, the test did not run. */
const words: Readonly<Record<string, NamedOutcome>> = {
  PASSED: 'passed',
  FAILED: 'failed',
  XFAIL: 'skipped',
  XPASS: 'skipped',
}

export function startPytest(names: NameSink): RunnerReader {
  const tally = startTally()
  const naming = startNaming()
  return {
    count: (text) => countLine(text, tally),
    name: naming.name,
    finish: () => {
      for (const [outcome, name] of naming.named()) names.test(outcome, name)
      return tally.counted()
    },
  }
}

function countLine(text: string, tally: Tally): void {
  if (opening.test(text)) return tally.sign(1)
  const result = ending.exec(text)?.[1]
  if (result === undefined) return undefined
  const counts = result === 'no tests ran' ? {} : parseCounts(result, ',')
  if (counts === null) return undefined
  if (result !== 'no tests ran' && !outcomes.some((outcome) => Object.hasOwn(counts, outcome))) return undefined
  const { passed = 0, failed = 0, error = 0, errors = 0, skipped = 0, xfailed = 0, xpassed = 0 } = counts
  // A test that is expected to fail proves nothing, whatever it does.
  return tally.summary(
    { run: passed + failed, failed: failed + error + errors, skipped: skipped + xfailed + xpassed },
    1,
  )
}

type Named = readonly [outcome: NamedOutcome, name: string]

/**
 * The short summary at the end names every test once; it names the skipped ones only by their line. Only the last summary is
 * pytest's own: one before it may be the output of a test.
 */
function startNaming(): { readonly name: RunnerReader['name']; named(): readonly Named[] } {
  let isSummary = false
  let found: Named[] = []
  return {
    name: (text) => {
      if (/^=+ short test summary info =+$/.test(text)) {
        isSummary = true
        found = []
      } else if (isSummary) {
        const [, word = '', name] = /^(PASSED|FAILED|XFAIL|XPASS) (\S+::.*?)(?: - .*)?$/.exec(text) ?? []
        const outcome = words[word]
        if (outcome !== undefined && name !== undefined) found.push([outcome, name])
        if (/ in [\d.]+s(?: \([\d:]+\))?(?: =+)?$/.test(text)) isSummary = false
      }
    },
    named: () => found,
  }
}
