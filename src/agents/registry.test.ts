import { describe, expect, it, onTestFinished } from 'vitest'
import type { Config } from '../config/settings/config.ts'
import { loadConfig } from '../config/settings/load.ts'
import { ROLES } from './agent.ts'
import { type AgentsSettings, openAgents, openCrew } from './registry.ts'
import { tempFolder } from './trial.conformance.ts'

const context = { root: '/', env: { PATH: process.env['PATH'] } }

async function config(agents: Partial<Config['agents']>): Promise<AgentsSettings> {
  const defaults = await loadConfig({ folder: await tempFolder() })
  return { ...defaults, agents: { ...defaults.agents, ...agents } }
}

const session = {
  role: 'sia',
  prompt: 'x',
  folder: '/',
  task: null,
  attempt: 1,
  iteration: 1,
  env: {},
  signal: new AbortController().signal,
  onEvent: () => {},
} as const

describe('the agents of a build', () => {
  it('play the roles that the config gives them, each opened once', async () => {
    const roles = { planner: 'claude', implementer: 'command', reviewer: 'scripted', sia: 'command' } as const
    const agents = openAgents(await config(roles), context)
    expect(ROLES.map((role) => agents[role].name)).toEqual(['claude', 'command', 'scripted', 'command'])
    expect(agents.sia).toBe(agents.implementer)
  })

  it('are one by name and model, whoever asks for them', async () => {
    const settings = await config({ implementer: 'claude', reviewer: 'codex', fallback: ['codex', 'scripted'] })
    const { agents, fallbacks, agentFor } = openCrew(settings, context)
    expect(fallbacks.map(({ name }) => name)).toEqual(['codex', 'scripted'])
    expect(fallbacks[0]).toBe(agents.reviewer)
    expect(agentFor({ agent: 'claude', model: null })).toBe(agents.implementer)
    const other = agentFor({ agent: 'claude', model: 'haiku' })
    expect(other?.name).toBe('claude:haiku')
    expect(other?.describe({ role: 'implementer', folder: '/' })).toContain('--model haiku')
    expect(agentFor({ agent: 'claude', model: 'haiku' })).toBe(other)
    expect([agentFor({ agent: 'gemini', model: null }), agentFor({ agent: 'scripted', model: 'x' })]).toEqual([
      null,
      null,
    ])
  })

  it('that are not known say what to use instead', async () => {
    const settings = await config({})
    const { sia } = openAgents({ ...settings, agents: { ...settings.agents, sia: 'nobody' } }, context)
    const reason =
      'this version cannot drive the agent "nobody" by itself yet; use the agent "command" with any CLI, or "scripted"'
    expect(await sia.ready()).toEqual({ ready: false, reason })
    expect(sia.describe({ role: 'sia', folder: '/' })).toBe(`(${reason})`)
    expect((await sia.run(session)).failure).toEqual({ kind: 'notFound', sentence: reason, until: null })
  })

  it('answer with patches where they have no tools', async () => {
    const settings = await config({ implementer: 'model', reviewer: 'scripted' })
    const { model, scripted } = settings.agent
    if (model === undefined || scripted === undefined) throw new Error('both are in every config')
    const agents = openAgents({ ...settings, agent: { model: { ...model, tools: 'none' }, scripted } }, context)
    expect([agents.implementer.edits, agents.reviewer.edits]).toEqual(['patch', undefined])
  })

  it('wait, at no cost, where no session can have a place', async () => {
    const before = process.env['TMPDIR']
    onTestFinished(() => {
      if (before === undefined) delete process.env['TMPDIR']
      else process.env['TMPDIR'] = before
    })
    const settings = await config({ sia: 'command' })
    process.env['TMPDIR'] = '/nonexistent'
    const sentence = 'no folder for the session could be made (ENOENT); free space in the TMPDIR'
    expect((await openAgents(settings, context).sia.run(session)).failure).toEqual({
      kind: 'overload',
      sentence,
      until: null,
    })
  })
})
