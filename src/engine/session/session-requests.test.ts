import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { firstAttempt } from '../../core/attempt/attempt.ts'
import type { Build } from '../../core/builds/build.ts'
import type { Fact } from '../../core/fact/fact.ts'
import { agentId, type BuildId, type IdeaId, taskId } from '../../core/values/id.ts'
import { type SessionRequest, readSessionRequest } from '../../core/request/session-request.ts'
import { markCompleted, newTask } from '../../core/task/task.ts'
import { madeStore } from '../../../test/rig/sqlite-store.ts'
import type { Scope } from '../../store/store.ts'
import { iterationRequestHandler } from './session-requests.ts'
import type { TaskRun, EngineDeps } from '../deps.ts'

const scope: Scope = { repo: '.', branch: 'main' }
const loop = agentId('f00d')
const [a, b, c] = [taskId('a'), taskId('b'), taskId('c')]
const id = 'b_1' as BuildId
const BUILD: Build = {
  id,
  idea: 'i_1' as IdeaId,
  spec: null,
  state: 'running',
  configHash: '',
  lastError: null,
  startedAt: 0,
  lastActivityAt: 0,
}

/** A session on task b, which waited for a; c is nobody's. */
async function working() {
  const clock = { now: 1_800_000_000_000 }
  const { folder, store } = await madeStore(() => clock.now)
  const work = join(folder, 'work')
  mkdirSync(work)
  await store.tasks.create(scope, newTask(a, { title: 'A' }, [], clock.now))
  await store.tasks.create(scope, newTask(b, { title: 'B' }, [a], clock.now))
  await store.tasks.create(scope, newTask(c, { title: 'C' }, [], clock.now))
  await store.builds.create(scope, BUILD, [a, b, c])
  const request = { agent: loop, leaseSeconds: 60, build: id }
  await store.tasks.claim(scope, { ...request, id: a })
  await store.tasks.change(scope, a, (task, now) => ({
    ...markCompleted(task, null, { commit: 'c-a' }, now),
    reportedDone: null,
  }))
  const claim = await store.tasks.claim(scope, { ...request, id: b })
  if (claim === null) throw new Error('b cannot be claimed')
  const { task } = claim
  const attempt = firstAttempt(task, id, { attempts: 3, interventions: 3, iterations: 10 })
  // Of a shop the desk uses no more than this.
  const facts: Fact[] = []
  const watcher = { fact: (fact: Fact) => facts.push(fact), agent: () => {} }
  const engine = { store, scope, now: () => clock.now, watcher } as Partial<EngineDeps> as EngineDeps
  const taskRun: TaskRun = {
    engine,
    build: id,
    agentId: loop,
    task,
    attempt,
    begun: { resumed: false },
    signal: new AbortController().signal,
  }
  const context = iterationRequestHandler(taskRun, work, 2)
  const ask = (said: object): Promise<unknown> => context.answer(readSessionRequest(said))
  return { context, ask, store, clock, work, task, facts }
}

const reads: readonly SessionRequest[] = [
  { do: 'peek', limit: 5 },
  { do: 'show', id: c },
  { do: 'list', statuses: null, assignee: null },
  { do: 'planStatus' },
  { do: 'buildStatus' },
]

