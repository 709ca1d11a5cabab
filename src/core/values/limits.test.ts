import { expect, it } from 'vitest'
import { DEFAULT_LIMITS } from './limits.ts'

it('the defaults are those of the documented ralph.toml', () => {
  expect(DEFAULT_LIMITS).toEqual({
    attempts: 3,
    interventions: 3,
    iterations: 10,
    maxIterations: 200,
    tasksPerPlan: 15,
    filesPerPatch: 5,
    workers: 1,
    budgetUsd: 0,
    budgetTokens: 0,
  })
})
