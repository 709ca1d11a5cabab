import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type CommitId, taskId } from '../core/values/id.ts'
import { claimOf, DEFAULT_CLAIM } from '../core/task/claim.ts'
import { markDeleted, releaseTask } from '../core/task/task.ts'
import { BUILD, complete, progressFile, SCOPE, setUp, started } from '../../test/rig/progress-build.ts'

const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`
const tableHead =
  '| Iteration | Started | Duration | Tasks Completed | Notes |\n|-----------|---------|----------|-----------------|-------|'

describe('what came about', () => {
  it('stands in the file, and every other byte is as it was', async () => {
    const before = [
      '\uFEFF<!-- keep -->\r\n# Progress: Shop\r\n\r\n## Status\r\nIn Progress\r\n\r\n## My notes  \r\n\ttabs, trailing  \r\n```\r\n- [ ] quoted\r\n```\r\n',
      '## Tasks\r\n### Phase 1\r\n*  [x]  Old\r\n1. [ ] T1: One \r\n   - [ ] a detail\r\n- [ ] T2: Two\r\n<br>\r\n',
      '## Completed This Iteration\r\n- [x] Old\r\n## Unknown\r\n\r\n\r\nend without a line ending',
    ].join('')
    const rig = await started(before)
    await complete(rig, 'T1')
    expect(await rig.progress.refresh()).toBeNull()
    const log = `${tableHead}\n${row('1', '2026-01-18 10:00:00', '1m 0s', 'T1', 'T1: verified and merged')}`
    const after = before
      .replace('1. [ ] T1', '1. [x] T1')
      .replace('- [x] Old\r\n##', '- [x] One\r\n##')
      .concat(`\r\n\r\n## Iteration Log\r\n\r\n${log.replaceAll('\n', '\r\n')}\r\n`)
    expect(rig.read()).toBe(after)
    expect([rig.warnings, rig.files()]).toEqual([[], ['PROGRESS.md', 'state']])
  })

  it('is written once: a second look changes nothing, not even the file', async () => {
    const rig = await started(progressFile('- [ ] a', '- [ ] b'))
    await complete(rig, 'a')
    await rig.progress.refresh()
    const before = statSync(rig.path)
    await rig.progress.refresh()
    await rig.keep().refresh()
    expect([statSync(rig.path).ino, statSync(rig.path).mtimeMs]).toEqual([before.ino, before.mtimeMs])
  })

  it('is told of each iteration once it is judged', async () => {
    const rig = await started(progressFile('- [ ] a', '- [ ] b'))
    const lease = await rig.claim('a')
    await rig.iterate(lease, 'ITERATION_DONE')
    await rig.iterate(lease, null, 'the agent crashed')
    await rig.iterate(lease, 'TASK_COMPLETE')
    await rig.progress.refresh()
    expect(rig.parsed().iterationLog.map(({ iteration }) => iteration)).toEqual([1, 2])
    await rig.verify(lease, 'unit: 2 of 9 tests failed')
    await rig.progress.refresh()
    await rig.iterate(lease, 'TASK_COMPLETE')
    await rig.verify(lease, null)
    await rig.merge(lease)
    await rig.progress.refresh()
    expect(rig.parsed().iterationLog).toEqual(
      [
        ['10:00:00', '-', 'ITERATION_DONE'],
        ['10:01:00', '-', 'the agent crashed'],
        ['10:02:00', '-', 'unit: 2 of 9 tests failed'],
        ['10:03:00', 'a', 'verified and merged'],
      ].map(([started, tasksCompleted, note], at) => ({
        iteration: at + 1,
        started: `2026-01-18 ${started}`,
        duration: '1m 0s',
        tasksCompleted,
        notes: `a: ${note}`,
      })),
    )
    expect(rig.parsed().completedThisIteration).toEqual(['a'])
    expect(rig.parsed().recentAttempts).toEqual([
      'Iteration 1, 2026-01-18 10:00:00: a\n- Task a, attempt 1, iteration 1, 1m 0s, by scripted\n- Said: ITERATION_DONE\n- Outcome: ITERATION_DONE',
      'Iteration 2, 2026-01-18 10:01:00: a\n- Task a, attempt 1, iteration 2, 1m 0s, by scripted\n- Outcome: the agent crashed',
      'Iteration 3, 2026-01-18 10:02:00: a\n- Task a, attempt 1, iteration 3, 1m 0s, by scripted\n- Said: TASK_COMPLETE\n- Outcome: unit: 2 of 9 tests failed',
    ])
  })

  it('is told by the next process where the last one died before it could', async () => {
    const rig = await started(progressFile('- [ ] a', '- [ ] b'))
    const lease = await rig.claim('b')
    await rig.iterate(lease, 'TASK_STUCK')
    await complete(rig, 'a')
    await rig.keep().refresh()
    expect(rig.parsed().iterationLog.map(({ notes }) => notes)).toEqual([
      'b: lost in the woods',
      'a: verified and merged',
    ])
    expect(rig.parsed().tasks.map(({ checked }) => checked)).toEqual([true, false])
  })

  it('comes back where a person saved an old copy over it', async () => {
    const rig = await started(progressFile('- [ ] a', '- [ ] b'))
    const copy = rig.read()
    await complete(rig, 'a')
    await rig.progress.refresh()
    const told = rig.read()
    rig.save(copy)
    await rig.progress.refresh()
    expect(rig.read()).toBe(told)
  })

  it('keeps the last five attempts, each of them bounded and without the colours of a terminal', async () => {
    const rig = await started(progressFile('- [ ] a'))
    const lease = await rig.claim('a')
    for (let at = 1; at <= 7; at += 1)
      await rig.iterate(
        lease,
        'ITERATION_DONE',
        `\u001B[31m# Error ${at}\u001B[0m\0\n\`\`\`\n${'long | line\n'.repeat(9_000)}`,
      )
    await rig.progress.refresh()
    const { recentAttempts, iterationLog, tasks } = rig.parsed()
    expect(recentAttempts.map((attempt) => attempt.slice(0, 11))).toEqual(
      [3, 4, 5, 6, 7].map((number) => `Iteration ${number}`),
    )
    expect(recentAttempts.at(-1)).toContain('- Outcome: # Error 7\n```\nlong | line')
    expect(iterationLog.map(({ notes }) => notes.length)).toEqual(Array.from({ length: 7 }, () => 200))
    expect([tasks.length, rig.read().length < 15_000]).toEqual([1, true])
  })

  it('goes on with the numbers of its own build where the log has rows of another', async () => {
    const log = `${tableHead}\n${row('1', '2025-01-01 00:00:00', '9s', '-', 'mine')}`
    const rig = await started(`${progressFile('- [ ] a')}\n## Iteration Log\n\n${log}\n\nA note.\n`)
    await complete(rig, 'a')
    await rig.progress.refresh()
    expect(rig.read()).toContain(
      `${log}\n${row('1', '2026-01-18 10:00:00', '1m 0s', 'a', 'a: verified and merged')}\n\nA note.\n`,
    )
  })
})

