// The agent `claude` as the program opens it, with the real binary and a scripted model.
import { onTestFinished } from 'vitest'
import type { Agent } from '../../src/agents/agent.ts'
import { openAgents } from '../../src/agents/registry.ts'
import type { Played } from '../../src/agents/trial.conformance.ts'
import type { Scenario } from '../model-server/scenario.ts'
import { type ModelServer, startModelServer } from '../model-server/server.ts'
import { claudeEnvironment, type Login } from './claude-environment.ts'
import { CLAUDE } from './claude-project.ts'

export interface ClaudeUnderTest {
  readonly agent: Agent
  readonly server: ModelServer
}

type Settings = Omit<Played, 'steps'>

export async function openClaude(
  scenario: Scenario,
  settings: Settings,
  user: Readonly<Record<string, string | undefined>>,
  login: Login = 'key',
  more: { readonly retries?: 'its own' } = {},
): Promise<ClaudeUnderTest> {
  const server = await startModelServer(scenario)
  onTestFinished(server.close)
  const own = { ...claudeEnvironment(server.address, '', login) }
  // What the program itself sees to.
  for (const name of ['PATH', 'HOME', 'LANG', 'TERM', 'CLAUDE_CONFIG_DIR']) delete own[name]
  if (more.retries === 'its own') delete own['CLAUDE_CODE_MAX_RETRIES']
  const claude = {
    ...settings,
    command: CLAUDE === null ? [] : [CLAUDE],
    args: [],
    model: null,
    scenario: null,
    env: [...settings.env, ...Object.keys(own)],
  }
  const agents = { planner: 'claude', implementer: 'claude', reviewer: 'claude', sia: 'claude' }
  const { implementer } = openAgents({ agents, agent: { claude } }, { root: '/', env: { ...user, ...own } })
  return { agent: implementer, server }
}
