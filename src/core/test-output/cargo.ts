// cargo test: for each test binary, and for the doc tests, `running 2 tests`, `test tests::adds ... ok` for each test, and
// at last `test result: …`. The name of the binary is on stderr.
import type { NameSink, RunnerReader } from './runner-reader.ts'
import { startTally } from './tally.ts'
import type { NamedOutcome } from './test-names.ts'

const ending =
  /^test result: (?:ok|FAILED)\. (\d{1,9}) passed; (\d{1,9}) failed; (\d{1,9}) ignored; (\d{1,9}) measured; \d{1,9} filtered out(?:; finished in [\d.]+s)?$/

const words: Readonly<Record<string, NamedOutcome>> = { ok: 'passed', FAILED: 'failed', ignored: 'skipped' }

export function startCargo(names: NameSink): RunnerReader {
  const tally = startTally()
  return {
    count: (text) => {
      const announced = /^running (\d{1,9}) tests?$/.exec(text)?.[1]
      if (announced !== undefined) return tally.sign(Number(announced))
      const counts = ending.exec(text)?.slice(1).map(Number)
      if (counts === undefined) return undefined
      const [passed = 0, failed = 0, ignored = 0, measured = 0] = counts
      return tally.summary(
        { run: passed + failed, failed, skipped: ignored + measured },
        passed + failed + ignored + measured,
      )
    },
    name: (text) => {
      const [, name, word = ''] = /^test (.+?)(?: - should panic)? \.\.\. (ok|FAILED|ignored)\b/.exec(text) ?? []
      const outcome = words[word]
      if (outcome !== undefined && name !== undefined) names.test(outcome, name)
    },
    finish: tally.counted,
  }
}
