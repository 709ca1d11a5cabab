import { describe, expect, it } from 'vitest'
import { DONE_REASONS, type DoneReason } from './done-reason.ts'

describe('done reasons', () => {
  const exits: { readonly [Reason in DoneReason]: number } = {
    AllTasksComplete: 0,
    RalphDoneMarker: 0,
    MaxIterationsReached: 0,
    SingleIterationComplete: 0,
    Paused: 0,
    Failed: 1,
    Aborted: 1,
    HumanNeeded: 3,
    BudgetExhausted: 3,
    NoProgress: 3,
    UnverifiedDone: 4,
    UserCancelled: 130,
  }

  it('end the process as scripts expect', () => {
    expect(Object.fromEntries(Object.entries(DONE_REASONS).map(([name, { exit }]) => [name, exit]))).toEqual(exits)
  })

  it('have a closing sentence each, and each its own', () => {
    const sentences = Object.values(DONE_REASONS).map(({ sentence }) => sentence)
    expect(sentences.filter((sentence) => !/^[A-Z][^\n]*\.$/.test(sentence))).toEqual([])
    expect(new Set(sentences).size).toBe(sentences.length)
  })
})
