import { beforeAll, describe, expect, it } from 'vitest'
import { inProcess, type InProcess, sharedInProcess } from '../rig/in-process.ts'
import { printed, refused, scratch, timeless } from '../rig/scratch.ts'

const CREATE =
  'task create ID TITLE [-p N] [-c CATEGORY] [-d TEXT] [-s STEPS_JSON] [-r SPEC_REF] [--ref REF] [--type TYPE] [--files A,B] [--deps A,B]'

const UPDATE =
  'task update ID [-t TITLE] [-p N] [-c CATEGORY] [-d TEXT] [-s STEPS_JSON] [-r SPEC_REF] [--ref REF] [--type TYPE] [--files A,B] [--status STATUS]'

let standing: InProcess
beforeAll(async () => {
  standing = sharedInProcess()
  for (const id of ['a', 'fin', 'gone']) await standing.ok('create', id, id)
  await standing.ok('claim', 'fin')
  await standing.ok('done', 'fin')
  await standing.ok('delete', 'gone')
  return standing.remove
})

describe('ralph task create', () => {
  it('prints the id and keeps every field', () => {
    const { task, ok } = scratch()
    expect(task('create', 'db/01', 'Make the schema')).toEqual(printed('db/01\n'))
    const flags = ['-p', '0', '-c', 'feat', '-d', 'In two\nlines', '-s', '["Write","Try"]', '-r', 'specs/api.md']
    expect(task('create', 'api/01', "It's a task", ...flags, '--ref', '#12', '--deps', 'db/01')).toEqual(
      printed('api/01\n'),
    )
    const [first, second] = JSON.parse(timeless(ok('list', '--json')))
    expect(first).toEqual({
      id: 'api/01',
      title: "It's a task",
      description: 'In two\nlines',
      priority: 0,
      status: 'open',
      category: 'feat',
      spec: 'specs/api.md',
      ref: '#12',
      type: null,
      claim: 'behaviour',
      claim_from: 'default',
      reported: false,
      steps: ['Write', 'Try'],
      acceptance: [],
      files_expected: [],
      deps: ['db/01'],
      assignee: null,
      lease_expires_at: null,
      retry_count: 0,
      fail_reason: null,
      result: null,
      created_at: 'TIME',
      updated_at: 'TIME',
    })
    expect(second).toMatchObject({ id: 'db/01', priority: 2, description: null, category: null, steps: [], deps: [] })
  })

  it('takes a type and expected files, and says what the task claims', () => {
    const { task, ok } = scratch()
    const shown = (id: string) => JSON.parse(ok('show', id, '--json')) as Record<string, unknown>
    ok('create', 'guide', 'Explain the limits', '--type', 'docs', '--files', 'docs/**, ./README.md,src/*.{js,ts}')
    expect(shown('guide')).toMatchObject({
      type: 'docs',
      claim: 'none',
      claim_from: 'type',
      files_expected: ['docs/**', 'README.md', 'src/*.{js,ts}'],
    })
    expect(ok('show', 'guide')).toMatch(/^Claims: {6}no new behaviour \(its type is docs\)$/m)
    ok('update', 'guide', '--type', '', '--files', '', '-t', 'refactor(limits): one table')
    expect(shown('guide')).toMatchObject({ type: null, claim: 'none', claim_from: 'title', files_expected: [] })
    expect(ok('show', 'guide')).toMatch(
      /^Claims: {6}no new behaviour \(its title begins with "refactor\(limits\):"\)$/m,
    )
    ok('update', 'guide', '--type', 'api')
    expect(shown('guide')).toMatchObject({ type: 'api', claim: 'behaviour', claim_from: 'type' })
    expect(task('create', 'x', 'X', '--type', 'nope')).toEqual(
      refused(1, "unknown type 'nope', use setup, database, api, ui, integration, test, docs, refactor, chore"),
    )
  })

  it('takes long flags, flags with =, flags before the words, and dependencies one by one', async () => {
    const { task, ok } = inProcess()
    for (const id of ['a', 'b', 'c']) await ok('create', id, id)
    const words = ['--priority=1', '--category', 'x', 'd', '--deps', 'a, b', '--deps=c', '--', '-v: be verbose']
    expect(await task('create', ...words)).toEqual(printed('d\n'))
    expect(JSON.parse(await ok('show', 'd', '--json'))).toMatchObject({
      title: '-v: be verbose',
      priority: 1,
      category: 'x',
      deps: ['a', 'b', 'c'],
    })
  })

  it.each([
    ['no id', ['create'], refused(1, 'missing task ID', CREATE)],
    ['an empty id', ['create', '', 'T'], refused(1, 'missing task ID', CREATE)],
    ['no title', ['create', 'n'], refused(1, 'missing task title', CREATE)],
    ['a blank title', ['create', 'n', ' \t'], refused(1, 'missing task title', CREATE)],
    ['one word too many', ['create', 'n', 'T', 'x'], refused(1, 'unexpected argument x', CREATE)],
    ['a flag without its value', ['create', 'n', 'T', '-p'], refused(1, '-p needs a value', CREATE)],
    ['an unknown flag', ['create', 'n', 'T', '--prio', '1'], refused(1, 'unknown flag --prio', CREATE)],
    ['a value where none is taken', ['create', 'n', 'T', '--json=1'], refused(1, '--json takes no value', CREATE)],
    ['an id that exists', ['create', 'a', 'T'], refused(1, "task 'a' already exists (status: open)")],
    ['an unknown dependency', ['create', 'n', 'T', '--deps', 'a,x'], refused(1, "dependency 'x' not found")],
    ['itself as dependency', ['create', 'n', 'T', '--deps', 'n'], refused(1, "dependency 'n' not found")],
    ['steps that are no JSON', ['create', 'n', 'T', '-s', '[1'], refused(1, 'steps must be a JSON array of strings')],
    ['steps of another kind', ['create', 'n', 'T', '-s', '[1]'], refused(1, 'steps must be a JSON array of strings')],
  ])('refuses %s and writes nothing', async (_, words, end) => {
    expect(await standing.untouched(words)).toEqual(end)
  })

  const PRIORITY = '-p (priority) must be a non-negative integer'
  it.each([
    ['-1', PRIORITY],
    ['1.5', PRIORITY],
    ['1e3', PRIORITY],
    ['0x10', PRIORITY],
    ['', PRIORITY],
    [' 1', PRIORITY],
    ['high', PRIORITY],
    ['9007199254740992', '-p (priority) must be at most 9007199254740991'],
    ['99999999999999999999999', '-p (priority) must be at most 9007199254740991'],
  ])('refuses the priority %j', async (priority, sentence) => {
    expect(await standing.untouched(['create', 'n', 'T', '-p', priority])).toEqual(refused(1, sentence))
  })

  it('takes the largest priority there is', async () => {
    const { task, ok } = inProcess()
    expect(await task('create', 'n', 'T', '-p', '9007199254740991')).toEqual(printed('n\n'))
    expect(await ok('peek')).toContain('priority: 9007199254740991\n')
  })

  const ID = 'a task ID is 1 to 128 characters without white space or control characters'
  it.each([['a b'], ['a\nb'], ['a\tb'], ['\u001b[31m'], ['a\u200bb'], ['x'.repeat(129)]])(
    'refuses the id %j',
    async (id) => {
      expect(await standing.untouched(['create', id, 'T'])).toEqual(refused(1, ID))
    },
  )

  it.each([['x'.repeat(128)], ['größe/日本-1'], ["o'clock"], ['--']])('takes the id %j', async (id) => {
    const { ralph, ok } = inProcess()
    expect(await ralph(['task', 'create', '--', id, 'T'])).toEqual(printed(`${id}\n`))
    expect(await ok('peek')).toBe(`## Task ${id}\nid: ${id}\ntitle: T\npriority: 2\nstatus: open\n`)
  })

  it.each([
    ['of two lines', 'a\nb'],
    ['with a control character', 'a\u001b[2Jb'],
    ['of 100 KB', 'x'.repeat(100_000)],
  ])('refuses a title %s', async (_, title) => {
    expect(await standing.untouched(['create', 'n', title])).toEqual(
      refused(1, 'the title must be one line of at most 500 characters'),
    )
  })
})

