import { describe, expect, it } from 'vitest'
import { taskId } from '../values/id.ts'
import {
  appendAttempt,
  appendIteration,
  checkTask,
  setAnalysis,
  setCompletedThisIteration,
  setStatus,
  uncheckTask,
} from './progress-edit.ts'
import type { IterationRow } from './progress-log.ts'

const row: IterationRow = { iteration: 3, started: 'now', duration: '1s', tasksCompleted: '2', notes: 'a|b\\c' }
const rowLine = '| 3 | now | 1s | 2 | a\\|b\\\\c |'
const head = [
  '| Iteration | Started | Duration | Tasks Completed | Notes |',
  '|-----------|---------|----------|-----------------|-------|',
].join('\n')

type Edit = (text: string) => string
const status: Edit = (text) => setStatus(text, 'Go\n\n# on')
const analysis: Edit = (text) => setAnalysis(text, '\n```\n# a\n```\n\n## b\n')
const completed: Edit = (text) => setCompletedThisIteration(text, ['A', 'two\nlines', ''])
const attempt: Edit = (text) => appendAttempt(text, 'Iteration 9\n\n## red\n```')
const iteration: Edit = (text) => appendIteration(text, row)
const check: Edit = (text) => checkTask(text, taskId('b'))

const cases: [string, Edit, string, string][] = [
  ['ticks a box', check, '## Tasks\n* [ ] a\n 1. [ ]  b \n- [ ] b', '## Tasks\n* [ ] a\n 1. [x]  b \n- [ ] b'],
  ['ticks no box in a fence', check, '## Tasks\n```\n- [ ] b\n```\n- [ ] c', '## Tasks\n```\n- [ ] b\n```\n- [ ] c'],
  ['ticks no box in another section', check, '## Notes\n- [ ] b\n## Tasks', '## Notes\n- [ ] b\n## Tasks'],
  ['unticks a box', (text) => uncheckTask(text, taskId('b')), '## Tasks\n- [X] b', '## Tasks\n- [ ] b'],

  ['sets the status', status, '## Status\nold\nolder\n\nnote\n', '## Status\nGo\n\\# on\n\nnote\n'],
  ['sets a status that is missing', status, '## Status\n## Tasks', '## Status\n\nGo\n\\# on\n\n## Tasks'],
  ['sets a status at the very end', status, '## Status', '## Status\n\nGo\n\\# on\n'],
  [
    'keeps a comment in the status',
    status,
    '## Status\n<!-- old -->\n\n## Tasks\n',
    '## Status\n<!-- old -->\n\nGo\n\\# on\n\n## Tasks\n',
  ],
  ['leaves the status where none is given', (text) => setStatus(text, ' \n'), '## Status\nold', '## Status\nold'],

  [
    'sets the analysis',
    analysis,
    '## Analysis\n\n\nold\n\nolder\n\n\n## Tasks',
    '## Analysis\n\n\n```\n# a\n```\n\n\\## b\n\n\n## Tasks',
  ],
  [
    'escapes the fences of an analysis where one is left open elsewhere',
    analysis,
    '## Analysis\nold\n## Notes\n```\n',
    '## Analysis\n\\```\n\\# a\n\\```\n\n\\## b\n## Notes\n```\n',
  ],

  [
    'lists what was completed',
    completed,
    '## Completed This Iteration',
    '## Completed This Iteration\n\n- [x] A\n- [x] two lines\n',
  ],
  [
    'replaces the bullets of what was completed, and nothing else',
    completed,
    '## Completed This Iteration\nnote\n- a\n  more\n\nbetween\n- [x] b\nend\n',
    '## Completed This Iteration\nnote\n- [x] A\n- [x] two lines\n\nbetween\nend\n',
  ],
  [
    'replaces a bullet that has no line ending',
    completed,
    '## Completed This Iteration\n- a\nbetween\n- b',
    '## Completed This Iteration\n- [x] A\n- [x] two lines\nbetween\n',
  ],
  [
    'lists nothing',
    (text) => setCompletedThisIteration(text, []),
    '## Completed This Iteration\n\n- a\n- b\n\n## Tasks',
    '## Completed This Iteration\n\n\n## Tasks',
  ],
  ['adds no section to list nothing', (text) => setCompletedThisIteration(text, []), '## Tasks\n', '## Tasks\n'],

  [
    'adds the first attempt',
    attempt,
    '## Recent Attempts\n\n## Iteration Log\n',
    '## Recent Attempts\n\n### Iteration 9\n\n\\## red\n\\```\n\n## Iteration Log\n',
  ],
  [
    'adds an attempt below others and drops the oldest',
    (text) => appendAttempt(text, 'e', 3),
    '## Recent Attempts\nlead\n### a\nx\n\n### b\ny\n\n### c\nz\n### d\n\n\n## Iteration Log\n',
    '## Recent Attempts\nlead\n### c\nz\n### d\n\n### e\n\n\n## Iteration Log\n',
  ],
  [
    'keeps the new attempt alone',
    (text) => appendAttempt(text, 'e', 0),
    '## Recent Attempts\n\n- a\n\n- b\n\n## Notes\n',
    '## Recent Attempts\n\n### e\n\n## Notes\n',
  ],
  [
    'leaves the blank lines below attempts that it drops',
    (text) => appendAttempt(text, 'e', 1),
    '## Recent Attempts\nlead\n- a\n\n\n## Notes',
    '## Recent Attempts\nlead\n\n### e\n\n\n## Notes',
  ],
  [
    'keeps five attempts',
    (text) => appendAttempt(text, 'f'),
    '## Recent Attempts\n- a\n- b\n- c\n- d\n- e',
    '## Recent Attempts\n- b\n- c\n- d\n- e\n\n### f',
  ],
  ['adds no empty attempt', (text) => appendAttempt(text, ' \n '), '## Tasks', '## Tasks'],

  [
    'adds a row to the log',
    iteration,
    `## Iteration Log\n\n${head}\n| 1 | | | | |\n\nnote\n| x |\n`,
    `## Iteration Log\n\n${head}\n| 1 | | | | |\n${rowLine}\n\nnote\n| x |\n`,
  ],
  ['adds the first row', iteration, `## Iteration Log\n${head}`, `## Iteration Log\n${head}\n${rowLine}`],
  ['adds a table', iteration, '## Iteration Log\nnote\n', `## Iteration Log\nnote\n\n${head}\n${rowLine}\n`],
  [
    'does not end a comment that was left open',
    (text) => appendIteration(text, { ...row, notes: 'a --> b' }),
    `<!-- x\n## Iteration Log\n${head}`,
    `<!-- x\n## Iteration Log\n${head}\n| 3 | now | 1s | 2 | a --&gt; b |`,
  ],

  [
    'adds a missing section at the end',
    iteration,
    '## Tasks\n## Mine\nx',
    `## Tasks\n## Mine\nx\n\n## Iteration Log\n\n${head}\n${rowLine}\n`,
  ],
  [
    'adds a missing section behind one line ending',
    status,
    '# Progress: X\n',
    '# Progress: X\n\n## Status\n\nGo\n\\# on\n',
  ],
  [
    'adds a missing section behind a blank line',
    status,
    '# Progress: X\n\n',
    '# Progress: X\n\n## Status\n\nGo\n\\# on\n',
  ],
  ['adds a missing section to nothing', status, '', '## Status\n\nGo\n\\# on\n'],
  [
    'adds a missing section in the canonical order',
    completed,
    '## Tasks\n## Mine\n## Iteration Log\n',
    '## Tasks\n## Mine\n## Completed This Iteration\n\n- [x] A\n- [x] two lines\n\n## Iteration Log\n',
  ],
  [
    'adds a missing section at the end where the order is another',
    completed,
    '## Iteration Log\n## Tasks\n',
    '## Iteration Log\n## Tasks\n\n## Completed This Iteration\n\n- [x] A\n- [x] two lines\n',
  ],
]

describe('edits', () => {
  it.each(cases)('%s', (_, edit, before, after) => {
    expect(edit(before)).toBe(after)
  })

  it.each(cases)('%s, with CRLF', (_, edit, before, after) => {
    const crlf = (text: string): string => text.replaceAll('\n', '\r\n')
    // A file of one line has no line endings to keep.
    expect(edit(crlf(before))).toBe(before.includes('\n') ? crlf(after) : after)
  })
})
