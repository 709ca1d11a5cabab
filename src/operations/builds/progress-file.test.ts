import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { taskId } from '../../core/values/id.ts'
import { newTask, markCompleted, claimTask } from '../../core/task/task.ts'
import { complete, progressFile, SCOPE, setUp, SPEC } from '../../../test/rig/progress-build.ts'
import { importProgressFile } from './progress-file.ts'

const counts = ({
  inserted,
  updated,
  deleted,
  skippedDone,
}: Awaited<ReturnType<typeof importProgressFile>>['diff']) => [
  inserted.length,
  updated.length,
  deleted.length,
  skippedDone,
]

describe('importProgressFile', () => {
  it('takes over what is open, in the order of the file, and leaves what was checked as history', async () => {
    const rig = await setUp()
    rig.save(
      progressFile('- [x] T0: Plan', '- [ ] T2: Login', '  With a form.', '', '### Later', '', '- [ ] T1: Logout'),
    )
    const { name, diff, doneBefore } = await rig.importFile()
    expect([name, counts(diff), doneBefore]).toEqual(['Shop', [2, 0, 0, 0], []])
    const tasks = await rig.store.tasks.list(SCOPE, {})
    expect(tasks.map(({ id, title, description, spec: of }) => [id, title, description, of])).toEqual([
      ['T2', 'Login', 'With a form.', SPEC],
      ['T1', 'Logout', null, SPEC],
    ])
  })

  it('changes nothing the second time', async () => {
    const rig = await setUp()
    rig.save(progressFile('- [ ] a', '- [ ] b'))
    await rig.importFile()
    const before = await rig.store.tasks.list(SCOPE, {})
    rig.clock.now += 1_000
    expect(counts((await rig.importFile()).diff)).toEqual([0, 0, 0, 0])
    expect(await rig.store.tasks.list(SCOPE, {})).toEqual(before)
  })

  it('follows edits: new, other words, another order, gone', async () => {
    const rig = await setUp()
    rig.save(progressFile('- [ ] T1: One', '- [ ] T2: Two', '- [ ] T3: Three'))
    await rig.importFile()
    rig.save(progressFile('- [ ] T0: Nil', '- [ ] T3: Three', '- [ ] T1: Once'))
    expect(counts((await rig.importFile()).diff)).toEqual([1, 2, 1, 0])
    const open = await rig.store.tasks.list(SCOPE, { statuses: ['open'] })
    expect(open.map(({ id, title }) => [id, title])).toEqual([
      ['T0', 'Nil'],
      ['T3', 'Three'],
      ['T1', 'Once'],
    ])
    expect(await rig.statuses()).toMatchObject({ T2: 'deleted' })
  })

  it('deletes what is gone also where nothing but history is left', async () => {
    const rig = await setUp()
    rig.save(progressFile('- [x] old', '- [ ] new'))
    await rig.importFile()
    await rig.store.tasks.create(SCOPE, newTask(taskId('mine'), { title: 'of no file' }, [], 0))
    rig.save(progressFile('- [x] old'))
    expect(counts((await rig.importFile()).diff)).toEqual([0, 0, 1, 0])
    expect(await rig.statuses()).toEqual({ new: 'deleted', mine: 'open' })
  })

  it('leaves done tasks untouched, and says which of them the file shows as open', async () => {
    const rig = await setUp()
    rig.save(progressFile('- [ ] a', '- [ ] b'))
    await rig.importFile()
    await rig.start()
    await complete(rig, 'a')
    const done = await rig.task('a')
    const { diff, doneBefore } = await rig.importFile()
    expect([counts(diff), doneBefore]).toEqual([[0, 0, 0, 1], ['a']])
    expect(await rig.task('a')).toEqual(done)
  })

  it('keeps what was rewritten in the store until the file says something new', async () => {
    const rig = await setUp()
    rig.save(progressFile('- [ ] T1: One', '- [ ] T2: Two'))
    await rig.importFile()
    const rewrite = (title: string) => rig.store.tasks.change(SCOPE, taskId('T1'), (task) => ({ ...task, title }))
    await rewrite('Better')
    rig.save(progressFile('- [ ] T2: Two', '- [ ] T1: One'))
    await rig.importFile()
    expect(await rig.task('T1')).toMatchObject({ title: 'Better', priority: 1 })
    rig.save(progressFile('- [ ] T2: Two', '- [ ] T1: Best'))
    await rig.importFile()
    expect(await rig.task('T1')).toMatchObject({ title: 'Best' })
  })

  it('takes a task that belongs to no spec into the group, unless it is settled', async () => {
    const rig = await setUp()
    const loose = newTask(taskId('T1'), { title: 'Loose' }, [], 0)
    await rig.store.tasks.create(SCOPE, loose)
    rig.save(progressFile('- [ ] T1: One'))
    await rig.importFile()
    expect(await rig.task('T1')).toMatchObject({ title: 'One', spec: SPEC, status: 'open' })
  })
})

