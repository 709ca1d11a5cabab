import { describe, expect, it } from 'vitest'
import { CAUSES } from '../../../test/arbitraries/sample-facts.ts'
import type { Fact } from '../fact/fact.ts'
import type { TaskId } from '../values/id.ts'
import { type BoundedEnd, whyFruitless, NOTHING_YET, type RunTally, addToTally } from './run-outcome.ts'

const clock = (at: number): string => `${at}h`
const worked: RunTally = { ...NOTHING_YET, sessions: 3 }
const lost: RunTally = { ...worked, lostTo: ['ab12', 'ab12', 'ab12'] }
const limited: RunTally = { ...worked, limited: { agent: 'claude', until: 9 } }

const late: BoundedEnd = { reason: 'Paused', bound: { until: 7 } }
const limitedBeyond: BoundedEnd = { reason: 'Paused', bound: { until: 7, limitedUntil: 9 } }
const spent: BoundedEnd = { reason: 'MaxIterationsReached' }
const once: BoundedEnd = { reason: 'SingleIterationComplete' }

const LOST = "See that the clocks of all machines are right, or end the other loop; then 'ralph build' goes on."

describe('a run that ended as it was asked to', () => {
  it.each<[name: string, end: BoundedEnd, tally: RunTally, said: string | null]>([
    ['at its time', late, worked, "3 sessions were started and nothing was merged before 7h. 'ralph build' goes on."],
    ['at its time, before it began', late, NOTHING_YET, null],
    ['at its time, with a merge', late, { ...worked, merged: 1 }, null],
    [
      'before a limit that lasts longer',
      limitedBeyond,
      limited,
      "claude was limited until 9h; nothing was merged before 7h. 'ralph build' goes on.",
    ],
    [
      'before a limit that an earlier run met',
      limitedBeyond,
      NOTHING_YET,
      "the agent was limited until 9h; nothing was merged before 7h. 'ralph build' goes on.",
    ],
    ['before a limit, with a merge', limitedBeyond, { ...limited, merged: 1 }, null],
    [
      'at its time, after limits only',
      late,
      limited,
      "claude was limited until 9h; nothing was merged before 7h. 'ralph build' goes on.",
    ],
    [
      'with every lease lost',
      spent,
      lost,
      `3 sessions were started and nothing was merged: their leases were lost to another loop (ab12). ${LOST}`,
    ],
    [
      'with its only lease lost',
      once,
      { ...lost, sessions: 1, lostTo: ['ab12'] },
      `1 session was started and nothing was merged: its lease was lost to another loop (ab12). ${LOST}`,
    ],
    [
      'with some of them lost',
      late,
      { ...lost, lostTo: ['ab12', 'cd34'] },
      `3 sessions were started and nothing was merged: 2 of their leases were lost to other loops (ab12, cd34). ${LOST}`,
    ],
    ['with leases lost and a merge', spent, { ...lost, merged: 1 }, null],
    ['after as many iterations as it may have', spent, worked, null],
    ['after the one it may have', once, { ...worked, sessions: 1 }, null],
    ['by a person who paused it', { reason: 'Paused' }, lost, null],
    ['by others who merged everything', { reason: 'AllTasksComplete' }, lost, null],
    ['with a question', { reason: 'HumanNeeded' }, lost, null],
  ])('%s', (_, end, tally, said) => {
    expect(whyFruitless(end, tally, clock)).toBe(said)
  })
})

it('is counted fact by fact', () => {
  const about = { taskId: 'login' as TaskId, attempt: 1 }
  const facts: Fact[] = [
    { type: 'taskStarted', taskName: 'Add login', ...about },
    { type: 'iterationStarted', iteration: 1, ...about },
    CAUSES.limited,
  ]
  const { agent, until } = CAUSES.limited
  expect(facts.reduce(addToTally, NOTHING_YET)).toEqual({ ...NOTHING_YET, sessions: 1, limited: { agent, until } })
  expect([...facts, CAUSES.iterationDone].reduce(addToTally, NOTHING_YET)).toEqual({ ...NOTHING_YET, sessions: 1 })
  expect([...facts, CAUSES.iterationDone, CAUSES.merged].reduce(addToTally, NOTHING_YET).merged).toBe(1)
})