describe('a box', () => {
  it('is emptied where there is no evidence, and the work goes on', async () => {
    const rig = await started(progressFile('- [x] old', '- [ ] a', '- [ ] b'))
    rig.save(progressFile('- [x] old', '- [x] a', '- [X] b'))
    expect(await rig.progress.refresh()).toBeNull()
    expect(rig.read()).toBe(progressFile('- [x] old', '- [ ] a', '- [ ] b'))
    expect(await rig.statuses()).toEqual({ a: 'open', b: 'open' })
  })

  it('is checked again where a person emptied that of a task that is done', async () => {
    const rig = await started(progressFile('- [ ] a', '- [ ] b'))
    await complete(rig, 'a')
    await rig.progress.refresh()
    rig.save(rig.read().replace('[x] a', '[ ] a'))
    await rig.progress.refresh()
    expect(rig.parsed().tasks.map(({ checked }) => checked)).toEqual([true, false])
  })

  it('stays as it is where a person answers for the work', async () => {
    const rig = await started(progressFile('- [ ] a', '- [ ] b'))
    const by = { by: 'person', person: 'Ann' }
    for (const id of ['a', 'b'])
      await rig.store.tasks.change(SCOPE, taskId(id), (task, now) => ({
        ...releaseTask(task, now),
        status: 'done',
        result: { commit: 'c', proof: by },
      }))
    rig.save(progressFile('- [x] a', '- [ ] b'))
    await rig.progress.refresh()
    expect(rig.read()).toBe(progressFile('- [x] a', '- [ ] b'))
  })

  it('of a task that was split is checked when all its parts are verified', async () => {
    const rig = await started(progressFile('- [ ] a', '- [ ] b'))
    const lease = await rig.claim('a')
    await rig.iterate(lease, 'TASK_STUCK')
    const parts = ['a.1', 'a.2'].map((id) => ({ id: taskId(id), text: { title: id }, deps: [] }))
    const intervention = { type: 'decomposed', technique: 'decomposition', subtasks: parts } as const
    await rig.record(lease, { type: 'intervened', taskId: taskId('a'), interventionNumber: 1, intervention })
    const boxes = async () => {
      await rig.progress.refresh()
      return rig.parsed().tasks.map(({ checked }) => checked)
    }
    expect(await boxes()).toEqual([false, false])
    await complete(rig, 'a.1')
    expect(await boxes()).toEqual([false, false])
    await complete(rig, 'a.2')
    expect(await boxes()).toEqual([true, false])
    expect(rig.parsed().iterationLog.map(({ notes }) => notes)).toEqual([
      'a: the task was split',
      'a.1: verified and merged',
      'a.2: verified and merged',
    ])
  })
})

