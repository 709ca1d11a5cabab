import { beforeAll, describe, expect, it } from 'vitest'
import { inProcess, type InProcess, sharedInProcess } from '../rig/in-process.ts'
import { jsonl, printed, refused, scratch } from '../rig/scratch.ts'

const counts = (inserted: number, updated: number, deleted: number, done: number) =>
  printed(`inserted: ${inserted}, updated: ${updated}, deleted: ${deleted}, skipped (done): ${done}\n`)

describe('ralph task plan-sync', () => {
  it('takes over a plan by difference', () => {
    const { plan, as, ok } = scratch()
    const a = { id: 'a', t: 'A', d: 'About', p: 1, cat: 'feat', spec: 's', ref: 'r', steps: ['one'] }
    const b = { id: 'b', title: 'B', spec: 's', deps: ['a'] }
    const c = { id: 'c', t: 'C', spec: 's' }
    const other = { id: 'o', t: 'O', spec: 'other' }
    expect(plan(b, a, c, other)).toEqual(counts(4, 0, 0, 0))
    expect(plan(a, b, c)).toEqual(counts(0, 0, 0, 0))
    as('ann', 'claim', 'a')
    as('ann', 'done', 'a')
    expect(plan({ ...a, t: 'Else' }, { ...b, t: 'B2', deps: [] }, { id: 'd', t: 'D', spec: 's' })).toEqual(
      counts(1, 1, 1, 1),
    )
    expect(JSON.parse(ok('list', '--all', '--json'))).toMatchObject([
      { id: 'a', title: 'A', description: 'About', category: 'feat', ref: 'r', steps: ['one'], status: 'done' },
      { id: 'b', title: 'B2', priority: 2, deps: [], status: 'open' },
      { id: 'c', status: 'deleted' },
      { id: 'o', status: 'open' },
      { id: 'd', status: 'open' },
    ])
    expect(ok('plan-status')).toBe('3 open, 0 active, 1 done, 0 blocked, 1 deleted\n')
  })

  it('brings a deleted task back', async () => {
    const { plan, ok } = inProcess()
    await ok('create', 'a', 'A')
    await ok('delete', 'a')
    expect(await plan({ id: 'a', t: 'A again' })).toEqual(counts(1, 0, 0, 0))
    expect(await ok('peek')).toBe('## Task a\nid: a\ntitle: A again\npriority: 2\nstatus: open\n')
  })

  it.each([
    ['nothing', ''],
    ['empty lines', '\n  \n\n'],
  ])('%s is a plan of no tasks', async (_, input) => {
    expect(await inProcess().ralph(['task', 'plan-sync'], { input })).toEqual(counts(0, 0, 0, 0))
  })

  it('skips empty lines, takes Windows line ends, a byte order mark and a last line without an end', async () => {
    const input = '\uFEFF{"id": "a", "t": "A"}\r\n\r\n\n{"id": "b", "t": "B"}'
    expect(await inProcess().ralph(['task', 'plan-sync'], { input })).toEqual(counts(2, 0, 0, 0))
  })

  it('takes 5,000 tasks at once', async () => {
    const { plan, ok } = inProcess()
    const items = Array.from({ length: 5_000 }, (_, n) => ({
      id: `t${n}`,
      t: `Task ${n}`,
      deps: n === 0 ? [] : ['t0'],
    }))
    expect(await plan(...items)).toEqual(counts(5_000, 0, 0, 0))
    expect(await ok('plan-status')).toBe('1 open, 0 active, 0 done, 4999 blocked, 0 deleted\n')
  })
})

