// Ideas, their moves, and how they follow their builds.
import { describe, expect, it } from 'vitest'
import { type BuildId, type IdeaId, taskId } from '../../core/values/id.ts'
import { type Idea, newIdea } from '../../core/idea/idea.ts'
import type { PipelinePhase } from '../../core/idea/pipeline.ts'
import { toDone, toWaiting } from './outcomes.conformance.ts'
import {
  build,
  BUILD,
  claim,
  drive,
  ids,
  type OpenStore,
  plant,
  refused,
  type Rig,
  SCOPE,
  setUp,
} from './rig.conformance.ts'

const IDEA = 'idea-1' as IdeaId
const PROJECT = { repository: SCOPE.repo, base: SCOPE.branch }

function idea(rig: Rig, id: string, more: Partial<Idea> = {}): Idea {
  const text = { title: `Want ${id}`, text: `I want ${id}` }
  return { ...newIdea(id as IdeaId, text, { project: PROJECT, advance: 'manual' }, rig.now()), ...more }
}

const phaseOf = async (rig: Rig, id: IdeaId = IDEA): Promise<PipelinePhase | undefined> =>
  (await rig.store.ideas.find(id))?.phase

const walked = async (rig: Rig, id: IdeaId = IDEA): Promise<string[]> =>
  (await rig.store.ideas.moves(id, 99)).map(({ by, to, reason }) => `${to} by ${by}: ${reason}`)

export function describeIdeas(open: OpenStore): void {
  describe('ideas', () => {
    describeKeeping(open)
    describeMoving(open)
    describeFollowing(open)
  })
}

function describeKeeping(open: OpenStore): void {
  it('are kept as they are', async () => {
    const rig = await setUp(open)
    const spec = { id: 's1', text: 'All of it', graph: { tasks: [], notes: 'none' } }
    const whole = idea(rig, 'a', { spec, advance: 'auto', phase: 'paused', resumes: 'spec_ready' })
    const bare = idea(rig, 'b', { project: null })
    await rig.store.ideas.create(whole)
    await rig.store.ideas.create(bare)
    expect(await (await rig.again()).ideas.find(whole.id)).toEqual(whole)
    expect(await rig.store.ideas.find(bare.id)).toEqual(bare)
    expect(await rig.store.ideas.find('c' as IdeaId)).toBeNull()
    expect(await rig.store.ideas.moves(whole.id, 9)).toEqual([])
  })

  it('have an id of their own', async () => {
    const rig = await setUp(open)
    await rig.store.ideas.create(idea(rig, 'a'))
    const again = refused(rig.store.ideas.create(idea(rig, 'a', { title: 'Another' })))
    expect(await again).toEqual(['IDEA_EXISTS', "idea 'a' already exists (phase: ideation)"])
    expect(await rig.store.ideas.find('a' as IdeaId)).toEqual(idea(rig, 'a'))
  })

  it('are listed page by page, newest first, none twice although others come', async () => {
    const rig = await setUp(open)
    const elsewhere = { project: { ...PROJECT, base: 'next' } }
    for (const id of ['a', 'b', 'c', 'd', 'e']) await rig.store.ideas.create(idea(rig, id))
    await rig.store.ideas.create(idea(rig, 'x', elsewhere))
    const first = await rig.store.ideas.list({ project: PROJECT, limit: 2 })
    await rig.store.ideas.create(idea(rig, 'f', { phase: 'ideation_ready' }))
    const second = await rig.store.ideas.list({ project: PROJECT, limit: 2, after: String(first.next) })
    const third = await rig.store.ideas.list({ project: PROJECT, limit: 2, after: String(second.next) })
    const names = [first, second, third].map(({ ideas }) => ideas.map(({ id }) => id))
    expect([names, third.next]).toEqual([[['e', 'd'], ['c', 'b'], ['a']], null])
    const ready = await rig.store.ideas.list({ phases: ['ideation_ready', 'deployed'], limit: 9 })
    expect(ready).toEqual({ ideas: [idea(rig, 'f', { phase: 'ideation_ready' })], next: null })
    expect((await rig.store.ideas.list({ limit: 99 })).ideas.map(({ id }) => id).join('')).toBe('fxedcba')
    const nowhere = await rig.store.ideas.list({ project: { ...PROJECT, base: 'none' }, limit: 9 })
    expect(nowhere).toEqual({ ideas: [], next: null })
    expect(await refused(rig.store.ideas.list({ after: 'e; DROP', limit: 1 }))).toEqual([
      'IDEA_CURSOR_BAD',
      "'e; DROP' is no place in the list; take the one that was answered",
    ])
  })

  it('are told by when they were changed', async () => {
    const rig = await setUp(open)
    for (const id of ['a', 'b', 'c']) {
      await rig.store.ideas.create(idea(rig, id))
      rig.pass(10)
    }
    await rig.store.ideas.create(idea(rig, 'x', { project: { ...PROJECT, base: 'next' } }))
    const since = rig.now()
    const told = async (from: number, limit = 9): Promise<string> =>
      (await rig.store.ideas.changed(PROJECT, from, limit)).map(({ id }) => id).join('')
    await rig.store.ideas.move('b' as IdeaId, 'ideation', { to: 'ideation_ready', by: 'ada', reason: 'clear' })
    rig.pass(10)
    await rig.store.ideas.change('a' as IdeaId, (one) => ({ ...one, title: 'New' }))
    expect([await told(0), await told(0, 2), await told(since), await told(since + 1), await told(since + 11)]).toEqual(
      ['cba', 'cb', 'ba', 'a', ''],
    )
  })

  it('are changed without being moved', async () => {
    const rig = await setUp(open)
    await rig.store.ideas.create(idea(rig, 'a', { project: null }))
    rig.pass(10)
    const changed = await rig.store.ideas.change('a' as IdeaId, (one) => ({
      ...one,
      title: 'New',
      project: PROJECT,
      advance: 'auto',
      phase: 'deployed',
    }))
    const made = { ...changed, createdAt: rig.now() - 10 }
    expect(changed).toEqual({ ...idea(rig, 'a', { title: 'New', advance: 'auto' }), createdAt: rig.now() - 10 })
    expect(await rig.store.ideas.find('a' as IdeaId)).toEqual(made)
    const nobody = refused(rig.store.ideas.change('b' as IdeaId, (one) => one))
    expect(await nobody).toEqual(['IDEA_NOT_FOUND', "idea 'b' not found; 'ralph idea list' names them"])
  })
}