describe('the desk of an iteration', () => {
  it('answers with its own task whoever claims it, and again', async () => {
    const { ask, task } = await working()
    const answer = { task, blockerResults: [{ id: 'a', result: { commit: 'c-a' } }], brief: null }
    expect(await ask({ do: 'claim', id: null, leaseSeconds: 600 })).toEqual(answer)
    expect(await ask({ do: 'claim', id: 'b', leaseSeconds: 600 })).toEqual(answer)
  })

  it('tells of what the session was refused, each command once', async () => {
    const { ask, store, facts } = await working()
    for (const command of ['ralph skip', 'ralph abort', 'ralph skip'])
      expect(await ask({ do: 'refused', command })).toBe(null)
    const told = ['ralph skip', 'ralph abort'].map((command) => ({ type: 'commandRefused', command, taskId: 'b' }))
    expect(facts).toEqual(told)
    expect((await store.builds.facts(id, 0, 99)).slice(-2).map(({ fact }) => fact)).toEqual(told)
  })

  it('takes done for the signal, and leaves the task as it is', async () => {
    const { ask, context, store, task } = await working()
    expect(await ask({ do: 'done', id: 'b', result: { commit: 'mine' } })).toEqual(task)
    expect(context.said()).toEqual({ signal: { kind: 'TASK_COMPLETE' }, scratchpad: null })
    expect(await store.tasks.find(scope, b)).toEqual(task)
  })

  it('takes fail for being stuck, and leaves the task as it is', async () => {
    const { ask, context, store, task } = await working()
    expect(await ask({ do: 'fail', id: 'b', reason: 'no such API' })).toEqual(task)
    expect(context.said().signal).toEqual({ kind: 'TASK_STUCK', reason: 'no such API' })
    expect(await store.tasks.find(scope, b)).toEqual(task)
  })

  it('goes by the last word', async () => {
    const { ask, context } = await working()
    await ask({ do: 'done', id: 'b', result: null })
    await ask({ do: 'fail', id: 'b', reason: null })
    await ask({ do: 'signal', signal: 'CHECK_WRONG', reason: 'it wants 3' })
    expect(context.said().signal).toEqual({ kind: 'CHECK_WRONG', reason: 'it wants 3' })
  })

  it.each([
    [{ do: 'claim', id: 'c', leaseSeconds: 600 }, 'Task not eligible'],
    [{ do: 'claim', id: 'nowhere', leaseSeconds: 600 }, 'Task not eligible'],
    [{ do: 'renew', id: 'c', leaseSeconds: 600 }, "this session works on 'b' only"],
    [{ do: 'done', id: 'a', result: null }, "this session works on 'b' only"],
    [{ do: 'done', id: 'nowhere', result: null }, "this session works on 'b' only"],
    [{ do: 'fail', id: 'c', reason: null }, "this session works on 'b' only"],
    [{ do: 'show', id: 'nowhere' }, "task 'nowhere' not found"],
  ])('refuses %j and changes nothing', async (request, sentence) => {
    const { ask, context, store } = await working()
    const before = await store.tasks.list(scope, {})
    await expect(ask(request)).rejects.toThrow(sentence)
    expect(await store.tasks.list(scope, {})).toEqual(before)
    expect(context.said()).toEqual({ signal: null, scratchpad: null })
  })

  it('reads for whoever asks', async () => {
    const { context, store, task } = await working()
    const all = await store.tasks.list(scope, {})
    const free = all.find((one) => one.id === 'c')
    const plan = { open: 1, active: 1, done: 1, blocked: 0, deleted: 0 }
    expect(await Promise.all(reads.map((request) => context.answer(request)))).toEqual([
      [free, task],
      { task: free, blockers: [] },
      all,
      plan,
      {
        build: { id, state: 'running' },
        plan,
        iteration: { task: 'b', attempt: 1, iteration: 2, iterationsMax: 10 },
      },
    ])
  })

  it('renews for as long as the loop would, however long is asked for', async () => {
    const { ask, clock } = await working()
    clock.now += 5_000
    expect(await ask({ do: 'renew', id: 'b', leaseSeconds: 9_999_999_999 })).toMatchObject({
      leaseExpiresAt: clock.now + 60_000,
    })
  })

  it('hears nothing more once the task was taken away', async () => {
    const { ask, context, store, clock } = await working()
    clock.now += 60_000
    const request = { agent: agentId('bob'), leaseSeconds: 60, build: id, id: b }
    await store.tasks.claim(scope, request)
    const before = await store.tasks.list(scope, {})
    const words = [
      { do: 'claim', id: 'b', leaseSeconds: 1 },
      { do: 'renew', id: 'b', leaseSeconds: 1 },
      { do: 'done', id: 'b', result: null },
      { do: 'fail', id: 'b', reason: null },
      { do: 'create', id: 'n', text: { title: 'N' }, deps: [] },
      { do: 'signal', signal: 'TASK_COMPLETE', reason: null },
      { do: 'scratchpad', done: '', testStatus: '', nextStep: '', blockers: '' },
    ]
    for (const word of words) await expect(ask(word)).rejects.toMatchObject({ code: 'SESSION_OVER' })
    expect(await store.tasks.list(scope, {})).toEqual(before)
    expect(context.said()).toEqual({ signal: null, scratchpad: null })
  })
})

