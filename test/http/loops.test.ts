// The server's own loops: they need no second terminal, and outlive the server.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Body, served } from './served.ts'
import { CHECK, project, type Project } from '../rig/project.ts'
import { SIA_GIVES_UP, work } from '../rig/sessions.ts'

const session = (task: string, ...numbers: number[]) => ({ role: 'implementer', task, steps: work(task, ...numbers) })
const slow = { ...session('two'), steps: [{ say: 'taking my time' }, { sleep: 60_000 }] }

const factsOf = (made: Project): Body[] =>
  made
    .ralph(['log', '--json'])
    .stdout.trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Body)
const count = (made: Project, type: string): number => factsOf(made).filter((fact) => fact['type'] === type).length

describe('a server that goes away', () => {
  it.for(['SIGTERM', 'SIGKILL'] as const)(
    'by %s: the next one goes on with its build, and nothing is done twice',
    async (signal) => {
      const made = project({
        script: [
          session('two'),
          {
            ...session('three'),
            steps: [{ say: 'taking my time' }, { sleep: 60_000 }],
          },
        ],
      })
      made.ok('block', 'three', '--by', 'two')
      const first = await served(made)
      await first.post('/api/build/shop/start')
      const before = await first.saw('shop', 'iterationStarted', 2)
      first.program.child.kill(signal)
      expect((await first.program.ended).code).toBe(signal === 'SIGTERM' ? 0 : null)
      expect(made.json('status')).toMatchObject({ state: 'running', completedTasks: ['two'] })

      made.play(session('three'))
      const second = await served(made)
      expect(await second.until('shop', 'complete')).toMatchObject({ completedTasks: ['two', 'three'], commits: 2 })
      const last = `${made.build()}:${before.length}`
      const after = await second.saw('shop', 'buildComplete', 1, last)
      expect([...before, ...after]).toEqual(factsOf(made))
      expect(count(made, 'taskComplete')).toBe(2)
      expect(made.git('log', '--format=%s', `ralph/${made.build()}`)).toBe('feat: Add three\nfeat: Add two\nstart\n')
    },
  )

  it('a build that nobody handed to a server is left alone', async () => {
    const made = project({ script: [session('two'), SIA_GIVES_UP] })
    made.ralph(['build', '--once'])
    const before = factsOf(made)
    const server = await served(made)
    expect((await server.get(`/api/build/${made.build()}/status`)).body).toMatchObject({ isDriven: false })
    server.program.child.kill('SIGINT')
    expect((await server.program.ended).code).toBe(0)
    expect(factsOf(made)).toEqual(before)
  })
})