function describeMoving(open: OpenStore): void {
  const wanted = { to: 'ideation_ready', by: 'ada', reason: 'clear' } as const

  it('are moved with an entry that says who, where from and why', async () => {
    const rig = await setUp(open)
    await rig.store.ideas.create(idea(rig, 'a'))
    rig.pass(10)
    const moved = await rig.store.ideas.move('a' as IdeaId, 'ideation', { ...wanted, overridden: ['spec'] })
    expect(moved).toEqual({ ...idea(rig, 'a'), phase: 'ideation_ready', createdAt: rig.now() - 10 })
    expect(await rig.store.ideas.find('a' as IdeaId)).toEqual(moved)
    const entry = { at: rig.now(), by: 'ada', from: 'ideation', to: 'ideation_ready', reason: 'clear' }
    expect(await rig.store.ideas.moves('a' as IdeaId, 9)).toEqual([{ ...entry, overridden: ['spec'] }])
  })

  it('are moved once, however many want it', async () => {
    const rig = await setUp(open)
    await rig.store.ideas.create(idea(rig, 'a'))
    const other = await rig.again()
    const movers = [rig.store, other, rig.store, other].map((store) =>
      store.ideas.move('a' as IdeaId, 'ideation', wanted),
    )
    const done = await Promise.all(movers)
    expect(done.filter((one) => one !== null)).toHaveLength(1)
    expect(await rig.store.ideas.moves('a' as IdeaId, 9)).toHaveLength(1)
  })

  it('tell their last moves, oldest first', async () => {
    const rig = await setUp(open)
    await rig.store.ideas.create(idea(rig, 'a'))
    for (const [from, to] of [
      ['ideation', 'paused'],
      ['paused', 'ideation'],
      ['ideation', 'ideation_ready'],
    ] as const)
      await rig.store.ideas.move('a' as IdeaId, from, { ...wanted, to })
    expect((await rig.store.ideas.moves('a' as IdeaId, 2)).map(({ to }) => to)).toEqual(['ideation', 'ideation_ready'])
  })
}