describe('an edit of the list', () => {
  it('is taken over: new tasks, other words, another order, tasks gone, history opened again', async () => {
    const rig = await started(progressFile('- [x] old', '- [ ] T1: One', '- [ ] T2: Two'))
    await rig.progress.refresh()
    rig.save(progressFile('- [ ] T3: Three', '- [ ] T1: Once', '- [ ] old'))
    await rig.progress.refresh()
    const open = await rig.store.tasks.list(SCOPE, { statuses: ['open'] })
    expect(open.map(({ id, title }) => [id, title])).toEqual([
      ['T3', 'Three'],
      ['T1', 'Once'],
      ['old', 'old'],
    ])
    expect(open.map((task) => task.build)).toEqual([BUILD, BUILD, BUILD])
    expect((await rig.statuses())['T2']).toBe('deleted')
  })

  it('takes the lease from who works on a task that is gone', async () => {
    const rig = await started(progressFile('- [ ] a', '- [ ] b'))
    const lease = await rig.claim('a')
    rig.save(progressFile('- [ ] b'))
    await rig.progress.refresh()
    expect((await rig.task('a')).status).toBe('deleted')
    expect(await rig.store.builds.record(lease, BUILD, { type: 'waited', taskId: taskId('a') })).toEqual({
      kept: false,
    })
  })

  it('removes a task when it was saved, not when that is noticed', async () => {
    const rig = await started(progressFile('- [ ] a', '- [ ] b'))
    rig.save(progressFile('- [ ] a'))
    const saved = Math.ceil(statSync(rig.path).ctimeMs)
    rig.clock.now = saved + 3_600_000
    await rig.progress.refresh()
    expect(await rig.task('b')).toMatchObject({ status: 'deleted', updatedAt: saved })
  })

  it('does not undo what SIA rewrote', async () => {
    const rig = await started(progressFile('- [ ] T1: One', '- [ ] T2: Two'))
    const lease = await rig.claim('T1')
    await rig.iterate(lease, 'TASK_STUCK')
    const task = { title: 'A smaller one', acceptance: ['it works'] }
    const intervention = { type: 'fixed', technique: 'prompt_restructure', task } as const
    await rig.record(lease, { type: 'intervened', taskId: taskId('T1'), interventionNumber: 1, intervention })
    rig.save(progressFile('- [ ] T0: Nil', '- [ ] T1: One', '- [ ] T2: Two'))
    await rig.progress.refresh()
    await rig.keep().refresh()
    expect(await rig.task('T1')).toMatchObject({ title: 'A smaller one', acceptance: ['it works'], status: 'active' })
  })

  it('that cannot be taken over is told once, and the rest of the list counts', async () => {
    const rig = await started(progressFile('- [ ] T1: One', '- [ ] T2: Two'))
    await complete(rig, 'T1')
    rig.save(progressFile('- [ ] T1: Another', '- [ ] T3: Three'))
    await rig.progress.refresh()
    await rig.progress.refresh()
    expect(rig.warnings).toEqual([
      expect.stringMatching(/^line 9 of PROGRESS\.md: task 'T1' was done with another text;/),
    ])
    expect(await rig.statuses()).toEqual({ T1: 'done', T2: 'deleted', T3: 'open' })
    expect(rig.parsed().tasks.map(({ checked }) => checked)).toEqual([false, false])
    const allDone = { reason: 'AllTasksComplete' } as const
    expect(await rig.progress.close(allDone)).toEqual({ reason: 'HumanNeeded', detail: rig.warnings[0] })
    expect(await rig.progress.close({ reason: 'Paused' })).toEqual({ reason: 'Paused' })
    rig.save(rig.read().replace('- [ ] T1: Another\n', ''))
    expect(await rig.progress.close(allDone)).toEqual(allDone)
  })

  it('with a task that the store refuses changes no task at all', async () => {
    const rig = await started(progressFile('- [ ] a', '- [ ] b'))
    rig.save(progressFile('- [ ] a', `- [ ] T2: ${'x'.repeat(501)}`))
    await rig.progress.refresh()
    await rig.progress.refresh()
    expect(rig.warnings).toEqual([expect.stringMatching(/^line 10: the title must be one line/)])
    expect(await rig.statuses()).toEqual({ a: 'open', b: 'open' })
  })
})

