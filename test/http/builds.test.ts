// Builds over HTTP, from the first task to the base branch, by the scripted agent.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Body, served } from './served.ts'
import { CHECK, project, type Project } from '../rig/project.ts'
import { answers, planner, SIA_GIVES_UP, work } from '../rig/sessions.ts'

const session = (task: string, ...numbers: number[]) => ({ role: 'implementer', task, steps: work(task, ...numbers) })
const wrong = session('wrong', 4, 3)

const errorOf = ({ status, body }: { status: number; body: Body }) => {
  const { code, message } = body['error'] as Record<'code' | 'message', string>
  return { status, code, message: message.split('\n', 1)[0] }
}

const DOCUMENTS = { brief: { name: 'numbers' }, build_plan: { steps: 2 }, product_doc: { goal: 'two and three' } }

function unplanned(...sessions: readonly object[]): Project {
  return project({ tasks: 'planned', script: sessions })
}

describe('a build of open tasks', () => {
  it('is started, runs by itself, is told in every way, and is published', async () => {
    const made = project({ script: [session('two'), session('three')] })
    const server = await served(made)
    expect((await server.get('/api/build/shop/status')).body).toEqual({ status: 'not_started' })
    expect(errorOf(await server.post('/api/projects/shop/publish'))).toEqual({
      status: 409,
      code: 'RALPH_SHIP_REFUSED',
      message: "project 'shop' is not published: project 'shop' has no build",
    })
    const { body: started } = await server.post('/api/build/shop/start')
    const id = String(started['sessionId'])
    expect(started).toEqual({ sessionId: made.build(), status: 'started' })
    expect(await server.until('shop', 'complete')).toMatchObject({
      sessionId: id,
      ideaId: 'shop',
      progress: { total: 2, completed: 2, failed: 0, current: null },
      commits: 2,
      generatedFiles: 4,
      completedTasks: ['two', 'three'],
      currentTaskIndex: 2,
      isDriven: false,
    })
    const { body: state } = await server.get(`/api/build/${id}`)
    expect(state).toMatchObject({
      build_id: id,
      project_id: 'shop',
      phase: 'ready',
      current_task_id: null,
      build_graph: {
        tasks: [
          { id: 'two', status: 'done' },
          { id: 'three', status: 'done' },
        ],
      },
      last_patch: { task_id: 'three', touched_files: ['three.js', 'three.test.js'] },
      last_checks: { ok: true, unit_ok: true },
      last_validation: null,
      last_review: { decision: 'approve' },
    })
    expect((state['history'] as { phase: string }[]).map(({ phase }) => phase)).toEqual([
      ...['implementing', 'verifying', 'reviewing', 'implementing', 'verifying', 'reviewing', 'ready'],
    ])
    expect((await server.post('/api/projects/shop/publish')).body).toEqual({
      build_id: id,
      base: 'main',
      commit: made.git('rev-parse', `ralph/${id}`).trim(),
      pushed: null,
      deployed: null,
    })
    expect(made.git('rev-parse', 'main')).toBe(made.git('rev-parse', `ralph/${id}`))
    expect(errorOf(await server.post('/api/build/shop/start'))).toMatchObject({
      status: 409,
      code: 'RALPH_NOTHING_TO_BUILD',
    })
    expect(errorOf(await server.post(`/api/build/${id}/resume`))).toMatchObject({
      status: 409,
      code: 'RALPH_BUILD_STATE',
    })
  })

  it('is listed page by page, with its facts, tasks, iterations and transcripts', async () => {
    const made = project({ script: [session('two'), session('three')] })
    const server = await served(made)
    await server.post('/api/build/shop/start')
    await server.until('shop', 'complete')
    const id = made.build()
    const builds = (await server.get('/api/builds?idea=shop&limit=1')).body
    expect(builds).toMatchObject({ builds: [{ id, ideaId: 'shop', state: 'complete' }], next: null })
    expect((await server.get('/api/builds?idea=other')).body).toEqual({ builds: [], next: null })

    const facts = []
    for (let after: unknown = 0; after !== null;) {
      const { body } = await server.get(`/api/builds/${id}/facts?after=${String(after)}&limit=7`)
      facts.push(...(body['facts'] as Body[]))
      after = body['next']
    }
    const log = made
      .ralph(['log', '--json'])
      .stdout.trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Body)
    expect(facts).toEqual(log)

    const first = (await server.get('/api/tasks?limit=1')).body
    expect(first).toMatchObject({ tasks: [{ id: 'two', status: 'done', build: id }], next: 'two' })
    expect((await server.get('/api/tasks?limit=1&after=two')).body).toMatchObject({
      tasks: [{ id: 'three' }],
      next: null,
    })
    expect((await server.get('/api/tasks?status=open')).body).toEqual({ tasks: [], next: null })
    expect((await server.get('/api/tasks/two')).body).toMatchObject({ id: 'two', title: 'Add two' })

    const { iterations } = (await server.get('/api/builds/shop/iterations')).body as { iterations: Body[] }
    expect(iterations.map((one) => one['id'])).toEqual([`${id}.two.1.1`, `${id}.three.1.1`])
    const whole = (await server.get(`/api/iterations/${id}.two.1.1/transcript`)).body
    const events = []
    for (let after: unknown = 0; after !== null;) {
      const { body } = await server.get(`/api/iterations/${id}.two.1.1/transcript?after=${String(after)}&limit=1`)
      events.push(...(body['events'] as Body[]))
      after = body['next']
    }
    expect(whole).toEqual({ events, next: null })
    expect(events[0]).toMatchObject({ type: 'text', text: 'working on two' })
  })

  it('one unfinished build at a time, also where two ask at once', async () => {
    const made = project({ script: [{ ...session('two'), steps: [{ sleep: 60_000 }] }] })
    const server = await served(made)
    const both = await Promise.all([server.post('/api/build/a/start'), server.post('/api/build/b/start')])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(errorOf(await server.post('/api/build/start', { project_id: 'c', seed: DOCUMENTS }))).toMatchObject({
      status: 409,
      code: 'RALPH_BUILD_UNFINISHED',
    })
    const id = made.build()
    expect(errorOf(await server.post('/api/build/step', { build_id: id }))).toMatchObject({
      status: 409,
      code: 'RALPH_BUILD_DRIVEN',
    })
    expect(errorOf(await server.post(`/api/build/${id}/resume`))).toMatchObject({
      status: 409,
      code: 'RALPH_BUILD_DRIVEN',
    })
    expect(errorOf(await server.post('/api/projects/a/publish'))).toMatchObject({
      status: 409,
      code: 'RALPH_SHIP_REFUSED',
    })
    const { body } = await server.post(`/api/build/${id}/abort`)
    expect(body).toMatchObject({ build_id: id, phase: 'aborted' })
    expect(errorOf(await server.post(`/api/build/${id}/pause`))).toMatchObject({
      status: 409,
      code: 'RALPH_BUILD_STATE',
    })
    expect((await server.post('/api/build/step', { build_id: id })).body).toMatchObject({ phase: 'aborted' })
  })
})

