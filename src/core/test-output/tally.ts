// Which summaries to believe. Every runner ends with a summary, but a program under test can print one too. A summary
// is backed where the runner gave other signs of its work: its opening line, or a line per test. Each sign backs one
// summary:
//
//   RUN ── "50 passed" (a print) ── "3 passed" (the runner's)     one sign for two: they contradict, the cautious one stays
//   RUN ── "2 passed" ── RUN ── "3 passed"                        two runs: both count

export interface Summary {
  /** Tests that ran to an end, passed or failed; skipped and todo are not among them. */
  readonly run: number
  /** May be more than `run`: a test file that does not load is a failure of no test. */
  readonly failed: number
  readonly skipped: number
}

export interface Counted {
  /** All backed summaries together. */
  readonly backed: Summary | null
  /** The most cautious reading of the others. */
  readonly doubtful: Summary | null
}

export interface Tally {
  sign(count: number): void
  /** `needs`: how many signs a real run would have given. */
  summary(summary: Summary, needs: number): void
  counted(): Counted
}

interface Accepted {
  readonly summary: Summary
  readonly signs: number
}

export function startTally(): Tally {
  const accepted: Accepted[] = []
  let free = 0
  let spent = 0
  let doubtful: Summary | null = null
  return {
    sign: (count) => {
      free += count
    },
    summary: (summary, needs) => {
      if (free + spent < needs) {
        doubtful = cautious(doubtful, summary)
        return
      }
      let said = summary
      let signs = free
      while (signs < needs) {
        const rival = accepted.pop()
        if (rival === undefined) break
        signs += rival.signs
        said = moreCautious(said, rival.summary)
      }
      accepted.push({ summary: said, signs })
      spent += free
      free = 0
    },
    counted: () => ({ backed: sumSummaries(accepted.map(({ summary }) => summary)), doubtful }),
  }
}

/** Fewer run, more failed. */
export function moreCautious(one: Summary, other: Summary): Summary {
  const fewer = other.run < one.run ? other : one
  return { ...fewer, failed: Math.max(one.failed, other.failed) }
}

export function cautious(one: Summary | null, other: Summary | null): Summary | null {
  if (one === null || other === null) return one ?? other
  return moreCautious(one, other)
}

export function sumSummaries(summaries: readonly Summary[]): Summary | null {
  if (summaries.length === 0) return null
  return summaries.reduce((sum, one) => ({
    run: sum.run + one.run,
    failed: sum.failed + one.failed,
    skipped: sum.skipped + one.skipped,
  }))
}

/** `2 passed, 1 failed` as `{ passed: 2, failed: 1 }`; null where a part is not a number and a word. */
export function parseCounts(text: string, separator: string): Readonly<Record<string, number>> | null {
  const counts: Record<string, number> = {}
  for (const part of text.split(separator)) {
    const [, number, word] = /^ *(\d{1,9}) ([a-z][a-z ]{0,40}?) *$/.exec(part) ?? []
    if (number === undefined || word === undefined) return null
    counts[word] = (counts[word] ?? 0) + Number(number)
  }
  return counts
}
