// A human's acts on a task, from any process.
import { describe, expect, it } from 'vitest'
import { apply } from '../../core/attempt/attempt.ts'
import type { OperatorCause } from '../../core/fact/fact.ts'
import { taskId } from '../../core/values/id.ts'
import { markDeleted } from '../../core/task/task.ts'
import { commit, outcomes, splitInto, toDone, toWaiting, tree } from './outcomes.conformance.ts'
import {
  attemptOf,
  begin,
  build,
  BUILD,
  claim,
  drive,
  expectNothingChanged,
  found,
  type OpenStore,
  plant,
  refused,
  SCOPE,
  setUp,
  start,
} from './rig.conformance.ts'

const on = { taskId: taskId('a'), by: 'ada' }
const resolved = { type: 'taskResolved', ...on, text: 'I made the table', tree: tree('t9') } as const
const words = {
  retry: { type: 'taskRetried', ...on },
  answer: { type: 'taskAnswered', ...on, text: 'use the old table' },
  resolve: { ...resolved, accepted: 'if-verified' },
  'resolve unverified': { ...resolved, accepted: 'unverified' },
} as const satisfies Record<string, OperatorCause>

export function describeWords(open: OpenStore): void {
  describe('tell', () => {
    it.for(Object.entries(words))('%s: the task is free for any loop, and goes on from there', async ([, word]) => {
      const rig = await setUp(open)
      await start(rig, { a: [] })
      const lease = await claim(rig, 'a')
      await drive(rig, lease, toWaiting('a'))
      const before = { attempt: await attemptOf(rig, 'a'), task: await found(rig, 'a') }
      rig.pass(10)
      const attempt = apply(before.attempt, word)
      const teller = await rig.again()
      expect(await teller.builds.tell(BUILD, word)).toEqual(attempt)
      expect(await attemptOf(rig, 'a')).toEqual(attempt)
      expect((await rig.store.builds.facts(BUILD, 0, 99)).at(-1)).toMatchObject({ at: rig.now(), fact: word })
      const { task } = before
      expect(await found(rig, 'a')).toEqual({ ...task, status: 'open', fence: task.fence + 1, updatedAt: rig.now() })
      const next = await claim(rig, 'a', 'loop-2')
      expect(next.fence).toBeGreaterThan(lease.fence)
      expect(await begin(rig, next)).toEqual({ kept: true, resumed: false })
    })

    it('skip: the task is settled and holds nobody up', async () => {
      const rig = await setUp(open)
      await start(rig, { a: [], b: ['a'] })
      await drive(rig, await claim(rig, 'a'), toWaiting('a'))
      await rig.store.builds.tell(BUILD, { type: 'taskSkipped', ...on })
      expect((await found(rig, 'a')).status).toBe('skipped')
      expect((await rig.store.tasks.claimable(SCOPE, 9)).map((one) => one.id)).toEqual(['b'])
    })

    it('skip: also a task that was never begun, with its first attempt; what is saved is not replaced', async () => {
      const rig = await setUp(open)
      await rig.store.builds.create(SCOPE, build(rig), [])
      await plant(rig, { a: [], b: ['a'] })
      const first = await attemptOf(rig, 'a')
      const skipped = { type: 'taskSkipped', ...on } as const
      expect(await rig.store.builds.tell(BUILD, skipped, first)).toEqual(apply(first, skipped))
      expect(await found(rig, 'a')).toMatchObject({ status: 'skipped', build: BUILD })
      expect(await attemptOf(rig, 'a')).toEqual(apply(first, skipped))
      expect((await rig.store.tasks.claimable(SCOPE, 9)).map((one) => one.id)).toEqual(['b'])
      expect((await rig.store.builds.facts(BUILD, 1, 9)).map(({ fact }) => fact)).toEqual([skipped])
      const twice = () => refused(rig.store.builds.tell(BUILD, skipped, first))
      expect(await expectNothingChanged(rig, twice)).toMatchObject(['FACT_REFUSED', expect.stringContaining('settled')])
    })

    it('a message is for the first who takes it, also when that one comes again', async () => {
      const rig = await setUp(open)
      await start(rig, { a: [] })
      const fact = { type: 'messageLeft', by: 'ada', text: 'use the old table' } as const
      const said = (id: string, text: string) => ({ kind: 'message', id, by: 'ada', text, taker: null }) as const
      expect(await rig.store.builds.takeMessages(BUILD, 'a/1/1')).toEqual([])
      await rig.store.builds.note(BUILD, fact, [said('1', 'use the old table'), said('2', 'and be quick')])
      expect((await rig.store.builds.facts(BUILD, 0, 99)).at(-1)?.fact).toEqual(fact)
      const other = await rig.again()
      const both = await Promise.all([
        rig.store.builds.takeMessages(BUILD, 'a/1/1'),
        other.builds.takeMessages(BUILD, 'b/1/1'),
      ])
      expect(both).toEqual([['use the old table', 'and be quick'], []])
      await rig.store.builds.note(BUILD, fact, [said('3', 'no hurry')])
      expect(await other.builds.takeMessages(BUILD, 'a/1/1')).toEqual(['use the old table', 'and be quick', 'no hurry'])
      expect(await other.builds.takeMessages(BUILD, 'a/1/2')).toEqual([])
    })

    it('revert: a merged task is open again', async () => {
      const rig = await setUp(open)
      await start(rig, { a: [], b: ['a'] })
      await drive(rig, await claim(rig, 'a'), toDone('a'))
      await rig.store.builds.tell(BUILD, { type: 'taskReverted', ...on, commit: commit('c1') })
      expect(await found(rig, 'a')).toMatchObject({ status: 'open', result: null, assignee: null })
      expect((await rig.store.tasks.claimable(SCOPE, 9)).map((one) => one.id)).toEqual(['a'])
    })

    it('a row that was written past the engine follows its attempt again', async () => {
      const rig = await setUp(open)
      await start(rig, { a: [], b: [], c: [], d: [] })
      await drive(rig, await claim(rig, 'a'), toDone('a'))
      await drive(rig, await claim(rig, 'b'), [...toWaiting('b').slice(0, 1), splitInto('b', [{ id: 'b1' }])])
      const lease = await claim(rig, 'c')
      await begin(rig, lease)
      const first = await attemptOf(rig, 'd')
      for (const id of ['a', 'b', 'c', 'd']) {
        await rig.store.tasks.change(SCOPE, taskId(id), (task) => ({ ...task, status: 'skipped' }))
        const begun = id === 'd' ? {} : { attempt: 1 }
        const fact: OperatorCause = { type: 'statusRejected', taskId: taskId(id), status: 'skipped', ...begun }
        await rig.store.builds.tell(BUILD, fact, first)
        expect((await refused(rig.store.builds.tell(BUILD, fact)))?.[0]).toBe('FACT_REFUSED')
      }
      const rows = await Promise.all(['a', 'b', 'c', 'd'].map((id) => found(rig, id)))
      expect(rows.map(({ status, assignee }) => [status, assignee])).toEqual([
        ['done', null],
        ['split', null],
        ['open', null],
        ['open', null],
      ])
      const numbers = ['c', 'd'].map(async (id) => (await rig.store.builds.attempt(BUILD, taskId(id)))?.number)
      expect(await Promise.all(numbers)).toEqual([2, 1])
      expect(await rig.store.builds.record(lease, BUILD, outcomes('c').complete)).toEqual({ kept: false })
    })

    it('takes the task from the loop that works on it', async () => {
      const rig = await setUp(open)
      await start(rig, { a: [] })
      const lease = await claim(rig, 'a')
      await begin(rig, lease)
      await rig.store.builds.tell(BUILD, { type: 'taskSkipped', ...on })
      const record = () => rig.store.builds.record(lease, BUILD, outcomes('a').complete)
      expect(await expectNothingChanged(rig, record)).toEqual({ kept: false })
    })

    it('what does not fit is refused and changes nothing', async () => {
      const rig = await setUp(open)
      await start(rig, { a: [], b: [] })
      await begin(rig, await claim(rig, 'a'))
      const tell =
        (fact: OperatorCause, build = BUILD) =>
        () =>
          refused(rig.store.builds.tell(build, fact))
      const early = await expectNothingChanged(rig, tell(words.retry))
      expect(early).toMatchObject(['FACT_REFUSED', expect.stringContaining('it must be waiting')])
      expect(await expectNothingChanged(rig, tell({ ...words.retry, taskId: taskId('b') }))).toEqual([
        'ATTEMPT_NOT_FOUND',
        "task 'b' has no attempt in this build yet",
      ])
      expect(await expectNothingChanged(rig, tell({ ...words.retry, taskId: taskId('nobody') }))).toEqual([
        'TASK_NOT_FOUND',
        "task 'nobody' not found",
      ])
      expect(await expectNothingChanged(rig, tell(words.retry, 'b9' as typeof BUILD))).toEqual([
        'BUILD_NOT_FOUND',
        "build 'b9' not found",
      ])
    })

    it('brings no deleted task back', async () => {
      const rig = await setUp(open)
      await start(rig, { a: [] })
      await drive(rig, await claim(rig, 'a'), toWaiting('a'))
      await rig.store.tasks.change(SCOPE, taskId('a'), markDeleted)
      const tell = () => refused(rig.store.builds.tell(BUILD, words.retry))
      const expected = ['TASK_DELETED', "task 'a' is deleted and cannot be updated"]
      expect(await expectNothingChanged(rig, tell)).toEqual(expected)
    })
  })
}
