// Every failure of a task in its own words, for the agent or person that has to find the cause.
import type { Fact } from '../fact/fact.ts'
import type { TaskId } from '../values/id.ts'
import { cutToLength } from '../values/text-bounds.ts'

const FAILURES_SHOWN_MAX = 6
/** In UTF-16 units; the output of checks is longer, and the last one is given in full anyway. */
const WORDS_MAX = 600

interface Failure {
  readonly attempt: number
  readonly where: string
  readonly words: string
}

/** The last ones, oldest first, a line or more each. */
export function lastFailures(facts: readonly Fact[], task: TaskId): string[] {
  const found = facts.reduce<Failure[]>((all, fact) => withFailure(all, fact, task), [])
  return found.slice(-FAILURES_SHOWN_MAX).map(({ where, words }) => `${where}: ${shorten(words)}`)
}

function withFailure(all: Failure[], fact: Fact, task: TaskId): Failure[] {
  if (!('taskId' in fact) || fact.taskId !== task) return all
  if (fact.type === 'iterationDone' && fact.error !== null) {
    const where = `attempt ${fact.attempt}, session ${fact.iteration}`
    return [...all, { attempt: fact.attempt, where, words: fact.error }]
  }
  if (fact.type !== 'taskFailed') return all
  // The end of the session that failed the attempt is listed already.
  const last = all.at(-1)
  if (last?.attempt === fact.attempt && fact.error.includes(last.words)) return all
  return [...all, { attempt: fact.attempt, where: `attempt ${fact.attempt}`, words: fact.error }]
}

function shorten(words: string): string {
  const short = cutToLength(words, WORDS_MAX)
  return short === words ? words : `${short}…`
}