describe('a task that waits', () => {
  it('is answered, tried again, and skipped: the server goes on by itself each time', async () => {
    const made = project({ script: [wrong, session('three'), SIA_GIVES_UP] })
    made.ok('block', 'three', '--by', 'wrong')
    const server = await served(made)
    await server.post('/api/build/shop/start')
    const waits = await server.until('shop', 'human_needed')
    expect(waits).toMatchObject({ waiting: [{ taskId: 'wrong' }], failedTasks: ['wrong'], isDriven: false })
    expect((await server.post('/api/build/shop/answer', { text: 'four is right' })).body).toEqual({
      success: true,
      task_id: 'wrong',
    })
    await server.saw('shop', 'humanNeeded', 2)
    expect((await server.post(`/api/build/${made.build()}/retry`, { task_id: 'wrong' })).status).toBe(200)
    await server.saw('shop', 'humanNeeded', 3)
    expect(errorOf(await server.post('/api/build/shop/skip', { task_id: 'none' }))).toEqual({
      status: 404,
      code: 'RALPH_TASK_NOT_FOUND',
      message: "task 'none' not found",
    })
    expect((await server.post('/api/build/shop/skip')).body).toEqual({ success: true, task_id: 'wrong' })
    expect(await server.until('shop', 'complete')).toMatchObject({ completedTasks: ['three'], failedTasks: ['wrong'] })
    expect(errorOf(await server.post('/api/build/shop/skip'))).toMatchObject({ status: 409, code: 'RALPH_BUILD_STATE' })
    const refused = await server.post('/api/projects/shop/publish')
    expect([refused.status, refused.body['reasons']]).toEqual([
      409,
      [{ code: 'skipped', what: "task 'wrong' was skipped", clear: 'ralph ship --allow-skipped' }],
    ])
    expect((await server.post('/api/projects/shop/publish', { allow_skipped: true })).status).toBe(200)
    expect(made.git('log', '--format=%s', 'main')).toBe('feat: Add three\nstart\n')
  })

  it('is resolved by the fix in its folder, once that is green; and taken back', async () => {
    const made = project({ script: [wrong, SIA_GIVES_UP] })
    const server = await served(made)
    await server.post('/api/build/shop/start')
    await server.until('shop', 'human_needed')
    expect(errorOf(await server.post('/api/build/shop/resolve', { resolution: 'looks fine' }))).toEqual({
      status: 409,
      code: 'RALPH_FIX_UNVERIFIED',
      message:
        "the fix for task 'wrong' is kept but not merged, since it is not verified: unit was red on this very tree before (test 'wrong' failed); running it again proves nothing: change the code or the test",
    })
    writeFileSync(join(made.ralph(['open']).stdout.trim(), 'wrong.js'), 'export const wrong = () => 3\n')
    const { body } = await server.post('/api/build/shop/resolve', { resolution: 'three is 3' })
    const branch = `ralph/${made.build()}`
    const commit = made.git('rev-parse', branch).trim()
    expect(body).toEqual({ success: true, task_id: 'wrong', commit, verified: true })
    expect(await server.until('shop', 'complete')).toMatchObject({ completedTasks: ['wrong'] })
    expect((await server.post('/api/build/shop/revert')).body).toMatchObject({ success: true, task_id: 'wrong' })
    expect(made.git('log', '-1', '--format=%s', branch)).toContain('evert')
    expect((await server.get('/api/build/shop/status')).body).toMatchObject({ completedTasks: [], status: 'active' })
  })
})

