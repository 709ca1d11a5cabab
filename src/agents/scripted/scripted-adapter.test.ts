// What is the scripted agent's own: scenarios that do not fit, and paths that do not stay.
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Agent, Outcome } from '../agent.ts'
import { programAgent } from '../program-agent.ts'
import { tempFolder } from '../trial.conformance.ts'
import type { Step } from './scenario.ts'
import { scriptedAdapter } from './scripted-adapter.ts'
import { HANG_MS } from '../../../test/rig/hang.ts'

const settings = { timeoutMs: HANG_MS, idleTimeoutMs: HANG_MS, env: [], credentials: 'none' } as const
const PATH = process.env['PATH']

async function agentWith(scenario: unknown): Promise<{ agent: Agent; root: string; file: string }> {
  const root = await tempFolder()
  const file = join(root, 's.json')
  await writeFile(file, JSON.stringify(scenario))
  return { agent: programAgent(scriptedAdapter('s.json', root), settings, { PATH }), root, file }
}

async function played(agent: Agent, folder: string): Promise<Outcome> {
  const about = { role: 'reviewer', task: 't9', attempt: 2, iteration: 1 } as const
  const signal = new AbortController().signal
  return agent.run({ ...about, prompt: 'p', folder, env: {}, signal, onEvent: () => {} })
}

describe('a scripted agent', () => {
  it('plays the part that fits the session best', async () => {
    const { agent, root } = await agentWith({
      sessions: [
        { steps: [{ answerText: 'any' }] },
        { role: 'reviewer', task: 't9', steps: [{ answerText: 'mine' }] },
        { role: 'implementer', task: 't9', attempt: 2, steps: [{ answerText: 'not mine' }] },
      ],
    })
    expect((await played(agent, root)).finalMessage).toBe('mine')
  })

  it('stops the loop where the scenario has no part for the session', async () => {
    const { agent, root, file } = await agentWith({ sessions: [{ role: 'sia', steps: [] }] })
    expect((await played(agent, root)).failure).toEqual({
      kind: 'unknownCommand',
      sentence: `${file} has no session for role reviewer, task t9, attempt 2, iteration 1; add one, or one without these fields for all others`,
      until: null,
    })
  })

  it('says what is wrong with its scenario, before and in a session', async () => {
    const { agent, root, file } = await agentWith({ sessions: [{ steps: [{ jump: 1 }] }] })
    const problem = expect.stringMatching(
      `^${file}: scenario.sessions\\[0\\].steps\\[0\\] must be an object with one of`,
    )
    expect(await agent.ready()).toEqual({ ready: false, reason: problem })
    expect((await played(agent, root)).failure).toMatchObject({ kind: 'unknownCommand', sentence: problem })
  })

  it('needs a scenario', async () => {
    const agent = programAgent(scriptedAdapter(null, '/'), settings, { PATH })
    const reason =
      'no scenario is set for the scripted agent; add [agent.scripted] scenario = "FILE.json" to ralph.toml'
    expect(await agent.ready()).toEqual({ ready: false, reason })
    expect((await played(agent, '/')).failure).toEqual({ kind: 'unknownCommand', sentence: reason, until: null })
  })

  it.each<[string, Step]>([
    ['a folder that is a link', { write: { path: 'out/x', content: 'x' } }],
    ['a file that is a link', { write: { path: 'file', content: 'x' } }],
    ['a file that is a link, appended to', { append: { path: 'file', content: 'x' } }],
    ['a deep path behind a link', { delete: 'out/deep/file' }],
  ])('does not leave its folder through %s', async (_, step) => {
    const { agent } = await agentWith({ sessions: [{ steps: [step] }] })
    const [folder, outside] = [await tempFolder(), await tempFolder()]
    await writeFile(join(outside, 'file'), 'safe')
    symlinkSync(outside, join(folder, 'out'))
    symlinkSync(join(outside, 'file'), join(folder, 'file'))
    expect((await played(agent, folder)).failure).toMatchObject({
      kind: 'crashed',
      sentence: expect.stringMatching(/^step 1 could not be played: /),
    })
    expect(readFileSync(join(outside, 'file'), 'utf8')).toBe('safe')
    expect(existsSync(join(outside, 'x'))).toBe(false)
  })

  it('leaves it where it is told to', async () => {
    const outside = await tempFolder()
    const path = join(outside, 'deep/x')
    const { agent, root } = await agentWith({ sessions: [{ steps: [{ writeOutside: { path, content: 'out' } }] }] })
    expect((await played(agent, root)).failure).toBeNull()
    expect(readFileSync(path, 'utf8')).toBe('out')
  })

  it('commits nowhere but in its own folder', async () => {
    const around = await tempFolder()
    const inner = join(around, 'inner')
    await mkdir(inner)
    const steps = [{ run: 'git init -q -b main ..' }, { commit: { message: 'stray' } }]
    const { agent } = await agentWith({ sessions: [{ steps }] })
    await played(agent, inner)
    expect(existsSync(join(around, '.git/HEAD'))).toBe(true)
    expect(existsSync(join(around, '.git/refs/heads/main'))).toBe(false)
  })
})
