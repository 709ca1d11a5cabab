import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { taskId } from '../values/id.ts'
import { parseProgressFile, type ProgressContent, renderProgressFile } from './progress-file.ts'
import { SECTIONS } from './progress-outline.ts'
import type { ProgressTask } from './progress-tasks.ts'

const task = (id: string, title: string, more: Partial<ProgressTask> = {}): ProgressTask => ({
  id: taskId(id),
  title,
  phase: null,
  checked: false,
  detail: '',
  ...more,
})

const line = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 15 }),
    fc.constantFrom(
      '## Status',
      '### x',
      '- [ ] a',
      '```',
      '~~~',
      '<!--',
      '-->',
      '| a \\| b |',
      'T1: x',
      '[a1] b',
      'x {#y}',
    ),
  )
  .map((text) => text.replace(/[\r\n]/g, '').trim())
const words = line.filter((text) => text !== '')
const prose = fc.array(line, { maxLength: 6 }).map((lines) => lines.join('\n').trim())
const paragraph = fc.array(words, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n'))
const attempt = fc.tuple(words, prose).map(([first, rest]) => `${first}\n${rest}`.trim())
const anyId = fc.string({ unit: fc.constantFrom('a', '1', '-', ']', '}', '#', '漢'), minLength: 1 }).map(taskId)

const anyTask: fc.Arbitrary<ProgressTask> = fc.record({
  id: anyId,
  title: words,
  phase: fc.option(words),
  checked: fc.boolean(),
  detail: prose,
})
const anyTasks = fc
  .uniqueArray(anyTask, { selector: ({ id }) => id, maxLength: 6 })
  .map((tasks) => [...tasks.filter(({ phase }) => phase === null), ...tasks.filter(({ phase }) => phase !== null)])

const anyContent: fc.Arbitrary<ProgressContent> = fc.record({
  name: line,
  status: paragraph,
  analysis: prose,
  tasks: anyTasks,
  testingStrategy: prose,
  completedThisIteration: fc.array(words, { maxLength: 3 }),
  recentAttempts: fc.array(attempt, { maxLength: 4 }),
  iterationLog: fc.array(
    fc.record({ iteration: fc.nat(), started: line, duration: line, tasksCompleted: line, notes: line }),
    { maxLength: 3 },
  ),
})

describe('renderProgressFile', () => {
  it('writes a new file from a plan', () => {
    const tasks = [
      task('a', 'Plain', { checked: true }),
      task('b', 'In a phase', { phase: 'One', detail: 'Accepts x.\n\n- y' }),
      task('in-a-phase', 'In a phase', { phase: 'One' }),
      task('c', 'Plain again'),
    ]
    expect(renderProgressFile({ name: 'My\nplan', tasks })).toBe(`# Progress: My plan

## Status

In Progress

## Analysis

## Tasks

- [x] Plain {#a}
- [ ] Plain again {#c}

### One

- [ ] In a phase {#b}
  Accepts x.

  - y
- [ ] In a phase

## Testing Strategy

## Completed This Iteration

## Recent Attempts

## Iteration Log

| Iteration | Started | Duration | Tasks Completed | Notes |
|-----------|---------|----------|-----------------|-------|
`)
  })

  it('is read back as it was', () => {
    fc.assert(
      fc.property(anyContent, (each) => {
        const isMarker = (text: string): boolean => text.split('\n').includes('RALPH_DONE')
        expect(parseProgressFile(renderProgressFile(each))).toEqual({
          ...each,
          saysDone: isMarker(each.status),
          sections: SECTIONS,
        })
      }),
      { numRuns: 500 },
    )
  })
})