describe('a build of documents', () => {
  it('is created, driven step by step, and comes back unchanged when it is ready', async () => {
    const made = unplanned(answers())
    const server = await served(made)
    const created = await server.post('/api/build/start', { project_id: 'numbers', seed: DOCUMENTS })
    expect(created.body).toMatchObject({
      project_id: 'numbers',
      phase: 'planning',
      current_task_id: null,
      build_graph: null,
      ...DOCUMENTS,
      history: [],
    })
    const id = String(created.body['build_id'])
    const early = await server.post('/api/projects/numbers/publish')
    expect([early.status, early.body['reasons']]).toEqual([
      409,
      [{ code: 'notReady', what: `build ${id} is not ready: nothing was done for it yet`, clear: 'ralph build' }],
    ])
    const phases = []
    for (let state = created.body; state['phase'] !== 'ready' && phases.length < 20;) {
      state = (await server.post('/api/build/step', { build_id: id })).body
      phases.push([state['phase'], state['current_task_id']])
    }
    expect(phases).toEqual([
      ['implementing', 'two'],
      ['verifying', 'two'],
      ['reviewing', 'two'],
      ['implementing', 'three'],
      ['verifying', 'three'],
      ['reviewing', 'three'],
      ['ready', null],
    ])
    const before = await server.get(`/api/build/${id}`)
    expect((await server.post('/api/build/step', { build_id: id })).body).toEqual(before.body)
    expect(before.body).toMatchObject({
      build_graph: { notes: 'As asked.', tasks: [{ type: 'api' }, { depends_on: ['two'] }] },
    })
  })

  it('plan_only plans and no more; resume hands it to a loop', async () => {
    const made = unplanned(answers())
    const server = await served(made)
    const { body } = await server.post('/api/build/start', { project_id: 'numbers', seed: DOCUMENTS })
    const step = { build_id: body['build_id'], mode: 'plan_only' }
    const planned = await server.post('/api/build/step', step)
    expect(planned.body).toMatchObject({ phase: 'implementing', last_patch: null })
    expect((await server.post('/api/build/step', step)).body).toEqual(planned.body)
    expect((await server.post('/api/build/numbers/resume')).body).toEqual({ success: true })
    expect(await server.until('numbers', 'complete')).toMatchObject({ completedTasks: ['two', 'three'] })
  })

  it('starts no planner where nothing could be verified', async () => {
    const made = unplanned(answers())
    made.write('ralph.toml', made.read('ralph.toml').replace(`unit = "${CHECK}"`, 'unit = "no-such-runner"'))
    const server = await served(made)
    const { body } = await server.post('/api/build/start', { project_id: 'shop', seed: DOCUMENTS })
    const step = await server.post('/api/build/step', { build_id: body['build_id'] })
    expect(errorOf(step)).toEqual({
      status: 409,
      code: 'RALPH_BASELINE_FAILED',
      message: "no agent was started: unit cannot run on HEAD, since the program 'no-such-runner' was not found:",
    })
    expect(made.json('status')).toMatchObject({ state: 'paused', planning: { attempt: 0 } })
  })

  it('two steps at once: one is done, the other is told that the build is driven', async () => {
    const made = unplanned(answers())
    const server = await served(made)
    const { body } = await server.post('/api/build/start', { project_id: 'numbers', seed: DOCUMENTS })
    const step = { build_id: body['build_id'] }
    const both = await Promise.all([server.post('/api/build/step', step), server.post('/api/build/step', step)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })

  it('a planner that cannot plan is said, and the build stays to be planned', async () => {
    const made = unplanned(planner({ answer: { tasks: [] } }))
    const server = await served(made)
    const { body } = await server.post('/api/build/start', { project_id: 'numbers', seed: DOCUMENTS })
    const failed = await server.post('/api/build/step', { build_id: body['build_id'] })
    expect(errorOf(failed)).toMatchObject({ status: 502, code: 'RALPH_PLAN_FAILED' })
    expect((await server.get('/api/build/numbers')).body).toMatchObject({ phase: 'planning', build_graph: null })
  })
})