describe('trouble with the file', () => {
  const plan = `${progressFile('- [ ] a', '- [ ] b', '- [ ] c')}\n## Iteration Log\n`
  type Spoil = (path: string) => void
  const troubles: [string, Spoil, RegExp][] = [
    ['gone', (path) => renameSync(path, `${path}.away`), /^cannot read .*PROGRESS\.md: there is no such file$/],
    ['empty', (path) => writeFileSync(path, ''), /^PROGRESS\.md: .* no '# Progress: NAME' heading/],
    ['without tasks', (path) => writeFileSync(path, progressFile('soon')), /^PROGRESS\.md lists no tasks;/],
    [
      'half saved',
      (path) => writeFileSync(path, plan.slice(0, plan.indexOf('- [ ] c'))),
      /^PROGRESS\.md looks half saved; it is taken over if it stays so for 10 s$/,
    ],
    ['too large', (path) => writeFileSync(path, `${plan}${' '.repeat(5_000_000)}`), /at most 4\.0;/],
    [
      'a folder',
      (path) => {
        rmSync(path)
        mkdirSync(path)
      },
      /it is not a plain file$/,
    ],
  ]
  it.each(troubles)('%s: told once, and the build goes on with what is known', async (_, spoil, sentence) => {
    const rig = await started(plan)
    await rig.progress.refresh()
    spoil(rig.path)
    for (let round = 0; round < 3; round += 1) expect(await rig.progress.refresh()).toBeNull()
    expect(rig.warnings).toEqual([expect.stringMatching(sentence)])
    expect(await rig.statuses()).toEqual({ a: 'open', b: 'open', c: 'open' })
    await complete(rig, 'a')
    rmSync(rig.path, { recursive: true, force: true })
    rig.save(plan)
    await rig.progress.refresh()
    expect(rig.parsed().tasks.map(({ checked }) => checked)).toEqual([true, false, false])
    spoil(rig.path)
    await rig.progress.refresh()
    expect(rig.warnings.length).toBe(2)
  })

  it('that looked half saved and stays so is what the person meant', async () => {
    const rig = await started(plan)
    await rig.progress.refresh()
    rig.save(progressFile('- [ ] a'))
    await rig.progress.refresh()
    expect(await rig.statuses()).toEqual({ a: 'open', b: 'open', c: 'open' })
    const old = new Date(Date.now() - 20_000)
    utimesSync(rig.path, old, old)
    await rig.progress.refresh()
    expect(await rig.statuses()).toEqual({ a: 'open', b: 'deleted', c: 'deleted' })
  })

  it('that cannot be written: the boxes are known all the same', async () => {
    const rig = await started(progressFile('- [ ] a', '- [ ] b'))
    // What cannot be taken away stands where the draft would.
    const draft = join(rig.folder, '.PROGRESS.md.ralph-draft')
    mkdirSync(draft)
    utimesSync(draft, 0, 0)
    rig.save(progressFile('- [x] a', '- [ ] b'))
    await rig.progress.refresh()
    await rig.progress.refresh()
    expect(rig.warnings).toEqual([expect.stringMatching(/^cannot write .*PROGRESS\.md/)])
    const { before } = await rig.progress.startSession(rig.folder)
    expect(before?.tasks.map(({ checked }) => checked)).toEqual([false, false])
  })
})

