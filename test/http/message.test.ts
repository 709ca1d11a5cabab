// A message to a running build is in the next prompt, in no other, and in the log. A kill does not lose it.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { type Body, served } from './served.ts'
import { HANG_MS } from '../rig/hang.ts'
import { project } from '../rig/project.ts'
import { answers, PLAN, work } from '../rig/sessions.ts'

it('goes into the next prompt once, whoever is asked next and however often', async () => {
  const made = project()
  const keep = (name: string) => [{ savePrompt: 'prompt.txt' }, { run: `mv prompt.txt '${made.root}/${name}'` }]
  const implementer = (task: string, ...steps: object[]) => ({ role: 'implementer', task, steps })
  made.play(
    { role: 'planner', steps: [...keep('plan'), { answer: PLAN }] },
    implementer('two', ...keep('killed'), { sleep: 60_000 }),
  )
  const first = await served(made)
  const seed = { brief: {}, build_plan: {}, product_doc: {} }
  const { body } = await first.post('/api/build/start', { project_id: 'numbers', seed })
  const step = (message?: string) => ({
    build_id: body['build_id'],
    ...(message === undefined ? {} : { user_message: message }),
  })
  expect((await first.post('/api/build/step', step('plan few tasks'))).body).toMatchObject({ phase: 'implementing' })
  expect(made.read('../plan')).toContain('Said since:\n- plan few tasks\n')

  void first.post('/api/build/step', step('mind the zero')).catch(() => {})
  await vi.waitUntil(() => existsSync(join(made.root, 'killed')), { timeout: HANG_MS })
  first.program.child.kill('SIGKILL')
  await first.program.ended
  made.play(
    answers(),
    implementer('two', ...keep('two'), ...work('two')),
    implementer('three', ...keep('three'), ...work('three')),
  )
  const second = await served(made)
  for (let phase = ''; phase !== 'ready';) {
    const { status, body: state } = await second.post('/api/build/step', step())
    expect(status).toBe(200)
    phase = String(state['phase'])
  }
  const prompts = ['killed', 'two', 'three'].map((name) => made.read(`../${name}`).includes('- mind the zero\n'))
  expect(prompts).toEqual([true, true, false])
  const { facts } = (await second.get('/api/builds/numbers/facts')).body as { facts: Body[] }
  expect(facts.flatMap(({ type, text, by }) => (type === 'messageLeft' ? [[text, by]] : []))).toEqual([
    ['plan few tasks', expect.stringMatching(/@.* over HTTP$/)],
    ['mind the zero', expect.stringMatching(/@.* over HTTP$/)],
  ])
  expect(made.ralph(['log']).stdout).toContain('says: mind the zero')
})

it('from a terminal too: ralph step -m', () => {
  const made = project({
    script: [{ role: 'implementer', task: 'two', steps: [{ signal: { kind: 'ITERATION_DONE' } }] }],
  })
  made.ralph(['build', '--once'])
  made.play({ role: 'implementer', task: 'two', steps: [{ savePrompt: 'prompt.txt' }, ...work('two')] })
  expect(made.ralph(['step', '-m', ' ']).stderr).toBe(
    'Error: a message must have 1 to 65536 characters [RALPH_INPUT_BAD]\n',
  )
  expect(made.ralph(['step', '-m', 'mind the zero']).code).toBe(0)
  expect(made.ralph(['build']).code).toBe(0)
  expect(made.git('show', `ralph/${made.build()}:prompt.txt`)).toContain('- mind the zero\n')
})