function describeFollowing(open: OpenStore): void {
  it('are made for builds that have none, with what those are planned from', async () => {
    const rig = await setUp(open)
    await rig.store.builds.create(SCOPE, { ...build(rig), spec: 'goal:x' }, null, [
      { kind: 'seed', seed: { from: 'goal', text: 'Add two' } },
    ])
    const made = idea(rig, IDEA, { title: 'Add two', text: 'Add two', phase: 'building' })
    expect(await rig.store.ideas.find(IDEA)).toEqual({ ...made, spec: { id: 'goal:x', text: 'Add two', graph: null } })
  })

  it('go to building with their build, or there is no build', async () => {
    const rig = await setUp(open)
    await plant(rig, { a: [] })
    await rig.store.ideas.create(idea(rig, IDEA))
    const early = refused(rig.store.builds.create(SCOPE, build(rig), ids('a')))
    expect((await early)?.[0]).toBe('IDEA_MOVE_ILLEGAL')
    expect(await rig.store.builds.find(BUILD)).toBeNull()
    await rig.store.ideas.move(IDEA, 'ideation', { to: 'spec_ready', by: 'ada', reason: 'x' })
    await rig.store.builds.create(SCOPE, build(rig), ids('a'), [], { by: 'ada', reason: 'go' })
    expect((await walked(rig)).at(-1)).toBe('building by ada: go')
    expect((await rig.store.builds.newestOf(IDEA))?.id).toBe(BUILD)
    expect(await rig.store.builds.newestOf('none' as IdeaId)).toBeNull()
  })

  it('wait with it, go on with it and are done with it', async () => {
    const rig = await setUp(open)
    await plant(rig, { a: [], b: [] })
    await rig.store.builds.create(SCOPE, build(rig), ids('a', 'b'))
    for (const id of ['a', 'b']) await drive(rig, await claim(rig, id), toWaiting(id))
    expect(await phaseOf(rig)).toBe('paused')
    await rig.store.builds.tell(BUILD, { type: 'taskSkipped', taskId: taskId('a'), by: 'ada' })
    expect(await phaseOf(rig)).toBe('paused')
    await rig.store.builds.tell(BUILD, { type: 'taskAnswered', taskId: taskId('b'), by: 'ada', text: 'so' })
    expect(await phaseOf(rig)).toBe('building')
    await rig.store.builds.move(BUILD, ['running'], 'failed', { type: 'buildFailed', error: 'no disk' })
    await rig.store.builds.move(BUILD, ['failed'], 'running', { type: 'buildResumed', by: 'ada' })
    await rig.store.builds.move(BUILD, ['running'], 'complete', { type: 'buildComplete' })
    expect(await walked(rig)).toEqual([
      "paused by ralph: task 'a' waits for a human: no such table",
      "building by ada: task 'b' was answered",
      'failed by ralph: the build failed: no disk',
      'building by ada: the build goes on',
      'build_review by ralph: the build is complete',
    ])
  })

  it('do not listen to a build that was followed by another', async () => {
    const rig = await setUp(open)
    await plant(rig, { a: [] })
    await rig.store.builds.create(SCOPE, build(rig), ids('a'))
    await rig.store.builds.create(SCOPE, build(rig, 'b2' as BuildId), ids('a'))
    await rig.store.builds.move(BUILD, ['running'], 'complete', { type: 'buildComplete' })
    expect(await phaseOf(rig)).toBe('building')
    await drive(rig, await claim(rig, 'a'), toDone('a'), 'b2' as BuildId)
    await rig.store.builds.move('b2' as BuildId, ['running'], 'complete', { type: 'buildComplete' })
    expect(await phaseOf(rig)).toBe('build_review')
  })
}