describe('ralph task update', () => {
  it('changes what is given and nothing else; an empty value clears', async () => {
    const { task, ok } = inProcess()
    await ok('create', 'a', 'A', '-c', 'feat', '-d', 'Text', '-s', '["one"]', '-p', '3')
    const before = JSON.parse(timeless(await ok('show', 'a', '--json')))
    expect(await task('update', 'a', '--title', 'New', '-p', '1', '-c', '', '--steps', '["x","y"]')).toEqual(
      printed('updated a\n'),
    )
    const after = JSON.parse(timeless(await ok('show', 'a', '--json')))
    expect(after).toEqual({ ...before, title: 'New', priority: 1, category: null, steps: ['x', 'y'] })
    expect(await task('update', 'a', '-d', '', '-s', '')).toEqual(printed('updated a\n'))
    expect(JSON.parse(timeless(await ok('show', 'a', '--json')))).toEqual({ ...after, description: null, steps: [] })
  })

  it('moves a task as fail, done and delete do', async () => {
    const { task, as, ok } = inProcess()
    for (const id of ['a', 'b', 'c']) await ok('create', id, id)
    for (const id of ['a', 'b']) await ok('claim', id, '--agent', 'ann')
    const notHers = refused(1, "agent 'bob' is not the assignee of task 'a'")
    expect(await as('bob', 'update', 'a', '--status', 'open')).toEqual(notHers)
    expect(await as('ann', 'update', 'a', '--status', 'open', '-t', 'Again')).toEqual(printed('updated a\n'))
    expect(await task('update', 'b', '--status', 'done')).toEqual(printed('updated b\n'))
    expect(await task('update', 'c', '--status', 'deleted')).toEqual(printed('updated c\n'))
    expect(JSON.parse(await ok('list', '--all', '--json'))).toMatchObject([
      { id: 'a', status: 'open', title: 'Again', assignee: null, retry_count: 1 },
      { id: 'b', status: 'done' },
      { id: 'c', status: 'deleted' },
    ])
  })

  it.each([
    [['update'], refused(1, 'missing task ID', UPDATE)],
    [['update', 'a'], refused(1, 'no fields to update; give at least one', UPDATE)],
    [['update', 'a', '-t', ' '], refused(1, 'missing task title', UPDATE)],
    [['update', 'a', '-p', '-1'], refused(1, '-p (priority) must be a non-negative integer')],
    [['update', 'x', '-p', '1'], refused(2, "task 'x' not found")],
    [['update', 'fin', '-p', '1'], refused(1, "task 'fin' is done and cannot be updated")],
    [['update', 'gone', '-p', '1'], refused(1, "task 'gone' is deleted and cannot be updated")],
    [['update', 'a', '--status', 'done'], refused(1, "task 'a' is not active (status: open)")],
    [['update', 'a', '--status', 'active'], refused(1, "unknown status 'active', use open, done, deleted")],
  ])('refuses %j and changes nothing', async (words, end) => {
    expect(await standing.untouched(words)).toEqual(end)
  })
})
