// Sealed examples over HTTP: for the operator's token, and in no other answer; a plan that the page changes keeps them.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { project } from '../rig/project.ts'
import { answers, wire, work } from '../rig/sessions.ts'
import { served } from './served.ts'

const CANARY = 'CANARY4711'
const examples = [1, 2, 3].map((number) => ({
  call: { module: 'two.js', name: 'two', args: [`${CANARY}${number}`], returns: 1 },
}))

it('are shown for the token, and stay with the tasks of a plan that was changed', async () => {
  const made = project()
  made.play(answers({ tasks: [{ ...wire({ id: 'two' }), examples }], notes: '' }), {
    role: 'implementer',
    task: 'two',
    steps: work('two'),
  })
  const server = await served(made)
  const idea = String((await server.post('/api/plans', { text: 'Add two' })).body['idea_id'])
  const planned = async (): Promise<Readonly<Record<string, unknown>>> => {
    const { body, text } = await server.get(`/api/plans/${idea}`)
    expect(text).not.toContain(CANARY)
    if (body['phase'] === 'spec_ready') return body
    await sleep(100)
    return planned()
  }
  const { tasks } = (await planned()) as { tasks: Record<string, unknown>[] }
  const changed = tasks.map((task) => ({ ...task, title: 'Add the number two' }))
  const started = await server.post(`/api/plans/${idea}/start`, { tasks: changed, notes: '' })
  expect(started.status).toBe(200)
  await server.until(idea, 'complete')
  const shown = await server.get('/api/tasks/two/sealed')
  expect(shown.body).toMatchObject({
    id: 'two',
    from: 'plan',
    examples,
    tried: { results: [{ is: 'holds' }, { is: 'holds' }, { is: 'holds' }] },
  })
  expect((await server.ask('GET', '/api/tasks/two/sealed', {})).status).toBe(401)
  expect((await server.get('/api/tasks/none/sealed')).status).toBe(404)
  const build = String((await server.get(`/api/build/${idea}/status`)).body['sessionId'])
  for (const path of [
    '/api/tasks',
    '/api/tasks/two',
    '/api/claims',
    '/api/ideas',
    `/api/ideas/${idea}`,
    `/api/builds/${build}/facts`,
    `/api/builds/${build}/view`,
    `/api/builds/${build}/evidence`,
    `/api/builds/${build}/tasks/two`,
    `/api/builds/${build}/sessions`,
    `/api/build/${build}`,
  ]) {
    const { status, text } = await server.get(path)
    expect([path, status, text.includes(CANARY)]).toEqual([path, 200, false])
  }
})
