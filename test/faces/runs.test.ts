// Going on with a build is the same whichever face does it: one operation opens the run.
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { BuildAgent, openRalph } from '../../src/index.ts'
import { served } from '../http/served.ts'
import { rig } from '../library/library-project.ts'
import { HANG_MS } from '../rig/hang.ts'
import { project, type Project } from '../rig/project.ts'
import { answers, SIA_GIVES_UP, work } from '../rig/sessions.ts'

const WAIT = { timeout: HANG_MS, interval: 20 }
const FILE = '# Progress: Numbers\n\n## Tasks\n\n- [ ] Add two {#two}\n- [ ] Add three {#three}\n'

const session = (task: string, ...numbers: number[]) => ({ role: 'implementer', task, steps: work(task, ...numbers) })

function agentOf({ folder, env }: Project): BuildAgent {
  const agent = new BuildAgent({ folder, env, person: 'ada' })
  onTestFinished(() => agent.close())
  return agent
}

function setLimits(made: Project, lines: string): void {
  made.write('ralph.toml', made.read('ralph.toml').replace('[limits]', `[limits]\n${lines}`))
}

/** Each calls the steps of a build until it is complete. */
const goOn: Readonly<Record<string, (made: Project, build: string) => Promise<unknown>>> = {
  'ralph build': async (made) => made.ralph(['build']),
  'ralph step': async (made) => {
    for (let step = 0; step < 20 && made.json('status')['state'] === 'running'; step += 1) made.ralph(['step'])
  },
  'the step of a server': async (made, build) => {
    const server = await served(made)
    for (let step = 0; step < 20; step += 1) {
      const { body } = await server.post('/api/build/step', { build_id: build })
      if (body['phase'] === 'ready') return
    }
  },
  'the loop of a server': async (made, build) => {
    const server = await served(made)
    await server.post(`/api/build/${build}/resume`)
    await server.until(build, 'complete')
  },
  openRalph: async ({ folder, env }, build) => {
    const ralph = await openRalph({ folder, env })
    onTestFinished(() => ralph.close())
    await ralph.resume({ sessionId: build })
    for await (const { type } of ralph.follow(build)) if (type === 'buildComplete') return
  },
  'BuildAgent.resume': async (made, build) => {
    const agent = agentOf(made)
    await agent.resume(build)
    await agent.atRest(build)
  },
}

