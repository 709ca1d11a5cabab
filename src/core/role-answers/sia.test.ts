import { describe, expect, it } from 'vitest'
import { TECHNIQUES, untriedTechniques } from './sia.ts'

describe('techniques', () => {
  it('are the ten that SIA may name', () => {
    expect(TECHNIQUES).toEqual([
      'decomposition',
      'tool_change',
      'prompt_restructure',
      'context_pruning',
      'example_injection',
      'constraint_relaxation',
      'dependency_reordering',
      'abstraction_shift',
      'error_pattern_match',
      'fresh_start',
    ])
  })

  it('are left in their order where they were not tried', () => {
    expect(untriedTechniques([])).toEqual(TECHNIQUES)
    expect(untriedTechniques(['fresh_start', 'decomposition'])).toEqual(TECHNIQUES.slice(1, -1))
    expect(untriedTechniques(TECHNIQUES)).toEqual([])
  })
})