describe('importProgressFile refuses', () => {
  const bad: [string, string | Uint8Array, RegExp][] = [
    ['no heading', '# Shop\n\n## Tasks\n\n- [ ] a\n', /PROGRESS\.md: .*no '# Progress: NAME' heading/],
    ['an empty file', '', /no '# Progress: NAME' heading/],
    ['no tasks', progressFile('nothing'), /^PROGRESS\.md lists no tasks; add lines like '- \[ \] Title'/],
    ['10 MB', `${progressFile('- [ ] a')}${' '.repeat(10 * 1024 * 1024)}`, /has 10\.0 MB .* at most 4\.0;/],
    ['other bytes than UTF-8', Buffer.from([...Buffer.from(progressFile('- [ ] a')), 0xff]), /is not UTF-8/],
  ]
  it.each(bad)('%s', async (_, text, message) => {
    const rig = await setUp()
    rig.save(text)
    await expect(rig.importFile()).rejects.toMatchObject({
      code: 'PROGRESS_FILE_BAD',
      message: expect.stringMatching(message),
    })
    expect(await rig.statuses()).toEqual({})
  })

  it('a title that is too long, by its line', async () => {
    const rig = await setUp()
    rig.save(progressFile('- [ ] a', `- [ ] T2: ${'x'.repeat(501)}`))
    await expect(rig.importFile()).rejects.toMatchObject({
      code: 'PLAN_LINE_BAD',
      message: expect.stringMatching(/^line 10: the title /),
    })
    expect(await rig.statuses()).toEqual({})
  })

  it('a file that is not there, by its name; a folder; a link in a circle', async () => {
    const rig = await setUp()
    mkdirSync(join(rig.folder, 'folder.md'))
    symlinkSync('circle.md', join(rig.folder, 'circle.md'))
    const refusals: [string, RegExp][] = [
      ['gone.md', /^cannot read .*\/gone\.md: there is no such file$/],
      ['folder.md', /^cannot read .*\/folder\.md: it is not a plain file$/],
      ['circle.md', /^cannot read .*\/circle\.md: its links go in a circle$/],
    ]
    for (const [file, message] of refusals) {
      const call = importProgressFile({ store: rig.store, scope: SCOPE }, { path: join(rig.folder, file), spec: file })
      await expect(call).rejects.toMatchObject({ code: 'FILE_UNREADABLE', message: expect.stringMatching(message) })
    }
  })

  it('an id that stands for other work, done with another text', async () => {
    const rig = await setUp()
    rig.save(progressFile('- [ ] T1: One', '- [ ] T2: Two'))
    await rig.importFile()
    await rig.start()
    await complete(rig, 'T1')
    rig.save(progressFile('- [ ] T1: Something else', '- [ ] T2: Two'))
    await expect(rig.importFile()).rejects.toMatchObject({
      code: 'PROGRESS_FILE_BAD',
      message:
        "line 9 of PROGRESS.md: task 'T1' was done with another text; give this one another id, for example with {#T1-b} at the end of its line",
    })
    rig.save(progressFile('- [x] T1: One, with more words', '- [ ] T2: Two'))
    expect(counts((await rig.importFile()).diff)).toEqual([0, 0, 0, 1])
  })

  it.each([
    ['of another spec', 'OTHER.md', 'open', /belongs to OTHER\.md/],
    ['of no spec and done', null, 'done', /belongs to no spec/],
  ] as const)('an id %s', async (_, spec, status, message) => {
    const rig = await setUp()
    const open = newTask(taskId('T1'), { title: 'One', spec }, [], 0)
    const agent = 'ann' as Parameters<typeof claimTask>[1]
    await rig.store.tasks.create(
      SCOPE,
      status === 'open' ? open : markCompleted(claimTask(open, agent, 60, 0), agent, null, 0),
    )
    const before = await rig.store.tasks.list(SCOPE, {})
    rig.save(progressFile('- [ ] T1: One', '- [ ] T2: Two'))
    await expect(rig.importFile()).rejects.toMatchObject({ message: expect.stringMatching(message) })
    expect(await rig.store.tasks.list(SCOPE, {})).toEqual(before)
  })
})