describe('RALPH_DONE', () => {
  const withMarker = (text: string): string => text.replace('In Progress', 'All is well.\nRALPH_DONE')

  it('ends the build with every task verified', async () => {
    const rig = await started(progressFile('- [x] old', '- [ ] a', '- [ ] b', '- [ ] c'))
    await complete(rig, 'a')
    await complete(rig, 'b')
    rig.save(withMarker(progressFile('- [x] old', '- [ ] a', '- [ ] b')))
    expect(await rig.progress.refresh()).toEqual({ reason: 'RalphDoneMarker' })
    expect(rig.parsed().tasks.map(({ checked }) => checked)).toEqual([true, true, true])
  })

  it('is a claim where tasks have no evidence, and names them', async () => {
    const rig = await started(progressFile('- [ ] a', '- [ ] b', '- [ ] c', '- [ ] d', '- [ ] e'))
    await complete(rig, 'a')
    const change = (id: string, to: object) =>
      rig.store.tasks.change(SCOPE, taskId(id), (task, now) => ({ ...releaseTask(task, now), ...to }))
    await change('b', { status: 'done', result: { commit: 'c' as CommitId, proof: { by: 'person', person: 'Ann' } } })
    await change('c', { status: 'skipped' })
    await change('d', { status: 'waiting' })
    rig.save(withMarker(progressFile('- [x] a', '- [x] b', '- [x] c', '- [x] d', '- [x] e')))
    expect(await rig.progress.refresh()).toEqual({
      reason: 'UnverifiedDone',
      detail: 'Not verified: b, c, d, e; take RALPH_DONE out of PROGRESS.md to go on.',
    })
  })

  it('counts tasks of the build that the file does not list', async () => {
    const rig = await setUp()
    rig.save(progressFile('- [ ] a'))
    await rig.importFile()
    const other = { ...(await rig.task('a')), id: taskId('other'), spec: null }
    await rig.store.tasks.create(SCOPE, other)
    await rig.start()
    await complete(rig, 'a')
    rig.save(withMarker(rig.read()))
    expect(await rig.keep().refresh()).toMatchObject({
      reason: 'UnverifiedDone',
      detail: expect.stringMatching(/: other;/),
    })
  })

  it('is no end where nothing was verified at all', async () => {
    const rig = await started(progressFile('- [x] old', '- [ ] a'))
    await rig.store.tasks.change(SCOPE, taskId('a'), markDeleted)
    rig.save(withMarker(progressFile('- [x] old')))
    expect(await rig.progress.refresh()).toEqual({
      reason: 'UnverifiedDone',
      detail: 'There is no task that was verified; take RALPH_DONE out of PROGRESS.md to go on.',
    })
  })

  it('elsewhere, or in a sentence, says nothing', async () => {
    const rig = await started(`${progressFile('- [ ] a')}\n## Notes\n\nRALPH_DONE\n`)
    rig.save(rig.read().replace('In Progress', 'When all is done, write RALPH_DONE here.'))
    expect(await rig.progress.refresh()).toBeNull()
  })
})

