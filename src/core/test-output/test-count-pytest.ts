// pytest: `=== test session starts ===`, at last `=== 1 failed, 3 passed in 0.12s ===`; with -q only the latter, bare.
import { type RunnerReader, numbered, startTally } from './test-count-tally.ts'

const opening = /^=+ test session starts(?: \([^)]*\))? =+$/
const ending = /^(?:=+ )?(no tests ran|\d[\w, ]*) in \d[\d.]*s(?: \([\d:]+\))?(?: =+)?$/
const outcomes = ['passed', 'failed', 'error', 'errors', 'skipped', 'xfailed', 'xpassed', 'deselected'] as const

export function startPytest(): RunnerReader {
  const tally = startTally()
  return {
    line: (text) => {
      if (opening.test(text)) return tally.sign(1)
      const said = ending.exec(text)?.[1]
      if (said === undefined) return undefined
      const counts = said === 'no tests ran' ? {} : numbered(said, ',')
      if (counts === null) return undefined
      if (said !== 'no tests ran' && !outcomes.some((outcome) => Object.hasOwn(counts, outcome))) return undefined
      const { passed = 0, failed = 0, error = 0, errors = 0, skipped = 0, xfailed = 0, xpassed = 0 } = counts
      // A test that is expected to fail proves nothing, whatever it does.
      return tally.summary(
        { run: passed + failed, failed: failed + error + errors, skipped: skipped + xfailed + xpassed },
        1,
      )
    },
    counted: tally.counted,
  }
}
