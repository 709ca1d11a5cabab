import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { configForContinued, configForNew } from './build-config.ts'

const TOML = '[agents]\ndefault = "command"\nreviewer = "codex"\n[agent.command]\ncommand = ["my-agent"]\n'
const KEPT = "the build keeps the settings it started with; 'ralph abort', then 'ralph build', takes the new ones"

function place(files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-config-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text)
  for (const [name, text] of Object.entries(files)) write(name, text)
  return { folder, env: {}, write }
}

describe('the config of a new build', () => {
  it('is what is written', async () => {
    const { config, notes } = await configForNew(place({ 'ralph.toml': `${TOML}[checks]\nunit = "make test"\n` }), null)
    expect([config.checks.map(({ command }) => command), config.agents.implementer, notes]).toEqual([
      ['make test'],
      'command',
      [],
    ])
  })

  it('is refused where it asks for what cannot be had', async () => {
    const asked = configForNew(place({ 'ralph.toml': `${TOML}[sandbox]\nmode = "required"\n` }), null)
    await expect(asked).rejects.toMatchObject({ code: 'SANDBOX_MISSING' })
  })

  it('takes the checks of the project where nobody wrote any, and says so', async () => {
    const { config, notes } = await configForNew(place({ 'package.json': '{"scripts":{"test":"node --test"}}' }), null)
    expect(config.checks.map(({ name, command }) => [name, command])).toEqual([['unit', 'npm test']])
    expect(notes).toEqual([
      "no checks are configured, so those of the project are taken (unit: npm test); 'ralph init' writes them down",
    ])
  })

  it('lets the named agent work, and a role with an agent of its own keep it', async () => {
    const { config } = await configForNew(place({ 'ralph.toml': TOML }), 'scripted')
    const { implementer, planner, sia, reviewer } = config.agents
    expect([implementer, planner, sia, reviewer]).toEqual(['scripted', 'scripted', 'scripted', 'codex'])
  })
})

describe('the config of a build that goes on', () => {
  it('is the frozen one, and says nothing where nothing changed', async () => {
    const at = place({ 'ralph.toml': TOML })
    const { config } = await configForNew(at, 'scripted')
    expect(await configForContinued(at, config, null)).toEqual({ config, notes: [] })
    expect(await configForContinued(at, config, 'scripted')).toEqual({ config, notes: [] })
  })

  it.each([
    ['[limits]\nattempts = 9\n', `the settings have changed since: ${KEPT}`],
    [
      '[limits]\nattemps = 9\n',
      /^the settings cannot be read any more \(ralph\.toml line 7: unknown key .*\): the build keeps /,
    ],
  ])('stays the frozen one after %j', async (more, sentence) => {
    const at = place({ 'ralph.toml': TOML })
    const { config } = await configForNew(at, null)
    at.write('ralph.toml', TOML + more)
    const found = await configForContinued(at, config, null)
    expect(found).toEqual({
      config,
      notes: [typeof sentence === 'string' ? sentence : expect.stringMatching(sentence)],
    })
  })

  it('may be worked on by another agent, in all roles that the first one had', async () => {
    const at = place({ 'ralph.toml': TOML })
    const { config: frozen } = await configForNew(at, null)
    const { config, notes } = await configForContinued(at, frozen, 'scripted')
    const agents = {
      default: 'scripted',
      planner: 'scripted',
      implementer: 'scripted',
      sia: 'scripted',
      reviewer: 'codex',
    }
    expect(config).toEqual({ ...frozen, hash: config.hash, agents: { ...frozen.agents, ...agents } })
    expect(config.hash).not.toBe(frozen.hash)
    expect(notes).toEqual(['scripted works from here on, in place of command that the build was started with'])
  })
})
