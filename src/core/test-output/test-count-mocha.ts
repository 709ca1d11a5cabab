// mocha: `  3 passing (20ms)`, then perhaps `  2 pending` and `  1 failing`; the spec reporter prints a ✔ per passed test.
import { type RunnerReader, startTally } from './test-count-tally.ts'

export function startMocha(): RunnerReader {
  const tally = startTally()
  let ending: { passing: number; pending: number; failing: number } | null = null
  const finish = (): void => {
    if (ending === null) return
    const { passing, pending, failing } = ending
    tally.summary({ run: passing + failing, failed: failing, skipped: pending }, passing)
    ending = null
  }
  return {
    line: (text) => {
      const [, number, word] = /^ {2}(\d{1,9}) (passing|pending|failing)(?: \([\dhms.]+\))?$/.exec(text) ?? []
      if (word === 'passing') {
        finish()
        ending = { passing: Number(number), pending: 0, failing: 0 }
      } else if (ending !== null && (word === 'pending' || word === 'failing')) ending[word] = Number(number)
      else {
        finish()
        if (/^ +[✔✓] \S/.test(text)) tally.sign(1)
      }
    },
    counted: () => {
      finish()
      return tally.counted()
    },
  }
}