describe('a plan with a fault', () => {
  let standing: InProcess
  beforeAll(async () => {
    standing = sharedInProcess()
    await standing.plan({ id: 'old', t: 'Old', spec: 's' }, { id: 'older', t: 'Older', spec: 's', deps: ['old'] })
    return standing.remove
  })

  const good = { id: 'good', t: 'Good', spec: 's' }
  const line = (n: number, problem: string) => refused(1, `line ${n}: ${problem}; nothing was written`)
  const ID = 'a task ID is 1 to 128 characters without white space or control characters'
  it.each([
    [
      'is not JSON',
      `${jsonl([good, { id: 'b', t: 'B' }])}{"id": \n${jsonl([
        { id: 'd', t: 'D' },
        { id: 'e', t: 'E' },
      ])}`,
      line(3, 'it is not valid JSON'),
    ],
    ['is not an object', `${jsonl([good])}\n\n[1]`, line(4, 'it is not a JSON object')],
    ['has no id', jsonl([good, { t: 'T' }]), line(2, 'missing task ID')],
    ['has no title', jsonl([good, { id: 'n' }]), line(2, 'missing task title')],
    ['has a title that is a number', jsonl([{ id: 'n', t: 1 }]), line(1, "'t' must be a string")],
    [
      'has a title of 1 MB',
      jsonl([{ id: 'n', t: 'x'.repeat(1_000_000) }]),
      line(1, 'the title must be one line of at most 500 characters'),
    ],
    ['has a NUL in its id', jsonl([{ id: 'a\0b', t: 'T' }]), line(1, ID)],
    ['has a line break in its id', jsonl([{ id: 'a\nb', t: 'T' }]), line(1, ID)],
    [
      'has a NUL in its description',
      jsonl([{ id: 'n', t: 'T', d: '\0' }]),
      line(1, 'description is longer than 65536 characters, or holds a NUL or half a character'),
    ],
    [
      'has a negative priority',
      jsonl([good, { id: 'n', t: 'T', p: -1 }]),
      line(2, '-p (priority) must be a non-negative integer'),
    ],
    [
      'has half a priority',
      jsonl([{ id: 'n', t: 'T', p: 1.5 }]),
      line(1, '-p (priority) must be a non-negative integer'),
    ],
    [
      'has a huge priority',
      '{"id": "n", "t": "T", "p": 1e300}',
      line(1, '-p (priority) must be a non-negative integer'),
    ],
    ['has a priority that is a string', jsonl([{ id: 'n', t: 'T', p: '1' }]), line(1, "'p' must be a number")],
    [
      'has steps of another kind',
      jsonl([{ id: 'n', t: 'T', steps: [{}] }]),
      line(1, "'steps' must be a list of at most 1000 strings"),
    ],
    ['repeats an id', jsonl([good, { id: 'b', t: 'B' }, good]), line(3, "'good' stands on line 1 already")],
    ['waits for nobody there', jsonl([good, { id: 'n', t: 'T', deps: ['x'] }]), line(2, "dependency 'x' not found")],
    ['waits for what the plan deletes', jsonl([{ ...good, deps: ['old'] }]), line(1, "dependency 'old' not found")],
    [
      'waits for itself',
      jsonl([{ id: 'n', t: 'T', deps: ['n'] }]),
      refused(1, 'this would make a dependency cycle: n -> n'),
    ],
    [
      'closes a cycle',
      jsonl([
        { id: 'old', t: 'Old', spec: 's', deps: ['older'] },
        { id: 'older', t: 'Older', spec: 's', deps: ['old'] },
      ]),
      refused(1, 'this would make a dependency cycle: old -> older -> old'),
    ],
    [
      'is not UTF-8',
      Buffer.from('{"id": "n", "t": "caf\xe9"}', 'latin1'),
      refused(1, 'cannot read the plan on stdin: it is not valid UTF-8'),
    ],
  ])('where a line %s, is refused and nothing is written', async (_, input, end) => {
    expect(await standing.untouched(['plan-sync'], { input })).toEqual(end)
  })
})

describe('ralph task plan-status', () => {
  it('counts zeros where nothing is, and makes no tasks of it', async () => {
    expect(await inProcess().task('plan-status')).toEqual(printed('0 open, 0 active, 0 done, 0 blocked, 0 deleted\n'))
  })

  it('counts each task once', () => {
    const { plan, ok, task } = scratch()
    plan(...['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, t: id })), { id: 'f', t: 'F', deps: ['a'] })
    ok('claim', 'b')
    ok('claim', 'c')
    ok('done', 'c')
    ok('delete', 'd')
    expect(task('plan-status')).toEqual(printed('2 open, 1 active, 1 done, 1 blocked, 1 deleted\n'))
    expect(task('plan-status', 'x')).toEqual(refused(1, 'unexpected argument x', 'task plan-status'))
  })
})