describe('a task that a session makes', () => {
  it('is open, of the build, says whose it is, and holds nobody up', async () => {
    const { ask, store } = await working()
    const text = { title: 'More', description: 'Because.', priority: 7 }
    const made = await ask({ do: 'create', id: 'n', text, deps: ['c'] })
    expect(made).toMatchObject({
      ...text,
      status: 'open',
      build: id,
      deps: ['c'],
      description: "Because.\n\nMade by the agent of task 'b' (attempt 1, iteration 2).",
    })
    expect(await store.tasks.find(scope, taskId('n'))).toEqual(made)
    expect((await store.tasks.list(scope, {})).filter(({ deps }) => deps.includes(taskId('n')))).toEqual([])
  })

  it('claims behaviour, whatever the session calls it', async () => {
    const { ask, store } = await working()
    await ask({ do: 'create', id: 'n', text: { title: 'docs: more', type: 'docs' }, deps: [] })
    const made = await store.tasks.find(scope, taskId('n'))
    expect(made).toMatchObject({ type: 'docs', fixedClaim: { claim: 'behaviour', from: 'default' } })
  })

  it('is refused as anybody’s would be, and after 20 of them', async () => {
    const { ask } = await working()
    const create = (made: string, deps: readonly string[] = []) =>
      ask({ do: 'create', id: made, text: { title: 'N' }, deps })
    await expect(create('a')).rejects.toThrow("task 'a' already exists (status: done)")
    await expect(create('n', ['nowhere'])).rejects.toThrow("dependency 'nowhere' not found")
    for (let n = 0; n < 20; n += 1) await create(`n${n}`)
    await expect(create('n20')).rejects.toThrow('a session may make 20 tasks and has made them')
  })
})

describe('the scratchpad', () => {
  const text = { done: 'parsed', testStatus: '3 passed', nextStep: 'render', blockers: 'none' }
  const file = `# Iteration 2 Scratchpad

## Done this iteration
parsed

## Test status
3 passed

## Next step
render

## Blockers
none
`

  it('is in the folder at once, and kept; the last one counts', async () => {
    const { ask, context, work } = await working()
    await ask({ do: 'scratchpad', ...text, done: 'nothing' })
    await ask({ do: 'scratchpad', ...text })
    expect(readFileSync(join(work, '.ralph-scratchpad.md'), 'utf8')).toBe(file)
    expect(context.said().scratchpad).toBe(file)
  })

  it('replaces a link and does not follow it', async () => {
    const { ask, work } = await working()
    const victim = join(work, '..', 'victim')
    writeFileSync(victim, 'precious')
    symlinkSync(victim, join(work, '.ralph-scratchpad.md'))
    await ask({ do: 'scratchpad', ...text })
    expect([readFileSync(victim, 'utf8'), readFileSync(join(work, '.ralph-scratchpad.md'), 'utf8')]).toEqual([
      'precious',
      file,
    ])
  })

  it('says so where it cannot be written, and is not kept', async () => {
    const { ask, context, work } = await working()
    mkdirSync(join(work, '.ralph-scratchpad.md/sub'), { recursive: true })
    await expect(ask({ do: 'scratchpad', ...text })).rejects.toThrow(/^cannot write \.ralph-scratchpad\.md: /)
    expect(context.said().scratchpad).toBeNull()
    expect(existsSync(join(work, '.ralph-scratchpad.md/sub'))).toBe(true)
  })
})
