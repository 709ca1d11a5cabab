// The agent `codex` as the program opens it, with the real binary and a scripted model.
import { onTestFinished } from 'vitest'
import type { Agent } from '../../src/agents/agent.ts'
import { openAgents } from '../../src/agents/registry.ts'
import type { Played } from '../../src/agents/trial.conformance.ts'
import { forCodex } from '../model-server/codex-tools.ts'
import type { Scenario } from '../model-server/scenario.ts'
import { type ModelServer, startModelServer } from '../model-server/server.ts'
import { CODEX, codexEnvironment, codexProvider, LISTED, WITHOUT_SANDBOX } from './codex-environment.ts'

export interface CodexUnderTest {
  readonly agent: Agent
  readonly server: ModelServer
}

type Settings = Omit<Played, 'steps'>
type User = Readonly<Record<string, string | undefined>>

interface More {
  readonly sandbox?: 'its own'
}

export async function openCodex(
  scenario: Scenario,
  settings: Settings,
  user: User,
  more: More = {},
): Promise<CodexUnderTest> {
  const server = await startModelServer(forCodex(scenario))
  onTestFinished(server.close)
  return { agent: codexAt(server.address, settings, user, more), server }
}

/** Asks the model at this address. */
export function codexAt(address: string, settings: Settings, user: User, { sandbox }: More = {}): Agent {
  const { CODEX_API_KEY, HTTPS_PROXY, NO_PROXY } = codexEnvironment()
  const codex = {
    ...settings,
    command: CODEX === null ? [] : [CODEX],
    args: [...codexProvider(address), ...(sandbox === undefined ? WITHOUT_SANDBOX : [])],
    model: 'gpt-5',
    scenario: null,
    env: [...settings.env, ...LISTED],
  }
  const agents = { planner: 'codex', implementer: 'codex', reviewer: 'codex', sia: 'codex' }
  const env = { ...user, CODEX_API_KEY, HTTPS_PROXY, NO_PROXY }
  return openAgents({ agents, agent: { codex } }, { root: '/', env }).implementer
}
