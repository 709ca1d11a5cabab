// Builds, their logs, and their attachments.
import { describe, expect, it } from 'vitest'
import type { BuildFact } from '../../core/fact/fact.ts'
import { type BuildId, type IdeaId, taskId } from '../../core/values/id.ts'
import type { Attachment } from '../../core/builds/attachment.ts'
import type { BuildFilter } from '../store.ts'
import { outcomes, toDone } from './outcomes.conformance.ts'
import {
  begin,
  build,
  BUILD,
  claim,
  drive,
  expectNothingChanged,
  found,
  ids,
  type OpenStore,
  plant,
  refused,
  type Rig,
  SCOPE,
  setUp,
  start,
} from './rig.conformance.ts'

const OTHER = 'b2' as BuildId

const lesson = (task: string, text: string, technique: 'fresh_start' | 'tool_change' = 'fresh_start'): Attachment => ({
  kind: 'lesson',
  task: taskId(task),
  technique,
  text,
})

const log = async (rig: Rig, id: BuildId = BUILD) =>
  (await rig.store.builds.facts(id, 0, 10_000)).map(({ fact }) => fact)

export function describeBuilds(open: OpenStore): void {
  describe('create', () => {
    it('keeps the build, takes the tasks into it and says that it started', async () => {
      const rig = await setUp(open)
      await plant(rig, { a: [], b: [], c: [] })
      const before = await rig.store.tasks.list(SCOPE, {})
      rig.pass(10)
      const made = { ...build(rig), spec: 'shop', lastError: 'from before' }
      await rig.store.builds.create(SCOPE, made, ids('c', 'a'))
      expect(await rig.store.builds.find(BUILD)).toEqual(made)
      expect(await rig.store.tasks.list(SCOPE, {})).toEqual(
        before.map((one) => (one.id === 'b' ? one : { ...one, build: BUILD })),
      )
      expect(await rig.store.builds.facts(BUILD, 0, 9)).toEqual([
        { seq: 1, at: rig.now(), fact: { type: 'buildStarted', taskCount: 2 } },
      ])
      expect(await rig.store.builds.attempts(BUILD)).toEqual(new Map())
    })

    it('refuses an id that exists, in any scope', async () => {
      const rig = await setUp(open)
      await start(rig, { a: [] })
      const again = () => refused(rig.store.builds.create({ ...SCOPE, branch: 'next' }, build(rig), []))
      expect(await expectNothingChanged(rig, again)).toEqual(['BUILD_EXISTS', "build 'b1' already exists"])
    })

    it('with an unknown task leaves nothing behind', async () => {
      const rig = await setUp(open)
      await plant(rig, { a: [] })
      const create = () => refused(rig.store.builds.create(SCOPE, build(rig), ids('a', 'nobody'), [lesson('a', 'x')]))
      expect(await expectNothingChanged(rig, create)).toEqual(['TASK_NOT_FOUND', "task 'nobody' not found"])
    })
  })

  it('the newest build of a scope is the one that was created last', async () => {
    const rig = await setUp(open)
    await rig.store.builds.create(SCOPE, build(rig), [])
    rig.pass(-1_000)
    await rig.store.builds.create(SCOPE, build(rig, OTHER), [])
    await rig.store.builds.create({ ...SCOPE, branch: 'next' }, build(rig, 'b3' as BuildId), [])
    expect((await rig.store.builds.newest(SCOPE))?.id).toBe(OTHER)
    expect(await rig.store.builds.newest({ ...SCOPE, branch: 'none' })).toBeNull()
    expect(await rig.store.builds.find('b4' as BuildId)).toBeNull()
  })

  it('the unfinished builds of every scope are those that are neither complete nor aborted', async () => {
    const rig = await setUp(open)
    const states = ['running', 'paused', 'failed', 'complete', 'aborted'] as const
    for (const [at, state] of states.entries())
      await rig.store.builds.create({ ...SCOPE, branch: `b${at}` }, { ...build(rig, state as BuildId), state }, [])
    expect((await rig.store.builds.unfinished()).map(({ id }) => id)).toEqual(['running', 'paused', 'failed'])
  })

  it('lists the builds of a scope, newest first: by id, by idea, from one on', async () => {
    const rig = await setUp(open)
    const idea = 'idea-2' as IdeaId
    await rig.store.builds.create(SCOPE, build(rig), [])
    await rig.store.builds.create(SCOPE, { ...build(rig, OTHER), idea }, [])
    await rig.store.builds.create({ ...SCOPE, branch: 'next' }, build(rig, 'b3' as BuildId), [])
    await rig.store.builds.create(SCOPE, build(rig, 'b4' as BuildId), [])
    const listed = async (filter: Partial<BuildFilter>) =>
      (await rig.store.builds.list(SCOPE, { limit: 9, ...filter })).map(({ id }) => id)
    expect(await rig.store.builds.list(SCOPE, { idea, limit: 9 })).toEqual([await rig.store.builds.find(OTHER)])
    expect(await listed({})).toEqual(['b4', 'b2', 'b1'])
    expect(await listed({ limit: 2 })).toEqual(['b4', 'b2'])
    expect(await listed({ before: 'b4' as BuildId, limit: 1 })).toEqual(['b2'])
    expect(await listed({ before: BUILD })).toEqual([])
    expect(await listed({ before: 'b9' as BuildId })).toEqual([])
    expect(await listed({ id: OTHER })).toEqual(['b2'])
    expect(await listed({ id: 'b3' as BuildId })).toEqual([])
    expect(await listed({ id: BUILD, idea })).toEqual([])
  })

  it('what is kept of a build as a whole replaces what was kept before', async () => {
    const rig = await setUp(open)
    await start(rig, { a: [] })
    await rig.store.builds.keep(BUILD, [{ kind: 'drive', by: 'server' }])
    await rig.store.builds.keep(BUILD, [{ kind: 'drive', by: 'hand' }])
    expect(await rig.store.builds.attachments(BUILD, 'drive')).toEqual([{ kind: 'drive', by: 'hand' }])
    const unknown = () => refused(rig.store.builds.keep(OTHER, [{ kind: 'drive', by: 'server' }]))
    expect(await expectNothingChanged(rig, unknown)).toEqual(['BUILD_NOT_FOUND', "build 'b2' not found"])
  })

  describe('move', () => {
    it.for([
      { state: 'paused', fact: { type: 'buildPaused', by: 'ada' }, lastError: null },
      { state: 'running', fact: { type: 'buildResumed', by: 'ada' }, lastError: null },
      { state: 'aborted', fact: { type: 'buildAborted', by: 'ada' }, lastError: null },
      { state: 'complete', fact: { type: 'buildComplete' }, lastError: null },
      { state: 'failed', fact: { type: 'buildFailed', error: 'disk full' }, lastError: 'disk full' },
    ] as const)('keeps the state $state and why, together', async ({ state, fact, lastError }) => {
      const rig = await setUp(open)
      await start(rig, { a: [] })
      rig.pass(10)
      const moved = { ...(await rig.store.builds.find(BUILD)), state, lastError, lastActivityAt: rig.now() }
      expect(await rig.store.builds.move(BUILD, ['running'], state, fact)).toEqual(moved)
      expect(await rig.store.builds.find(BUILD)).toEqual(moved)
      expect((await rig.store.builds.facts(BUILD, 1, 9)).at(-1)).toEqual({ seq: 2, at: rig.now(), fact })
    })

    it('changes nothing where somebody else has moved the build meanwhile', async () => {
      const rig = await setUp(open)
      await start(rig, { a: [] })
      await rig.store.builds.move(BUILD, ['running'], 'aborted', { type: 'buildAborted', by: 'ada' })
      const late = () => rig.store.builds.move(BUILD, ['running', 'paused'], 'complete', { type: 'buildComplete' })
      expect(await expectNothingChanged(rig, late)).toBeNull()
    })

    it('of two at once exactly one moves it', async () => {
      const rig = await setUp(open)
      await start(rig, { a: [] })
      const [here, there] = [rig.store, await rig.again()]
      const moves = [
        here.builds.move(BUILD, ['running'], 'paused', { type: 'buildPaused', by: 'ada' }),
        there.builds.move(BUILD, ['running'], 'complete', { type: 'buildComplete' }),
      ]
      const states = (await Promise.all(moves)).map((moved) => moved?.state ?? null)
      expect(states.filter((state) => state !== null)).toEqual([(await rig.store.builds.find(BUILD))?.state])
      expect(await log(rig)).toHaveLength(2)
    })

    it('refuses an unknown build', async () => {
      const rig = await setUp(open)
      const move = () =>
        refused(rig.store.builds.move(BUILD, ['running'], 'paused', { type: 'buildPaused', by: 'ada' }))
      expect(await expectNothingChanged(rig, move)).toEqual(['BUILD_NOT_FOUND', "build 'b1' not found"])
    })
  })

  it('a note is a fact that moves nothing', async () => {
    const rig = await setUp(open)
    await start(rig, { a: [] })
    const before = await rig.store.builds.find(BUILD)
    const fact: BuildFact = { type: 'checkoutChanged', refs: ['HEAD'], paths: ['größe.txt'], more: 0 }
    await rig.store.builds.note(BUILD, fact)
    expect([await rig.store.builds.find(BUILD), (await log(rig)).at(-1)]).toEqual([before, fact])
    const unknown = () => refused(rig.store.builds.note(OTHER, fact))
    expect(await expectNothingChanged(rig, unknown)).toEqual(['BUILD_NOT_FOUND', "build 'b2' not found"])
  })

  describe('facts', () => {
    it('are numbered without gaps in each build, however builds and refusals interleave', async () => {
      const rig = await setUp(open)
      await start(rig, { a: [], b: [] })
      await rig.store.builds.create(SCOPE, build(rig, OTHER), ids('b'))
      const [a, b] = [await claim(rig, 'a'), await claim(rig, 'b')]
      const [toA, toB] = [toDone('a'), toDone('b')]
      for (const step of [0, 1, 2, 3]) {
        await drive(rig, a, toA.slice(step, step + 1))
        await refused(rig.store.builds.record(b, OTHER, outcomes('b').humanNeeded))
        await drive(rig, b, toB.slice(step, step + 1), OTHER)
        await rig.store.builds.record({ ...a, fence: 99 }, BUILD, outcomes('a').complete)
      }
      for (const id of [BUILD, OTHER]) {
        const seqs = (await rig.store.builds.facts(id, 0, 999)).map(({ seq }) => seq)
        expect(seqs).toEqual(Array.from({ length: 11 }, (_, index) => index + 1))
      }
      const types = (await log(rig)).map(({ type }) => type)
      expect(types).toEqual([
        ...['buildStarted', 'taskStarted', 'iterationStarted', 'iterationDone', 'verifying', 'verified', 'reviewing'],
        ...['reviewed', 'merging', 'merged', 'taskComplete'],
      ])
    })

    it('come in pages', async () => {
      const rig = await setUp(open)
      await start(rig, { a: [] })
      for (let turn = 0; turn < 3; turn += 1) {
        rig.pass(1)
        const fact: BuildFact = { type: 'buildPaused', by: `größe ${turn}` }
        await rig.store.builds.move(BUILD, ['running', 'paused'], 'paused', fact)
      }
      const all = await rig.store.builds.facts(BUILD, 0, 99)
      expect(all.map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
      const page = async (after: number, limit: number) => rig.store.builds.facts(BUILD, after, limit)
      expect(await page(0, 2)).toEqual(all.slice(0, 2))
      expect(await page(2, 2)).toEqual(all.slice(2))
      expect(await page(3, 9)).toEqual(all.slice(3))
      expect(await page(4, 9)).toEqual([])
      expect(await page(1, 0)).toEqual([])
      expect(await rig.store.builds.facts(OTHER, 0, 9)).toEqual([])
    })

    it('have a last number in each build: 0 before the first', async () => {
      const rig = await setUp(open)
      const last = async () => [await rig.store.builds.lastSeq(BUILD), await rig.store.builds.lastSeq(OTHER)]
      expect(await last()).toEqual([0, 0])
      await start(rig, { a: [] })
      await rig.store.builds.create(SCOPE, build(rig, OTHER), null)
      expect(await last()).toEqual([1, 0])
      for (const by of ['a', 'b']) await rig.store.builds.note(BUILD, { type: 'buildPaused', by })
      await rig.store.builds.note(OTHER, { type: 'buildPaused', by: 'a' })
      expect(await last()).toEqual([3, 1])
      expect((await rig.store.builds.facts(BUILD, 0, 99)).at(-1)?.seq).toBe(3)
    })
  })

  describe('attachments', () => {
    it('come oldest first, by kind, and by task where one is named', async () => {
      const rig = await setUp(open)
      await plant(rig, { a: [], b: [] })
      const config: Attachment = { kind: 'config', config: { deep: [1, null] }, source: null }
      await rig.store.builds.create(SCOPE, build(rig), ids('a', 'b'), [config, lesson('b', 'created')])
      const a = await claim(rig, 'a')
      await begin(rig, a)
      const kept = [lesson('a', 'one'), lesson('a', 'two', 'tool_change')]
      await rig.store.builds.record(a, BUILD, outcomes('a').complete, kept)
      const { attachments } = rig.store.builds
      expect(await attachments(BUILD, 'config')).toEqual([config])
      expect(await attachments(BUILD, 'lesson')).toEqual([lesson('b', 'created'), ...kept])
      expect(await attachments(BUILD, 'lesson', taskId('a'))).toEqual(kept)
      expect(await attachments(BUILD, 'review')).toEqual([])
      expect(await attachments(OTHER, 'lesson')).toEqual([])
    })

    it('of a second try replace those of the first, in their place', async () => {
      const rig = await setUp(open)
      await start(rig, { a: [] })
      const a = await claim(rig, 'a')
      await begin(rig, a)
      const { record, attachments } = rig.store.builds
      const again = { type: 'interrupted', taskId: taskId('a'), reason: 'Ctrl+C' } as const
      await record(a, BUILD, again, [lesson('a', 'first'), lesson('a', 'other', 'tool_change')])
      await record(a, BUILD, again, [lesson('a', 'second')])
      expect(await attachments(BUILD, 'lesson')).toEqual([lesson('a', 'second'), lesson('a', 'other', 'tool_change')])
    })

    it('are kept before what is intended is done, under the lease or not at all', async () => {
      const rig = await setUp(open)
      await start(rig, { a: [] })
      const a = await claim(rig, 'a')
      await begin(rig, a)
      const { intend, attachments } = rig.store.builds
      expect(await intend(a, BUILD, [lesson('a', 'x')])).toBe(true)
      const late = () => intend({ ...a, fence: 0 }, BUILD, [lesson('a', 'y')])
      expect(await expectNothingChanged(rig, late)).toBe(false)
      expect(await attachments(BUILD, 'lesson')).toEqual([lesson('a', 'x')])
    })

    it('go with a fact that is refused, and with a lease that is lost', async () => {
      const rig = await setUp(open)
      await start(rig, { a: [] })
      const a = await claim(rig, 'a')
      await begin(rig, a)
      const { record } = rig.store.builds
      const misfit = () => refused(record(a, BUILD, outcomes('a').merged, [lesson('a', 'x')]))
      expect(await expectNothingChanged(rig, misfit)).toMatchObject(['FACT_REFUSED', expect.any(String)])
      const late = () => record({ ...a, fence: 0 }, BUILD, outcomes('a').complete, [lesson('a', 'x')])
      expect(await expectNothingChanged(rig, late)).toEqual({ kept: false })
    })
  })

  it('a store that is opened again tells the same', async () => {
    const rig = await setUp(open)
    await start(rig, { a: [], b: ['a'] })
    await drive(rig, await claim(rig, 'a'), toDone('a'))
    const other = await rig.again()
    expect(await other.builds.facts(BUILD, 0, 99)).toEqual(await rig.store.builds.facts(BUILD, 0, 99))
    expect(await other.tasks.find(SCOPE, taskId('a'))).toEqual(await found(rig, 'a'))
  })
}
