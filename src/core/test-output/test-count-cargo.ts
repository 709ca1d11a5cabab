// cargo test: for each test binary, and for the doc tests, `running 2 tests` and at last `test result: …`.
import { type RunnerReader, startTally } from './test-count-tally.ts'

const ending =
  /^test result: (?:ok|FAILED)\. (\d{1,9}) passed; (\d{1,9}) failed; (\d{1,9}) ignored; (\d{1,9}) measured; \d{1,9} filtered out(?:; finished in [\d.]+s)?$/

export function startCargo(): RunnerReader {
  const tally = startTally()
  return {
    line: (text) => {
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
    counted: tally.counted,
  }
}
