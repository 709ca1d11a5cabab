// Python's unittest: a rule of dashes, `Ran 3 tests in 0.001s`, an empty line, `OK` or `FAILED` with the exceptions. Its
// names are not read.
import type { RunnerReader } from './runner-reader.ts'
import { startTally } from './tally.ts'

export function startUnittest(): RunnerReader {
  const tally = startTally()
  let isRule = false
  let total: number | null = null
  return {
    count: (text) => {
      const ran = /^Ran (\d{1,9}) tests? in \d[\d.]*s$/.exec(text)?.[1]
      if (ran !== undefined) {
        total = Number(ran)
        if (isRule) tally.sign(1)
      }
      isRule = /^-{70}$/.test(text)
      if (total === null || ran !== undefined || text === '') return
      const [, verdict, rest] = /^(OK|FAILED|NO TESTS RAN)(?: \((.*)\))?$/.exec(text) ?? []
      if (verdict !== undefined) tally.summary(summaryOf(total, rest ?? ''), 1)
      total = null
    },
    name: () => {},
    finish: tally.counted,
  }
}

/** `failures=1, errors=2, skipped=1, expected failures=1, unexpected successes=1` */
function summaryOf(total: number, rest: string): { run: number; failed: number; skipped: number } {
  const count = (name: string): number => Number(new RegExp(`(?:^|, )${name}=(\\d{1,9})`).exec(rest)?.[1] ?? 0)
  const skipped = count('skipped') + count('expected failures')
  const failed = count('failures') + count('errors') + count('unexpected successes')
  return { run: Math.max(0, total - skipped), failed, skipped }
}