describe('an answer that is a whole file', () => {
  const text = `${progressFile('- [ ] a', '- [ ] b')}\n## Recent Attempts\n`

  it('brings its news into the file and new tasks into the store', async () => {
    const rig = await started(text)
    await rig.progress.refresh()
    const lease = await rig.claim('a')
    const session = await rig.progress.startSession(join(rig.folder, 'state'))
    expect(session.before).toEqual(rig.parsed())
    const answer = text.replace('- [ ] b', '- [x] b\n- [ ] c').replace('[ ] a', '[x] a')
    await session.takeOver(answer, await rig.task('a'), 'task a')
    await rig.progress.refresh()
    const note = '### What does not count, task a\n\n- Checked without having been worked on: b'
    expect(rig.read()).toBe(`${text.replace('- [ ] b', '- [ ] b\n- [ ] c')}\n${note}\n`)
    expect(await rig.statuses()).toEqual({ a: 'active', b: 'open', c: 'open' })
    expect(lease.task).toBe('a')
  })

  it('does not say what its new tasks claim; a person’s line does', async () => {
    const rig = await started(text)
    await rig.progress.refresh()
    await rig.claim('a')
    const session = await rig.progress.startSession(join(rig.folder, 'state'))
    await session.takeOver(text.replace('- [ ] b', '- [ ] b\n- [ ] docs: c {#c}'), await rig.task('a'), 'task a')
    await rig.progress.refresh()
    expect(claimOf(await rig.task('c'))).toEqual(DEFAULT_CLAIM)
    expect((await rig.task('b')).fixedClaim).toBeNull()
    rig.save(rig.read().replace('docs: c', 'docs: the c').replace('- [ ] b', '- [ ] b\n- [ ] Rename d {#d}'))
    await rig.progress.refresh()
    expect([claimOf(await rig.task('c')).claim, claimOf(await rig.task('d')).claim]).toEqual(['none', 'none'])
  })

  it('of who has lost the task changes nothing', async () => {
    const rig = await started(text)
    await rig.progress.refresh()
    await rig.claim('a')
    const task = await rig.task('a')
    const session = await rig.progress.startSession(rig.folder)
    await rig.store.tasks.change(SCOPE, taskId('a'), (held, now) => ({ ...releaseTask(held, now), status: 'open' }))
    await rig.claim('a')
    await session.takeOver(text.replace('- [ ] b', '- [ ] b\n- [ ] c'), task, 'task a')
    expect(rig.read()).toBe(text)
  })

  it('copied from the file in its folder is no news', async () => {
    const rig = await started(text)
    await rig.progress.refresh()
    await rig.claim('a')
    const own = text.replace('- [ ] b', '- [ ] older')
    mkdirSync(join(rig.folder, 'work'))
    writeFileSync(join(rig.folder, 'work', 'PROGRESS.md'), own)
    const session = await rig.progress.startSession(join(rig.folder, 'work'))
    await session.takeOver(own.replace('[ ] a', '[x] a'), await rig.task('a'), 'task a')
    expect(rig.read()).toBe(text)
  })

  it('keeps what a person saved during the session', async () => {
    const rig = await started(text)
    await rig.progress.refresh()
    await rig.claim('a')
    const session = await rig.progress.startSession(join(rig.folder, 'state'))
    const edited = text.replace('- [ ] b', '- [ ] b\n- [ ] mine')
    rig.save(edited)
    await session.takeOver(text.replace('- [ ] b', '- [ ] c\n- [ ] b'), await rig.task('a'), 'task a')
    expect(readFileSync(rig.path, 'utf8')).toBe(edited.replace('- [ ] b', '- [ ] c\n- [ ] b'))
    expect(await rig.statuses()).toEqual({ a: 'active', b: 'open', c: 'open', mine: 'open' })
  })
})

it('loops that look at once write one row for each iteration', async () => {
  const rig = await started(progressFile('- [ ] a', '- [ ] b', '- [ ] c'))
  const again = rig.keep()
  await complete(rig, 'a')
  await complete(rig, 'b')
  await Promise.all([rig.progress, rig.progress, again, again].map((keeper) => keeper.refresh()))
  expect(rig.parsed().iterationLog.map(({ iteration, tasksCompleted }) => [iteration, tasksCompleted])).toEqual([
    [1, 'a'],
    [2, 'b'],
  ])
  expect(rig.warnings).toEqual([])
})