describe('a build that a server has', () => {
  it('starts no agent where a program is missing, says so once, and goes on when it is there', async () => {
    const made = project({ script: [session('two')] })
    const bin = join(made.root, 'bin')
    made.write('ralph.toml', made.read('ralph.toml').replace(`"${CHECK}"`, '"run-tests"'))
    const server = await served(made, { PATH: `${bin}:${made.env['PATH']}` })
    await server.post('/api/build/shop/start')
    expect(await server.until('shop', 'paused')).toMatchObject({
      lastError: expect.stringContaining("unit cannot run on HEAD, since the program 'run-tests' was not found"),
    })
    const notFixed = await server.post('/api/build/shop/resume')
    expect(notFixed.body).toEqual({ success: true })
    await server.saw('shop', 'baselineFailed', 2)
    mkdirSync(bin)
    writeFileSync(join(bin, 'run-tests'), `#!/bin/sh\nexec ${CHECK}\n`, { mode: 0o755 })
    await server.post('/api/build/shop/resume')
    expect(await server.until('shop', 'complete')).toMatchObject({ completedTasks: ['two'], lastError: null })
    expect([count(made, 'baselineFailed'), count(made, 'iterationStarted')]).toEqual([2, 1])
  })

  it('is paused and goes on, by HTTP and from a terminal', async () => {
    const made = project({ script: [slow] })
    const server = await served(made)
    await server.post('/api/build/shop/start')
    await server.saw('shop', 'iterationStarted')
    expect((await server.post('/api/build/shop/pause')).body).toEqual({ success: true })
    expect((await server.get('/api/build/shop/status')).body).toMatchObject({ status: 'paused' })
    // The loop pauses at the end of its current step; until then the pause can be withdrawn.
    expect((await server.post('/api/build/shop/resume')).body).toEqual({ success: true })
    expect((await server.get('/api/build/shop/status')).body).toMatchObject({ status: 'active', isDriven: true })
    expect(made.ralph(['abort']).code).toBe(0)
    await server.saw('shop', 'buildAborted')
    made.play(session('two'))
    expect((await server.post('/api/build/other/start')).body).toMatchObject({ status: 'started' })
    expect(await server.until('other', 'complete')).toMatchObject({ completedTasks: ['two'] })
  })

  it('rests while it waits, and goes on when somebody answers in a terminal', async () => {
    const made = project({ script: [session('wrong', 4, 3), SIA_GIVES_UP] })
    const server = await served(made)
    await server.post('/api/build/shop/start')
    await server.until('shop', 'human_needed')
    made.play(session('wrong', 3))
    expect(made.ralph(['answer', '-m', 'it is 3']).code).toBe(0)
    expect(await server.until('shop', 'complete')).toMatchObject({ completedTasks: ['wrong'] })
  })

  it('what it is asked to resume has its own number of iterations where the limit is met', async () => {
    const made = project({ script: [session('two'), session('three')] })
    made.write('ralph.toml', made.read('ralph.toml').replace('[limits]', '[limits]\nmax_iterations = 1'))
    const server = await served(made)
    await server.post('/api/build/shop/start')
    await server.program.saw('max_iterations')
    expect((await server.get('/api/build/shop/status')).body).toMatchObject({
      completedTasks: ['two'],
      status: 'active',
    })
    expect((await server.post('/api/build/shop/resume', { max_iterations: 3 })).status).toBe(200)
    expect(await server.until('shop', 'complete')).toMatchObject({ completedTasks: ['two', 'three'] })
  })

  it('works on as many tasks at a time as its settings or the caller say', async () => {
    const made = project()
    // Neither ends before the other has begun.
    const meet = (own: string, other: string) => ({
      run: `touch '${made.root}/${own}'; for i in $(seq 400); do [ -e '${made.root}/${other}' ] && exit 0; sleep 0.05; done; touch '${made.root}/alone'`,
    })
    const pair = (own: string, other: string) => ({
      role: 'implementer',
      task: own,
      steps: [meet(own, other), ...work(own)],
    })
    for (const id of ['two', 'three', 'four', 'five']) made.ok('create', id, `Add ${id}`)
    made.ok('block', 'four', '--by', 'two')
    made.ok('block', 'five', '--by', 'two')
    made.play(pair('two', 'three'), pair('three', 'two'), pair('four', 'five'), pair('five', 'four'))
    made.write('ralph.toml', made.read('ralph.toml').replace('[limits]', '[limits]\nworkers = 2'))
    const server = await served(made)
    await server.post('/api/build/shop/start', { max_iterations: 2 })
    await server.program.saw('The iteration limit is reached')
    expect((await server.post('/api/build/shop/resume', { workers: 3 })).status).toBe(200)
    expect(await server.until('shop', 'complete')).toMatchObject({ progress: { completed: 4 }, commits: 4 })
    expect(existsSync(join(made.root, 'alone'))).toBe(false)
  })

  it('spends no more than it may, and goes on when it may more', async () => {
    const uses = { usage: { inputTokens: 900, outputTokens: 100, costUsd: null } }
    const made = project({
      script: ['two', 'three'].map((task) => ({ ...session(task), steps: [uses, ...work(task)] })),
    })
    const server = await served(made)
    await server.post('/api/build/shop/start', { budget: { tokens: 1_000 } })
    await server.saw('shop', 'budgetExhausted')
    await server.program.saw('The budget of 1,000 tokens is spent')
    expect((await server.post('/api/build/shop/resume', { budget: { tokens: -1 } })).status).toBe(422)
    expect((await server.post('/api/build/shop/resume', { budget: { tokens: 0 } })).status).toBe(200)
    expect(await server.until('shop', 'complete')).toMatchObject({ completedTasks: ['two', 'three'] })
  })

  it('an agent that cannot work is said before anything is started', async () => {
    const made = project({ script: [session('two')] })
    made.write('ralph.toml', made.read('ralph.toml').replace('../scenario.json', '../gone.json'))
    const server = await served(made)
    const { status, body } = await server.post('/api/build/shop/start')
    expect([status, body['error']]).toMatchObject([409, { code: 'RALPH_AGENT_NOT_READY' }])
    expect((await server.get('/api/builds')).body).toEqual({ builds: [], next: null })
  })
})

it('a token of yours reaches no agent', async () => {
  const token = 'canary-that-nobody-else-has'
  const env = { role: 'implementer', task: 'two', steps: [{ run: 'env > seen.txt' }, ...work('two')] }
  const made = project({ script: [env] })
  const server = await served(made, { RALPH_SERVE_TOKEN: token })
  expect(server.token).toBe(token)
  expect((await server.post('/api/build/shop/start')).body).toMatchObject({ status: 'started' })
  await server.until('shop', 'complete')
  expect(made.git('grep', '-c', 'PATH=', `ralph/${made.build()}`)).toContain('seen.txt')
  expect(() => made.git('grep', token, `ralph/${made.build()}`)).toThrow('ended with 1')
  expect(readFileSync(made.storePath).includes(token)).toBe(false)
})
