// When work counts as stuck, whatever the agent says. The reason uses the words of the failure; "nothing changed" is
// the reason only where nothing else happened.
import type { Trace } from './attempt.ts'

/** The same tree or the same error this many times in a row is stuck. */
export const STUCK_AFTER = 3
/** Enough to detect two alternating trees. */
export const TRACES_KEPT = 2 * STUCK_AFTER

export function withTrace(recent: readonly Trace[], last: Trace): Trace[] {
  return [...recent, last].slice(-TRACES_KEPT)
}

/** Adds the refusal of the last iteration: the same refusal of another tree is no sign that the work is stuck. */
export function withAnswer(recent: readonly Trace[], answer: string): Trace[] {
  return recent.map((trace, at) => (at === recent.length - 1 ? { ...trace, answer } : trace))
}

/** Null: the work is not stuck. */
export function stuckReason(recent: readonly Trace[]): string | null {
  const row = recent.slice(-STUCK_AFTER)
  const [first] = row
  if (first === undefined || row.length < STUCK_AFTER) return null
  if (first.error !== null && row.every(({ error }) => error === first.error))
    return `${STUCK_AFTER} times in a row: ${first.error}`
  if (row.every(({ tree }) => tree === first.tree)) {
    const last = lastWordsIn(row)
    return last === null
      ? `the same tree ${STUCK_AFTER} times in a row`
      : `${STUCK_AFTER} sessions in a row changed nothing; what went wrong last: ${last}`
  }
  if (!isCircle(recent)) return null
  const last = lastWordsIn(recent)
  const circle = `the work goes in circles: the same 2 trees in turn, ${STUCK_AFTER} times`
  return last === null ? circle : `${circle}; what went wrong last: ${last}`
}

function isCircle(recent: readonly Trace[]): boolean {
  const row = recent.slice(-TRACES_KEPT)
  return row.length === TRACES_KEPT && row.every(({ tree }, at) => at < 2 || tree === row[at - 2]?.tree)
}

export function lastWordsIn(row: readonly Trace[]): string | null {
  return row.flatMap(({ error, answer }) => error ?? answer ?? []).at(-1) ?? null
}
