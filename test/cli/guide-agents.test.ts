// docs/guide/agents.md: every piece of ralph.toml in it is valid, and Ralph drives the agents that it lists. Here an
// agent of the Agent Client Protocol runs a whole build; test/real-agents runs the others with their real programs.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { describe, expect, it, onTestFinished } from 'vitest'
import { FROM_SOURCE } from '../../src/agents/scripted/player-program.ts'
import { AGENT_NAMES } from '../../src/config/settings/config.ts'
import { loadConfig } from '../../src/config/settings/load.ts'
import { pinnedAgents } from '../../scripts/agent-cache.ts'
import { readGuide } from './guided.ts'
import { project } from '../rig/project.ts'
import { work } from '../rig/sessions.ts'

const guide = readGuide('agents.md')
const PLAYER = join(import.meta.dirname, '../../src/agents/acp/acp-player.conformance.ts')

const settings = [...guide.matchAll(/^```toml\n(.*?)^```$/gms)].map((match) => match[1] ?? '')

describe('docs/guide/agents.md', () => {
  it.each(settings)('%s', async (toml) => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-guide-')))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    writeFileSync(join(folder, 'ralph.toml'), toml)
    const { agent } = await loadConfig({ folder, env: {} })
    const tables = [...toml.matchAll(/^\[agent\.(\w+)\]/gm)].map((match) => match[1])
    expect(Object.keys(agent)).toEqual(expect.arrayContaining(tables))
  })

  it('has a section for every agent that is driven, and each can be tried with its real program', () => {
    const sections = [...guide.matchAll(/^## (\w+)$/gm)].map((match) => match[1] ?? '')
    const driven = ['gemini', 'opencode', 'acp'] as const
    expect(sections).toEqual(expect.arrayContaining([...driven]))
    expect(Object.keys(pinnedAgents)).toEqual(expect.arrayContaining([...driven]))
    expect(AGENT_NAMES).toEqual(expect.arrayContaining([...driven]))
  })
})

describe('a build by an agent of the Agent Client Protocol', () => {
  it('is planned by nobody, done, verified and kept', () => {
    const steps = [...work('two', 2), { run: 'node --test' }, { answerText: 'Done.' }]
    const toml = (root: string): string => {
      const command = JSON.stringify([execPath, ...FROM_SOURCE, PLAYER, join(root, 'steps.json')])
      return `[agents]\ndefault = "acp"\n[agent.acp]\ncommand = ${command}\n[checks]\nunit = "node --test"\n[review]\nwhen = "never"\n`
    }
    const made = project({ toml })
    writeFileSync(join(made.root, 'steps.json'), JSON.stringify({ steps, iteration: 1 }))
    made.ok('create', 'add-two', 'Add two()')
    expect(made.ralph(['doctor']).stdout).toMatch(/agent acp +player 1\.0\.0/)
    const { code, stdout, stderr } = made.ralph(['build'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('Error') })
    expect(stdout).toContain('add-two')
    expect(made.json('status')).toMatchObject({
      state: 'complete',
      tasks: [{ id: 'add-two', status: 'done', attempt: 1 }],
    })
    expect(made.ralph(['log', '--task', 'add-two', '--transcript']).stdout).toContain('working on two')
    expect(made.ralph(['verify']).code).toBe(0)
  })
})
