import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { taskId } from '../values/id.ts'
import { readDetails, renderDetails, type TaskDetails } from './progress-details.ts'
import { TASK_TYPES } from '../task/task.ts'

const known = new Set(['a', 'b.1', 'ü'].map(taskId))
const nothing: TaskDetails = { description: null, acceptance: [], filesExpected: [], type: null, deps: null }

describe('what stands below a task', () => {
  it.each<[string, Partial<TaskDetails>]>([
    ['', {}],
    ['Why.\n\nHow.', { description: 'Why.\n\nHow.' }],
    ['Acceptance:\n- one\n- two', { acceptance: ['one', 'two'] }],
    ['Why.\n\nAcceptance:\n- one\n\nMore.', { description: 'Why.\n\n\nMore.', acceptance: ['one'] }],
    ['Acceptance:\n\n- one', { description: 'Acceptance:\n\n- one' }],
    ['Acceptance:', { description: 'Acceptance:' }],
    ['- one', { description: '- one' }],
    ['- [ ] a step', { description: '- [ ] a step' }],
    ['Files expected: a.ts, src/b.ts', { filesExpected: ['a.ts', 'src/b.ts'] }],
    ['Files expected: all that matter', { description: 'Files expected: all that matter' }],
    ['Files expected: src/**', { description: 'Files expected: src/**' }],
    ['Type: api', { type: 'api' }],
    ['Type: a new one', { description: 'Type: a new one' }],
    ['Depends on: a, b.1', { deps: [taskId('a'), taskId('b.1')] }],
    ['Depends on: a, the weather', { description: 'Depends on: a, the weather' }],
    ['```\nType: api\n```', { description: '```\nType: api\n```' }],
  ])('%j', (detail, read) => {
    expect(readDetails(detail, known)).toEqual({ ...nothing, ...read })
  })

  it('is written so that it is read again', () => {
    const words = fc.stringMatching(/^[a-z][a-z ]{0,20}[a-z]$/)
    fc.assert(
      fc.property(
        fc.record({
          description: fc.option(words),
          acceptance: fc.array(words, { maxLength: 3 }),
          filesExpected: fc.uniqueArray(fc.stringMatching(/^[a-z]{1,5}(\/[a-z]{1,5})?\.ts$/), { maxLength: 3 }),
          type: fc.constantFrom(...TASK_TYPES, null),
        }),
        fc.subarray([...known]),
        (text, deps) => {
          const read = readDetails(renderDetails({ ...text, steps: [] }, deps), known)
          expect(read).toEqual({ ...text, deps: deps.length === 0 ? null : deps })
        },
      ),
    )
  })

  it('has its steps as boxes', () => {
    const text = { description: 'Why.', acceptance: [], steps: ['a\nb', 'c'], filesExpected: [], type: null }
    expect(renderDetails(text, [])).toBe('Why.\n\n- [ ] a b\n- [ ] c')
  })
})
