import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RalphError } from '../error/error.ts'
import { taskId } from '../values/id.ts'
import { parseProgressFile, type ProgressContent, type ProgressFile } from './progress-file.ts'
import { SECTIONS } from './progress-outline.ts'
import type { ProgressTask } from './progress-tasks.ts'

const file = `# Progress: Login

## Status

In Progress
since Monday

Anna: keep the old cookie.

## Analysis

Two parts.

\`\`\`md
# Progress: an example
## Status
RALPH_DONE
## Tasks
- [ ] no task
\`\`\`

\\## an escaped heading

## Tasks

- [ ] Prepare

### Phase 1: Server

- [x] Add the login route
  Answers 401.
  - [ ] also this
- [ ] T2: Add the logout route

### Phase 2

- [X] Add the login route

## Testing Strategy

Unit tests.

## Completed This Iteration

- [x] Add the login route
- plain

## Recent Attempts

### Iteration 1

- Tried: a
- Result: b

### Iteration 2
- Tried: c

## Iteration Log

| Iteration | Started | Duration | Tasks Completed | Notes |
|-----------|---------|----------|-----------------|-------|
| 1 | 2026-01-17 10:00 | 5m 30s | 1 | Initial \\| run |
| total | | | | |
| 2 |
`

const task = (id: string, title: string, more: Partial<ProgressTask> = {}): ProgressTask => ({
  id: taskId(id),
  title,
  phase: null,
  checked: false,
  detail: '',
  ...more,
})

const content: ProgressContent = {
  name: 'Login',
  status: 'In Progress\nsince Monday',
  analysis: `Two parts.

\`\`\`md
# Progress: an example
## Status
RALPH_DONE
## Tasks
- [ ] no task
\`\`\`

## an escaped heading`,
  tasks: [
    task('prepare', 'Prepare'),
    task('add-the-login-route', 'Add the login route', {
      phase: 'Phase 1: Server',
      checked: true,
      detail: 'Answers 401.\n- [ ] also this',
    }),
    task('T2', 'Add the logout route', { phase: 'Phase 1: Server' }),
    task('add-the-login-route-2', 'Add the login route', { phase: 'Phase 2', checked: true }),
  ],
  testingStrategy: 'Unit tests.',
  completedThisIteration: ['Add the login route', 'plain'],
  recentAttempts: ['Iteration 1\n- Tried: a\n- Result: b', 'Iteration 2\n- Tried: c'],
  iterationLog: [
    { iteration: 1, started: '2026-01-17 10:00', duration: '5m 30s', tasksCompleted: '1', notes: 'Initial | run' },
    { iteration: 2, started: '', duration: '', tasksCompleted: '', notes: '' },
  ],
}

const nothing: ProgressFile = {
  name: '',
  status: '',
  saysDone: false,
  analysis: '',
  tasks: [],
  testingStrategy: '',
  completedThisIteration: [],
  recentAttempts: [],
  iterationLog: [],
  sections: [],
}

describe('parseProgressFile', () => {
  const whole: ProgressFile = { ...content, saysDone: false, sections: SECTIONS }
  const layouts: [string, string][] = [
    ['LF', file],
    ['CRLF', file.replaceAll('\n', '\r\n')],
    ['a byte order mark', `\uFEFF${file}`],
    ['front matter', `---\nphase: 1\n---\n\n${file}`],
    ['no line ending at the end', file.trimEnd()],
    ['no blank lines below headings', file.replace(/^(#+ .*)\n\n/gm, '$1\n')],
  ]
  it.each(layouts)('reads a file with %s', (_, text) => {
    expect(parseProgressFile(text)).toEqual(whole)
  })

  const odd: [string, string, Partial<ProgressFile>][] = [
    ['only a heading', '# Progress: X', { name: 'X' }],
    ['a heading without name', '#  progress:', { name: '' }],
    ['a heading below other text', 'Hello\n\n# Notes\n\n# Progress: A: B #2', { name: 'A: B #2' }],
    [
      'sections in another order and spelling, some twice, some unknown',
      '# Progress: X\n## Notes\nRALPH_DONE\n## tasks ##\n- [ ] a\n## STATUS:\ngo\n## Tasks\n- [ ] b\n# Other\n- [ ] c',
      { name: 'X', status: 'go', tasks: [task('a', 'a')], sections: ['Tasks', 'Status'] },
    ],
    [
      'a section that only begins like one of ours',
      '# Progress: X\n## Status quo\nRALPH_DONE\n## Tasks to come\n- [ ] a',
      { name: 'X' },
    ],
    [
      'a fence that is never closed: the tasks below it are still to be done',
      '# Progress: X\n## Analysis\n```\n## Tasks\n- [ ] a',
      { name: 'X', analysis: '```', tasks: [task('a', 'a')], sections: ['Analysis', 'Tasks'] },
    ],
    [
      'attempts as bullets, and prose that is none',
      '# Progress: X\n## Recent Attempts\nnone yet\n- one\n  more\n\n* two\n### Three\n- part of three',
      { name: 'X', recentAttempts: ['one\nmore', 'two', 'Three\n- part of three'], sections: ['Recent Attempts'] },
    ],
    [
      'a log without table',
      '# Progress: X\n## Iteration Log\n| 1 | a | b | c | d |\n- 2',
      { name: 'X', sections: ['Iteration Log'] },
    ],
  ]
  it.each(odd)('reads %s', (_, text, expected) => {
    expect(parseProgressFile(text)).toEqual({ ...nothing, ...expected })
  })

  const statuses: [string, boolean][] = [
    ['RALPH_DONE', true],
    ['In Progress\n\n  RALPH_DONE  \n', true],
    ['RALPH_DONE\nAll is well.', true],
    ['RALPH_DONE - all is well', false],
    ['not RALPH_DONE', false],
    ['**RALPH_DONE**', false],
    ['ralph_done', false],
    ['```\nRALPH_DONE\n```', false],
    ['<!--\nRALPH_DONE\n-->', false],
    ['### Later\nRALPH_DONE', true],
    ['# Other\nRALPH_DONE', false],
    ['## Notes\nRALPH_DONE', false],
  ]
  it.each(statuses)('status %j says done: %s', (status, saysDone) => {
    expect(parseProgressFile(`# Progress: X\n## Status\n${status}`).saysDone).toBe(saysDone)
  })

  it('refuses a text without heading', () => {
    const refused = (text: string): unknown => {
      try {
        return parseProgressFile(text)
      } catch (error) {
        return error instanceof RalphError && [error.code, error.message]
      }
    }
    const expected = [
      'PROGRESS_FILE_BAD',
      "the progress file has no '# Progress: NAME' heading; put one on its first line",
    ]
    const texts = ['', '## Status', '```\n# Progress: X\n```', ' # Progress: X', '# Progress', '## Progress: X']
    expect(texts.map(refused)).toEqual(texts.map(() => expected))
  })

  it('takes any other text as it is', () => {
    const line = fc.constantFrom(
      ...file.split('\n'),
      '```',
      '<!--',
      '-->',
      '| a |',
      '|-|',
      '- [ ]',
      '  - [x] y',
      '###',
      '\t',
      '[T1] x',
    )
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const text = ['# Progress: X', ...lines].join('\n')
        const { tasks } = parseProgressFile(text)
        expect(new Set(tasks.map(({ id }) => id)).size).toBe(tasks.length)
        expect(tasks.map(({ id }) => taskId(id))).toEqual(tasks.map(({ id }) => id))
      }),
    )
  })
})
