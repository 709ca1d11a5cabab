import { describe, expect, it } from 'vitest'
import { taskId } from '../values/id.ts'
import { readIntervention, TECHNIQUES, untriedTechniques } from './sia.ts'

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

describe('the type of a rewritten task', () => {
  const read = (type: unknown) =>
    readIntervention(
      JSON.stringify({ type: 'fixed', technique: 'fresh_start', modified_task: { title: 'Move it', type } }),
      taskId('x'),
      [],
      new Set(),
    )

  it('is one of those that a task may have, or left out', () => {
    expect(read('refactor')).toMatchObject({ ok: true, value: { task: { title: 'Move it', type: 'refactor' } } })
    for (const none of [undefined, null])
      expect(read(none)).toMatchObject({ ok: true, value: { task: { title: 'Move it' } } })
    expect(read('nothing')).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/^'type' must be one of setup,/),
    })
  })
})
