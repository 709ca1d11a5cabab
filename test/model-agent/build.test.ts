// A whole build with no CLI agent: from an empty repository to what is shipped, by patches and by tools.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Ended, type Scratch, scratch } from '../rig/scratch.ts'
import { patchTeam, REFUSED, STORY_GOAL, toolTeam } from '../model-server/patch-story.ts'
import type { Scenario } from '../model-server/scenario.ts'
import { type ModelServer, startModelServer } from '../model-server/server.ts'
import { team } from '../model-server/team.ts'
import { KEY, MODEL } from './model-agent.ts'
import { start } from '../rig/program.ts'

interface Empty extends Scratch {
  readonly server: ModelServer
  readonly ran: (...args: readonly string[]) => Promise<Ended>
}

/** As a new user does it: `git init`, `ralph init`, then the address of the model and a check. */
async function emptyProject(scenario: Scenario, agent: (address: string) => string): Promise<Empty> {
  const server = await startModelServer(scenario)
  onTestFinished(server.close)
  const made = scratch()
  const env = { ...made.env, ANTHROPIC_API_KEY: KEY, MY_MODEL_KEY: KEY }
  const ran = (...args: readonly string[]): Promise<Ended> => start(args, made.folder, env).ended
  made.git('config', 'user.name', 'Ada')
  made.git('config', 'user.email', 'ada@example.com')
  const init = await ran('init', '--yes', '--agent', 'model')
  expect([init.code, init.stderr]).toEqual([0, expect.stringContaining('The agent model is ready: anthropic claude-')])
  const path = join(made.folder, 'ralph.toml')
  const toml = readFileSync(path, 'utf8').replace(/^\[agent\.model\]\n.*\n.*\n/m, agent(server.address))
  writeFileSync(path, toml.replace('# [checks]\n# unit = "npm test"', '[checks]\nunit = "node --test"'))
  return { ...made, server, ran }
}

const chat = (address: string): string =>
  `[agent.model]\nprovider = "openai-compatible"\nmodel = "local"\nbase_url = "${address}/v1"\nkey_variable = "MY_MODEL_KEY"\ntools = "none"\n`
const anthropic = (address: string): string => `[agent.model]\nmodel = "${MODEL}"\nbase_url = "${address}"\n`

async function expectShipped(made: Empty): Promise<string> {
  const plan = await made.ran('plan', STORY_GOAL)
  expect([plan.code, plan.stderr.includes('Error')]).toEqual([0, false])
  const build = await made.ran('build')
  expect([build.code, build.stderr]).toEqual([0, expect.not.stringContaining('Error')])
  for (const step of ['verify', 'ship']) expect(await made.ran(step)).toMatchObject({ code: 0 })
  expect(made.git('log', '--reverse', '--format=%s', 'main').trim().split('\n').slice(-2)).toEqual([
    'feat: Set the project up with one()',
    'feat: Add two()',
  ])
  expect(made.git('ls-tree', '-r', '--name-only', 'main').trim().split('\n')).toEqual([
    'one.js',
    'one.test.js',
    'package.json',
    'two.js',
    'two.test.js',
  ])
  return `${build.stdout}${build.stderr}`
}

describe('a build with no CLI agent', () => {
  it('by patches alone, through a chat-completions server: from an empty repository to shipped', async () => {
    const made = await emptyProject(team(patchTeam), chat)
    const told = await expectShipped(made)
    expect(told).toContain(`${REFUSED}: two.js is not in the project`)
    const asked = made.server.log.all().flatMap(({ ask }) => ask ?? [])
    expect(asked.every(({ tools }) => tools.length === 0)).toBe(true)
    // The key goes nowhere but to the model.
    expect(made.server.log.all()[0]?.headers['authorization']).toBe(`Bearer ${KEY}`)
    expect(JSON.stringify(made.state())).not.toContain(KEY)
  })

  it('by tools, through the Messages API: from an empty repository to shipped', async () => {
    const made = await emptyProject(team(toolTeam), anthropic)
    const told = await expectShipped(made)
    expect(told).not.toContain(REFUSED)
    const results = made.server.log
      .all()
      .flatMap(({ ask }) => ask?.messages.flatMap((message) => message.results) ?? [])
      .map(({ text }) => text)
    expect(results).toContainEqual(expect.stringContaining(`${REFUSED}: two.js is not in the project`))
    expect(results).toContain('all green\n\nunit: green')
  })
})
