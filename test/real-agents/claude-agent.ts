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
  user: User,
  login: Login = 'key',
  more: More = {},
): Promise<ClaudeUnderTest> {
  const server = await startModelServer(scenario)
  onTestFinished(server.close)
  return { agent: claudeAt(server.address, settings, user, login, more), server }
}

type User = Readonly<Record<string, string | undefined>>

interface More {
  readonly retries?: 'its own'
}

/** Asks the model at this address. */
export function claudeAt(
  address: string,
  settings: Settings,
  user: User,
  login: Login = 'key',
  { retries }: More = {},
): Agent {
  const own = { ...claudeEnvironment(address, '', login) }
  // What the program itself sees to.
  for (const name of ['PATH', 'HOME', 'LANG', 'TERM', 'CLAUDE_CONFIG_DIR']) delete own[name]
  if (retries === 'its own') delete own['CLAUDE_CODE_MAX_RETRIES']
  const claude = {
    ...settings,
    command: CLAUDE === null ? [] : [CLAUDE],
    args: [],
    model: null,
    scenario: null,
    env: [...settings.env, ...Object.keys(own)],
  }
  const agents = { planner: 'claude', implementer: 'claude', reviewer: 'claude', sia: 'claude' }
  return openAgents({ agents, agent: { claude } }, { root: '/', env: { ...user, ...own } }).implementer
}
