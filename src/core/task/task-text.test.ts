// The bounds of a task's texts, and the required content of a result.
import { describe, expect, it } from 'vitest'
import { refused } from '../../../test/arbitraries/refusal.ts'
import { taskId } from '../values/id.ts'
import { taskResult } from './task-result.ts'
import { newTask, rewriteTask, type Task, type TaskText } from './task.ts'

const make = (text: Partial<TaskText>) => newTask(taskId('x'), { title: 'X', ...text }, [], 1)

describe('a new task', () => {
  it('is open, held by nobody, with defaults for what is not said', () => {
    expect(newTask(taskId('x'), { title: 'X' }, [taskId('b'), taskId('a'), taskId('b')], 7)).toEqual({
      id: 'x',
      title: 'X',
      description: null,
      priority: 2,
      category: null,
      spec: null,
      ref: null,
      steps: [],
      type: null,
      acceptance: [],
      filesExpected: [],
      deps: ['b', 'a'],
      fixedClaim: null,
      status: 'open',
      build: null,
      assignee: null,
      leaseExpiresAt: null,
      heldBy: null,
      reportedDone: null,
      fence: 0,
      retryCount: 0,
      failReason: null,
      result: null,
      createdAt: 7,
      updatedAt: 7,
    })
  })
})

describe('rewriting', () => {
  it('changes what is said and keeps the rest, also while someone works on it', () => {
    const was: Task = { ...make({ category: 'ui', steps: ['one'] }), status: 'active', fence: 3, retryCount: 1 }
    expect(rewriteTask(was, { title: 'Y', steps: [] }, 9)).toEqual({ ...was, title: 'Y', steps: [], updatedAt: 9 })
  })
})

describe('bounds', () => {
  const line = (field: string) => ['TASK_LINE_BAD', `the ${field} must be one line of at most 500 characters`]
  const text = (field: string) => [
    'TASK_TEXT_BAD',
    `${field} is longer than 65536 characters, or holds a NUL or half a character`,
  ]
  const priority = ['PRIORITY_BAD', '-p (priority) must be a non-negative integer']
  const missing = ['TASK_TITLE_MISSING', 'missing task title']
  const megabyte = 'x'.repeat(1_048_576)

  it.each<[name: string, said: Partial<TaskText>, refusal: unknown]>([
    ['an empty title', { title: '' }, missing],
    ['a title of white space', { title: ' \t\n' }, missing],
    ['a title of 500 characters', { title: 'x'.repeat(500) }, null],
    ['a title of 501 characters', { title: 'x'.repeat(501) }, line('title')],
    ['a title of 1 MB', { title: megabyte }, line('title')],
    ['a title with a NUL', { title: 'a\0b' }, line('title')],
    ['a title with a newline', { title: 'a\nb' }, line('title')],
    ['a title with a carriage return', { title: 'a\rb' }, line('title')],
    ['a title with an escape', { title: 'a\u001b[31mb' }, line('title')],
    ['a title with a line separator', { title: 'a\u2028b' }, line('title')],
    ['a title with a paragraph separator', { title: 'a\u2029b' }, line('title')],
    ['a title with half a surrogate pair', { title: 'a\ud800b' }, line('title')],
    ['a title in any script', { title: 'Füge 登录 hinzu 👩‍💻' }, null],
    ['a category of two lines', { category: 'a\nb' }, line('category')],
    ['a spec of 501 characters', { spec: 'x'.repeat(501) }, line('spec')],
    ['a ref with a NUL', { ref: '\0' }, line('ref')],
    ['a description of many lines', { description: 'a\nb\n' }, null],
    ['a description of 65,536 characters', { description: 'x'.repeat(65_536) }, null],
    ['a description of 65,537 characters', { description: 'x'.repeat(65_537) }, text('description')],
    ['a description with a NUL', { description: 'a\0' }, text('description')],
    ['a description with half a surrogate pair', { description: '\udc00' }, text('description')],
    ['a step of 1 MB', { steps: ['a', megabyte] }, text('a step')],
    ['an acceptance with a NUL', { acceptance: ['\0'] }, text('a step')],
    ['an expected file with a NUL', { filesExpected: ['\0'] }, text('a step')],
    ['priority 0', { priority: 0 }, null],
    ['a negative priority', { priority: -1 }, priority],
    ['half a priority', { priority: 0.5 }, priority],
    ['no number', { priority: Number.NaN }, priority],
    ['no end', { priority: Number.POSITIVE_INFINITY }, priority],
    ['more than a number can hold', { priority: 2 ** 53 }, priority],
  ])('%s', (_, said, refusal) => {
    expect(refused(() => make(said))).toEqual(refusal)
    expect(refused(() => rewriteTask(make({}), said, 9))).toEqual(refusal)
  })
})

describe('a result', () => {
  const bad = ['RESULT_BAD', 'result must be a JSON object']

  it.each<[json: string, refusal: unknown]>([
    ['', bad],
    ['{', bad],
    ['null', bad],
    ['[]', bad],
    ['"commit"', bad],
    ['1', bad],
    ['{}', ['RESULT_WITHOUT_COMMIT', "result JSON must include a 'commit' key"]],
    ['{"Commit":"abc"}', ['RESULT_WITHOUT_COMMIT', "result JSON must include a 'commit' key"]],
  ])('%j is refused', (json, refusal) => {
    expect(refused(() => taskResult(json))).toEqual(refusal)
  })

  it.each(['{"commit":"abc"}', '{"commit":null,"files":["a.ts"],"nested":{"x":1}}'])('%j is kept whole', (json) => {
    expect(taskResult(json)).toEqual(JSON.parse(json))
  })
})