describe('a build over a progress file', () => {
  it.for(Object.keys(goOn))('%s ticks its tasks', async (face) => {
    const made = project()
    made.play(session('two'), session('three'))
    made.write('PROGRESS.md', FILE)
    made.ralph(['build', 'PROGRESS.md', '--once'])
    expect(made.read('PROGRESS.md')).toContain('- [ ] Add three {#three}')
    await goOn[face]?.(made, made.build())
    expect(made.json('status')).toMatchObject({ state: 'complete' })
    expect(made.read('PROGRESS.md')).toMatch(/- \[x\] Add two \{#two\}\n- \[x\] Add three \{#three\}/)
  })
})

describe('people who do not look', () => {
  it.for(Object.keys(goOn))('%s tells them that the build is complete', async (face) => {
    const made = project({ script: [session('two')] })
    made.write('ralph.toml', `${made.read('ralph.toml')}[notify]\ncommand = "cat >> ../notices"\n`)
    // A build that was started and is not finished.
    made.play({ ...session('two'), steps: [{ signal: { kind: 'ITERATION_DONE' } }] })
    made.ralph(['build', '--once'])
    made.play(session('two'))
    await goOn[face]?.(made, made.build())
    await vi.waitFor(() => expect(made.read('../notices')).toContain('"buildComplete"'), WAIT)
  })
})

describe('BuildAgent.resume', () => {
  it('works on as many tasks at a time as the settings say', async () => {
    const made = project()
    const ids = ['two', 'three', 'four']
    // None ends before the others have begun.
    const meet = (own: string) => ({
      run: `cd '${made.root}'; touch '${own}'; for i in $(seq 400); do [ -e two ] && [ -e three ] && [ -e four ] && exit 0; sleep 0.05; done; touch alone`,
    })
    for (const id of ['first', ...ids]) made.ok('create', id, `Add ${id}`)
    for (const id of ids) made.ok('block', id, '--by', 'first')
    made.play(session('first'), ...ids.map((id) => ({ role: 'implementer', task: id, steps: [meet(id), ...work(id)] })))
    setLimits(made, 'workers = 3')
    made.ralph(['build', '--once'])
    const agent = agentOf(made)
    const build = made.build()
    await agent.resume(build)
    await agent.atRest(build)
    expect(agent.getSession(build)).toMatchObject({ status: 'complete' })
    expect(existsSync(join(made.root, 'alone'))).toBe(false)
  })

  it('is refused while another process works on the build', async () => {
    const slow = { ...session('two'), steps: [{ say: 'taking my time' }, { sleep: 60_000 }] }
    const made = project({ script: [slow] })
    const other = made.start(['build', '--json'])
    await other.saw('"iterationStarted"')
    const agent = agentOf(made)
    const build = made.build()
    await expect(agent.resume(build)).rejects.toMatchObject({ code: 'BUILD_DRIVEN' })
    other.child.kill('SIGKILL')
    await other.ended
    made.play(session('two'))
    await agent.resume(build)
    await agent.atRest(build)
    expect(agent.getSession(build)).toMatchObject({ status: 'complete' })
  })

  it('is refused where an agent cannot work, and the build stays as it was', async () => {
    const made = project({ script: [{ ...session('two'), steps: [{ signal: { kind: 'ITERATION_DONE' } }] }] })
    made.ralph(['build', '--once'])
    made.ralph(['pause'])
    rmSync(join(made.root, 'scenario.json'))
    const agent = agentOf(made)
    const build = made.build()
    await expect(agent.resume(build)).rejects.toMatchObject({ code: 'AGENT_NOT_READY' })
    expect(made.json('status')).toMatchObject({ state: 'paused' })
    made.play(session('two'))
    await agent.resume(build)
    await agent.atRest(build)
    expect(agent.getSession(build)).toMatchObject({ status: 'complete' })
  })

  it('goes on with the budget and the workers that it is given', async () => {
    const uses = { usage: { inputTokens: 900, outputTokens: 100, costUsd: null } }
    const made = project({
      script: ['two', 'three'].map((task) => ({ ...session(task), steps: [uses, ...work(task)] })),
    })
    setLimits(made, 'budget_tokens = 1000')
    made.ralph(['build'])
    const agent = agentOf(made)
    const build = made.build()
    await agent.resume(build)
    await agent.atRest(build)
    expect(agent.getSession(build)?.status).not.toBe('complete')
    await agent.resume(build, { budget: { tokens: 5_000 }, workers: 2, iterationsMax: 5 })
    await agent.atRest(build)
    expect(agent.getSession(build)).toMatchObject({ status: 'complete' })
  })

  it('goes on with a build that waits for a person once it was answered elsewhere', async () => {
    const made = project({ script: [session('wrong', 4, 3), SIA_GIVES_UP] })
    made.ralph(['build'])
    const agent = agentOf(made)
    const build = made.build()
    made.play(session('wrong', 3))
    made.ralph(['answer', '-m', 'it is 3'])
    await agent.resume(build)
    await agent.atRest(build)
    expect(agent.getSession(build)).toMatchObject({ status: 'complete' })
  })
})

describe('the start of a build asks once whether the agents can work:', () => {
  function withBrokenFallback(made: Project): void {
    const toml = made.read('ralph.toml').replace('default = "scripted"', 'default = "scripted"\nfallback = ["codex"]')
    made.write('ralph.toml', `${toml}[agent.codex]\ncommand = "/nonexistent/codex"\n`)
  }
  /** Starts the build and returns what the operator is told when it is complete. */
  async function notesOfServer(made: Project): Promise<string> {
    const server = await served(made)
    await server.post('/api/build/shop/start')
    await server.until('shop', 'complete')
    return server.program.said().stderr
  }
  const told = (notes: string): readonly string[] => notes.match(/codex cannot work/g) ?? []

  it('a server, over the open tasks', async () => {
    const made = project({ script: [session('two')] })
    withBrokenFallback(made)
    expect(told(await notesOfServer(made))).toHaveLength(1)
  })

  it('a server, of an idea', async () => {
    const { made, ready } = rig([answers()])
    await ready('shop')
    withBrokenFallback(made)
    expect(told(await notesOfServer(made))).toHaveLength(1)
  })

  it('BuildAgent', async () => {
    const { made, agent, ready } = rig([answers()])
    await ready('shop')
    withBrokenFallback(made)
    const warnings: string[] = []
    const keep = ({ message }: Error): number => warnings.push(message)
    process.on('warning', keep)
    onTestFinished(() => void process.off('warning', keep))
    const { id } = await agent.startBuild('shop')
    await agent.atRest(id)
    expect(told(warnings.join('\n'))).toHaveLength(1)
  })
})
