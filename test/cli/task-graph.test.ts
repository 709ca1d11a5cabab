import { beforeAll, describe, expect, it } from 'vitest'
import { inProcess, type InProcess, sharedInProcess } from '../rig/in-process.ts'
import { printed, refused, scratch } from '../rig/scratch.ts'

const STATUSES = 'open, active, waiting, done, skipped, split, deleted'

let standing: InProcess
beforeAll(async () => {
  standing = sharedInProcess()
  const { ok } = standing
  for (const id of ['a', 'b', 'c', 'fin', 'gone']) await ok('create', id, id)
  await ok('block', 'b', '--by', 'a')
  await ok('block', 'c', '--by', 'b')
  await ok('claim', 'fin')
  await ok('done', 'fin')
  await ok('delete', 'gone')
  return standing.remove
})

describe('ralph task block and unblock', () => {
  it('make a task wait, and let it go on', () => {
    const { task, ok } = scratch()
    for (const id of ['a', 'b']) ok('create', id, id)
    expect(task('block', 'a', '--by', 'b')).toEqual(printed('blocked a by b\n'))
    expect(ok('plan-status')).toBe('1 open, 0 active, 0 done, 1 blocked, 0 deleted\n')
    expect(task('claim', 'a')).toEqual(refused(2, 'Task not eligible'))
    expect(task('unblock', 'a', '--by', 'b')).toEqual(printed('unblocked a from b\n'))
    expect(ok('claim', 'a')).toMatch(/^## Task a\n/)
  })

  it('blocking twice is no error, and once is enough to unblock', async () => {
    const { task, ok } = inProcess()
    for (const id of ['a', 'b']) await ok('create', id, id)
    for (let times = 0; times < 2; times += 1)
      expect(await task('block', 'a', '--by', 'b')).toEqual(printed('blocked a by b\n'))
    expect(await task('unblock', 'a', '--by', 'b')).toEqual(printed('unblocked a from b\n'))
    expect(await task('unblock', 'a', '--by', 'b')).toEqual(refused(2, 'dependency not found'))
  })

  it.each([
    ['done', async (repo: InProcess) => (await repo.ok('claim', 'b')) && (await repo.ok('done', 'b'))],
    ['deleted', (repo: InProcess) => repo.ok('delete', 'b')],
  ])('a blocker that is %s holds nobody up', async (_, settle) => {
    const repo = inProcess()
    for (const id of ['a', 'b']) await repo.ok('create', id, id)
    await repo.ok('block', 'a', '--by', 'b')
    await settle(repo)
    expect(await repo.ok('claim')).toMatch(/^## Task a\n/)
  })

  it.each([
    [['block'], refused(1, 'missing task ID', 'task block ID --by ID')],
    [['block', 'a'], refused(1, 'missing --by', 'task block ID --by ID')],
    [['block', 'a', '--by'], refused(1, 'missing --by', 'task block ID --by ID')],
    [['block', 'a', '--by', ''], refused(1, 'missing --by', 'task block ID --by ID')],
    [['block', 'a', '--by', 'x'], refused(2, "task 'x' not found")],
    [['block', 'a', '--by', 'gone'], refused(2, "task 'gone' not found")],
    [['block', 'gone', '--by', 'a'], refused(1, "task 'gone' is deleted and cannot be updated")],
    [['block', 'x', '--by', 'a'], refused(2, "task 'x' not found")],
    [['block', 'a', '--by', 'a'], refused(1, 'this would make a dependency cycle: a -> a')],
    [['block', 'a', '--by', 'b'], refused(1, 'this would make a dependency cycle: a -> b -> a')],
    [['block', 'a', '--by', 'c'], refused(1, 'this would make a dependency cycle: a -> c -> b -> a')],
    [['block', 'fin', '--by', 'a'], refused(1, "task 'fin' is done and cannot be updated")],
    [['unblock'], refused(1, 'missing task ID', 'task unblock ID --by ID')],
    [['unblock', 'b'], refused(1, 'missing --by', 'task unblock ID --by ID')],
    [['unblock', 'b', '--by', 'c'], refused(2, 'dependency not found')],
    [['unblock', 'b', '--by', 'x'], refused(2, 'dependency not found')],
    [['unblock', 'x', '--by', 'a'], refused(2, "task 'x' not found")],
  ])('%j changes nothing', async (words, end) => {
    expect(await standing.untouched(words)).toEqual(end)
  })
})

describe('ralph task delete', () => {
  it('takes one away from all but list --all, once and again', () => {
    const { task, ok } = scratch()
    ok('create', 'a', 'A')
    for (let times = 0; times < 2; times += 1) expect(task('delete', 'a')).toEqual(printed('deleted a\n'))
    expect(task('list')).toEqual({ code: 0, stdout: '', stderr: 'No tasks.\n' })
    expect(ok('list', '--all')).toBe('ID  P  S        CAT  TITLE  AGENT\na   2  deleted  -    A      -\n')
    expect(ok('plan-status')).toBe('0 open, 0 active, 0 done, 0 blocked, 1 deleted\n')
  })

  it('takes many away, but never what is done', async () => {
    const { task, as, ok } = inProcess()
    for (const id of ['a', 'b', 'c', 'd']) await ok('create', id, id)
    await as('ann', 'claim', 'a')
    await as('ann', 'claim', 'b')
    await as('ann', 'done', 'b')
    expect(await task('delete', '--status', 'active')).toEqual(printed('deleted 1 task\n'))
    expect(await as('ann', 'done', 'a')).toEqual(refused(1, "task 'a' is not active (status: deleted)"))
    expect(await task('delete', '--all', '--confirm')).toEqual(printed('deleted 2 tasks\n'))
    expect(await task('delete', '--all', '--confirm')).toEqual(printed('deleted 0 tasks\n'))
    expect(await ok('plan-status')).toBe('0 open, 0 active, 1 done, 0 blocked, 3 deleted\n')
  })

  const USAGE = 'task delete ID | --status a,b | --all --confirm'
  it.each([
    [['delete'], refused(1, 'missing task ID', USAGE)],
    [['delete', '--confirm'], refused(1, 'missing task ID', USAGE)],
    [['delete', 'x'], refused(2, "task 'x' not found")],
    [['delete', 'fin'], refused(1, "task 'fin' is done and cannot be deleted")],
    [['delete', '--status', 'open,done'], refused(1, 'done tasks cannot be deleted; name other statuses')],
    [['delete', '--status', 'shut'], refused(1, `unknown status 'shut', use ${STATUSES}`)],
    [['delete', '--all'], refused(1, '--all deletes every unfinished task; add --confirm')],
    [['delete', '--all', '--status', 'open'], refused(1, '--all and --status are mutually exclusive')],
    [['delete', 'a', '--all', '--confirm'], refused(1, 'a task ID and --all are mutually exclusive')],
    [['delete', 'a', '--status', 'open'], refused(1, 'a task ID and --status are mutually exclusive')],
  ])('%j changes nothing', async (words, end) => {
    expect(await standing.untouched(words)).toEqual(end)
  })
})
