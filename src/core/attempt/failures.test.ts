import { describe, expect, it } from 'vitest'
import { CAUSES } from '../../../test/arbitraries/sample-facts.ts'
import type { Fact } from '../fact/fact.ts'
import { lastFailures } from './failures.ts'
import { taskId } from '../values/id.ts'

const login = CAUSES.iterationDone.taskId

const died = (attempt: number, iteration: number, error: string): Fact => ({
  ...CAUSES.iterationDone,
  attempt,
  iteration,
  error,
})
const failed = (attempt: number, error: string, task = login): Fact => ({
  type: 'taskFailed',
  taskId: task,
  taskName: 'Add login',
  attempt,
  error,
})

describe('the last failures of a task', () => {
  it('are told in their own words, each session and each attempt once', () => {
    const facts = [
      failed(1, 'not ours', taskId('other')),
      died(1, 1, 'claude was killed by signal 9'),
      CAUSES.iterationDone,
      failed(1, 'unit failed (exit 1)\nexpected 3, got 4'),
      died(2, 1, 'E'),
      died(2, 2, 'E'),
      failed(2, '2 times in a row: E'),
    ]
    expect(lastFailures(facts, login)).toEqual([
      'attempt 1, session 1: claude was killed by signal 9',
      'attempt 1: unit failed (exit 1)\nexpected 3, got 4',
      'attempt 2, session 1: E',
      'attempt 2, session 2: E',
    ])
  })

  it('are bounded, in number and in length', () => {
    const many = Array.from({ length: 20 }, (_, at) => died(1, at + 1, 'x'.repeat(10_000)))
    const told = lastFailures(many, login)
    expect(told).toHaveLength(6)
    expect(told.at(-1)).toMatch(/^attempt 1, session 20: x{600}…$/)
  })

  it('are none where nothing failed', () => {
    expect(lastFailures([CAUSES.iterationDone, CAUSES.verified], login)).toEqual([])
  })
})
