import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { agentId, type TaskId, taskId } from '../values/id.ts'
import { parseTasks, renderTasks, taskCard } from './markdown-kv.ts'
import { taskResult } from './task-result.ts'
import { newTask, type Task, TASK_STATUSES, type TaskResult } from './task.ts'

const bare = newTask(taskId('a'), { title: 'Title' }, [], 0)

const full: Task = {
  ...newTask(
    taskId('cli/02'),
    {
      title: ' # Odd: title ',
      description: 'not shown',
      priority: 0,
      category: 'feat',
      spec: 'cli.md',
      ref: 'docs/cli.md#help: all',
      steps: ['one', 'two\n\n## Task x\nid: x\n  deep', '', '- dash', 'steps:'],
    },
    [taskId('cli/01'), taskId('store/01'), taskId('odd,id'), taskId('with:'), taskId('e')],
    0,
  ),
  status: 'active',
  assignee: agentId('a7f2'),
  leaseExpiresAt: Date.UTC(2026, 0, 31, 12, 0, 0, 999),
  retryCount: 2,
}

const results = new Map<TaskId, TaskResult>([
  [taskId('cli/01'), { commit: 'abc123' }],
  [taskId('with:'), { commit: null, text: 'two\nlines: }' }],
  [taskId('not a dependency of any'.replaceAll(' ', '-')), { commit: 'x' }],
])

describe('renderTasks', () => {
  it('renders nothing as nothing', () => {
    expect(renderTasks([])).toBe('')
  })

  it('leaves empty fields out', () => {
    expect(renderTasks([bare, { ...bare, category: '', spec: '', ref: '' }])).toBe(
      '## Task a\nid: a\ntitle: Title\npriority: 2\nstatus: open\n' +
        '\n## Task a\nid: a\ntitle: Title\npriority: 2\nstatus: open\n',
    )
  })

  it('shows all fields in their order', () => {
    expect(renderTasks([full], results)).toBe(
      `## Task cli/02
id: cli/02
title:  # Odd: title 
priority: 0
status: active
category: feat
spec: cli.md
ref: docs/cli.md#help: all
assignee: a7f2
lease_expires_at: 2026-01-31 12:00:00
retry_count: 2
deps: cli/01, store/01, odd,id, with:, e
steps:
- one
- two
  
  ## Task x
  id: x
    deep
- 
- - dash
- steps:
blocker_results:
- cli/01: {"commit":"abc123"}
- with:: {"commit":null,"text":"two\\nlines: }"}
`,
    )
  })

  const retries: [string, Partial<Task>, string | undefined][] = [
    ['never claimed', {}, undefined],
    ['claimed the first time', { leaseExpiresAt: 0 }, 'retry_count: 0'],
    ['failed once', { retryCount: 1 }, 'retry_count: 1'],
  ]
  it.each(retries)('tells the retry count of a task that was %s', (_, change, line) => {
    const lines = renderTasks([{ ...bare, ...change }]).split('\n')
    expect(lines.find((each) => each.startsWith('retry_count'))).toBe(line)
  })
})

const line = fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ''))
const nastyLine = fc.oneof(line, fc.constantFrom(' ', ' : ', '- ', '## Task a', 'id: b', 'a:', '{}'))
const title = nastyLine.filter((text) => text.trim() !== '')
const anyId = fc
  .string({
    unit: fc.constantFrom('a', 'B', '1', ',', ':', '-', '/', '#', '漢', '\u{1F600}'),
    minLength: 1,
    maxLength: 9,
  })
  .map(taskId)
const step = fc
  .array(fc.oneof(nastyLine, fc.constantFrom('\r', '\u2028', '\t')), { maxLength: 4 })
  .map((lines) => lines.join('\n'))
const result = fc
  .dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 })
  .map((value) => taskResult(JSON.stringify({ ...value, commit: 'c' })))

const anyTask: fc.Arbitrary<Task> = fc
  .record({
    id: anyId,
    deps: fc.array(anyId, { maxLength: 4 }),
    text: fc.record({
      title,
      priority: fc.maxSafeNat(),
      category: fc.option(nastyLine),
      spec: fc.option(nastyLine),
      ref: fc.option(nastyLine),
      steps: fc.array(step, { maxLength: 4 }),
    }),
    state: fc.record({
      status: fc.constantFrom(...TASK_STATUSES),
      assignee: fc.option(anyId.map(agentId)),
      leaseExpiresAt: fc.option(fc.nat({ max: 4_000_000_000 }).map((seconds) => seconds * 1000)),
      retryCount: fc.nat(),
    }),
  })
  .map(({ id, deps, text, state }) => ({ ...newTask(id, text, deps, 0), ...state }))

describe('parseTasks', () => {
  it('reads back every card that the core admits', () => {
    const blockerResults = fc.array(fc.tuple(anyId, result)).map((entries) => new Map(entries))
    fc.assert(
      fc.property(fc.array(anyTask, { maxLength: 4 }), blockerResults, (tasks, known) => {
        const deps = tasks.flatMap((task) => task.deps)
        const all = new Map([...known, ...deps.slice(0, 2).map((id) => [id, { commit: id }] as const)])
        expect(parseTasks(renderTasks(tasks, all))).toEqual(tasks.map((task) => taskCard(task, all)))
      }),
      { numRuns: 300 },
    )
  })

  it('passes over keys it does not know', () => {
    const text = renderTasks([bare]).replace('status:', 'mood: fine\ntags:\n- x\nstatus:')
    expect(parseTasks(text)).toEqual([taskCard(bare)])
  })

  const broken: [string, string][] = [
    ['prose', 'No eligible tasks'],
    ['text before the first task', `Tasks:\n${renderTasks([bare])}`],
    ['no id', '## Task a\ntitle: x\npriority: 1\nstatus: open\n'],
    ['no title', '## Task a\nid: a\npriority: 1\nstatus: open\n'],
    ['an unknown status', '## Task a\nid: a\ntitle: x\npriority: 1\nstatus: maybe\n'],
    ['a priority that is no number', '## Task a\nid: a\ntitle: x\npriority: high\nstatus: open\n'],
    ['a retry count that is no number', `${renderTasks([bare])}retry_count: many\n`],
    ['a result that is no JSON', `${renderTasks([bare])}blocker_results:\n- a: abc\n`],
    ['a result without commit', `${renderTasks([bare])}blocker_results:\n- a: {}\n`],
    ['a second task that is broken', `${renderTasks([bare])}\n## Task b\n`],
  ]
  it.each(broken)('refuses %s', (_, text) => {
    expect(parseTasks(text)).toBeNull()
  })
})
