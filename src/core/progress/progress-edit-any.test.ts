// An edit changes its own part of any file and nothing else.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  appendAttempt,
  appendIteration,
  checkTask,
  setAnalysis,
  setCompletedThisIteration,
  setStatus,
  uncheckTask,
} from './progress-edit.ts'
import { parseProgressFile, type ProgressFile } from './progress-file.ts'
import type { IterationRow } from './progress-log.ts'

const row: IterationRow = { iteration: 3, started: 'now', duration: '1s', tasksCompleted: '2', notes: 'a' }
const table = '| Iteration | Notes |\n|---|---|'

const noise = fc.constantFrom(
  'prose',
  '  indented',
  '',
  '```',
  '```js',
  '~~~',
  '<!--',
  '-->',
  '<!-- x -->',
  '## Mine',
  '### Third',
  '# First',
  'RALPH_DONE',
  '- [ ] b',
  '- [x] c',
  '  - [ ] d',
  '- bullet',
  '| 1 | a |',
  '|---|---|',
  '\t\\# x',
)
const known = fc.constantFrom(
  '## Status',
  '## Analysis',
  '## Tasks',
  '## Testing Strategy',
  '## Completed This Iteration',
  '## Recent Attempts',
  '## Iteration Log',
)
const joined = (lines: string[], eol: string): string => lines.join(eol)
const anyFile = fc
  .tuple(
    fc.array(fc.oneof({ arbitrary: noise, weight: 3 }, { arbitrary: known, weight: 1 }), { maxLength: 30 }),
    fc.constantFrom('\n', '\r\n'),
    fc.constantFrom('', '\n'),
  )
  .map(([lines, eol, end]) => joined(['# Progress: X', ...lines], eol) + end)

/** The inserted and the removed text of an edit, between the unchanged parts of the file. */
const difference = (before: string, after: string): { removed: string; inserted: string } => {
  let start = 0
  while (start < before.length && before[start] === after[start]) start += 1
  let end = 0
  while (end < Math.min(before.length, after.length) - start && before.at(-1 - end) === after.at(-1 - end)) end += 1
  return { removed: before.slice(start, before.length - end), inserted: after.slice(start, after.length - end) }
}

const texts = fc
  .array(fc.oneof(noise, known, fc.string({ maxLength: 9 })), { minLength: 1, maxLength: 5 })
  .map((lines) => lines.join('\n'))

describe('an edit of any file', () => {
  const unless = (file: ProgressFile, ...changed: (keyof ProgressFile)[]): Partial<ProgressFile> => {
    const rest: Partial<Record<keyof ProgressFile, unknown>> = { ...file }
    for (const key of [...changed, 'sections'] as const) delete rest[key]
    return rest as Partial<ProgressFile>
  }

  it('ticks exactly one character, once', () => {
    fc.assert(
      fc.property(anyFile, (before) => {
        for (const { id, checked } of parseProgressFile(before).tasks) {
          const after = checkTask(before, id)
          expect(difference(before, after)).toEqual(
            checked ? { removed: '', inserted: '' } : { removed: ' ', inserted: 'x' },
          )
          expect(parseProgressFile(after).tasks.find((task) => task.id === id)?.checked).toBe(true)
          expect(checkTask(after, id)).toBe(after)
          expect(checked || uncheckTask(after, id) === before).toBe(true)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('puts a row in, and removes nothing', () => {
    fc.assert(
      fc.property(anyFile, texts, (before, notes) => {
        const added = { ...row, notes: notes.replace(/-->|[\r\n]/g, ' ').trim() }
        const after = appendIteration(before, added)
        const [was, is] = [parseProgressFile(before), parseProgressFile(after)]
        expect(difference(before, after).removed.trim()).toBe('')
        expect(is.iterationLog).toEqual([...was.iterationLog, added])
        expect(unless(is, 'iterationLog')).toEqual(unless(was, 'iterationLog'))
      }),
      { numRuns: 300 },
    )
  })

  it('adds an attempt and drops the oldest only', () => {
    fc.assert(
      fc.property(anyFile, texts, fc.integer({ min: 1, max: 4 }), (before, text, keep) => {
        const attempt = text.replaceAll('-->', '').trim()
        fc.pre(attempt !== '')
        const after = appendAttempt(before, attempt, keep)
        const [was, is] = [parseProgressFile(before), parseProgressFile(after)]
        const [first, ...rest] = attempt.split(/\r?\n/)
        const read = [first?.trim(), rest.join('\n').replace(/^\s*\n/, '')].filter((part) => part !== '').join('\n')
        expect(is.recentAttempts).toEqual([...was.recentAttempts, read].slice(-keep))
        expect(unless(is, 'recentAttempts')).toEqual(unless(was, 'recentAttempts'))
      }),
      { numRuns: 300 },
    )
  })

  it('sets the status and leaves every other byte', () => {
    fc.assert(
      fc.property(anyFile, texts, (before, text) => {
        const lines = text.replaceAll('-->', '').split('\n')
        const wanted = lines.filter((line) => line.trim() !== '').join('\n')
        fc.pre(wanted !== '')
        const after = setStatus(before, wanted)
        const [was, is] = [parseProgressFile(before), parseProgressFile(after)]
        const { removed } = difference(before, after)
        expect(is.status).toBe(wanted)
        expect(unless(is, 'status', 'saysDone')).toEqual(unless(was, 'status', 'saysDone'))
        expect(removed.trim().length).toBeLessThanOrEqual(was.status.length + was.status.split('\n').length * 2)
        expect(setStatus(after, wanted)).toBe(after)
      }),
      { numRuns: 300 },
    )
  })

  it('sets the analysis, and what was completed, and nothing else', () => {
    fc.assert(
      fc.property(anyFile, texts, (before, text) => {
        const wanted = text
          .replaceAll('-->', '')
          .replace(/^\s*\n/, '')
          .trimEnd()
        const items = text.split('\n').map((line) => line.replace('-->', '').trim())
        const kept = items.filter((item) => item !== '')
        const after = setCompletedThisIteration(setAnalysis(before, wanted), items)
        const [was, is] = [parseProgressFile(before), parseProgressFile(after)]
        expect(is.analysis).toBe(wanted === '' ? was.analysis : wanted)
        expect(is.completedThisIteration).toEqual(kept)
        expect(unless(is, 'analysis', 'completedThisIteration')).toEqual(
          unless(was, 'analysis', 'completedThisIteration'),
        )
        expect(setCompletedThisIteration(after, items)).toBe(after)
      }),
      { numRuns: 300 },
    )
  })

  it('gives back every byte around the section it edits', () => {
    const around = fc.array(noise, { maxLength: 12 }).map((lines) => lines.join('\n'))
    fc.assert(
      fc.property(around, around, (above, below) => {
        const whole = (status: string, log: string): string =>
          `# Progress: X\n${above}\n## Status\n\n${status}\n\n## Mine\n${below}\n## Iteration Log\n${table}${log}\n\nend`
        const before = whole('old status', '')
        const { status, sections } = parseProgressFile(before)
        fc.pre(status === 'old status' && sections.length === 2)
        expect(appendIteration(setStatus(before, 'new'), row)).toBe(whole('new', '\n| 3 | now | 1s | 2 | a |'))
      }),
      { numRuns: 300 },
    )
  })
})
