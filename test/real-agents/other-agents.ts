// The agents `gemini`, `opencode` and `acp` as the program opens them, with the real binaries and a scripted model.
import { tmpdir } from 'node:os'
import { onTestFinished } from 'vitest'
import type { Agent } from '../../src/agents/agent.ts'
import { openAgents } from '../../src/agents/registry.ts'
import type { Step } from '../../src/agents/scripted/scenario.ts'
import type { Played } from '../../src/agents/trial.conformance.ts'
import { inTongueOf } from '../model-server/foreign-tools.ts'
import type { Scenario } from '../model-server/scenario.ts'
import { type ModelServer, startModelServer } from '../model-server/server.ts'
import { claudeEnvironment } from './claude-environment.ts'
import { servedApart } from './served-apart.ts'
import { stepsAsTurns } from './steps-as-turns.ts'

export interface RealAgent {
  /** As ralph.toml knows it. */
  readonly name: 'gemini' | 'opencode' | 'acp'
  /** Whose tools its model has. */
  readonly tongue: 'gemini' | 'opencode' | 'claude-acp'
  /** Null where the tests were not started for it. */
  readonly command: readonly string[] | null
  readonly model: string | null
  /** What its user has in the environment for it. */
  readonly env: (address: string) => Readonly<Record<string, string>>
}

const program = (variable: string, ...words: readonly string[]): readonly string[] | null => {
  const path = process.env[variable]
  return path === undefined ? null : [path, ...words]
}

/** Nothing listens there: requests to other machines fail. */
const ALONE = { HTTPS_PROXY: 'http://127.0.0.1:9', NO_PROXY: '127.0.0.1' }

const geminiEnv = (address: string): Record<string, string> => ({
  ...ALONE,
  GEMINI_API_KEY: 'dummy-key',
  GOOGLE_GEMINI_BASE_URL: address,
  GEMINI_CLI_NO_RELAUNCH: 'true',
})

const opencodeEnv = (address: string): Record<string, string> => ({
  ...ALONE,
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  OPENCODE_CONFIG_CONTENT: JSON.stringify({
    model: 'scripted/scripted',
    provider: {
      scripted: {
        npm: '@ai-sdk/openai-compatible',
        options: { baseURL: `${address}/v1`, apiKey: 'dummy-key' },
        models: {
          scripted: { limit: { context: 1_000_000, output: 100_000 }, cost: { input: 1, output: 2 } },
        },
      },
    },
  }),
})

const claudeEnv = (address: string): Record<string, string> => {
  const { PATH: _, HOME: __, LANG: ___, TERM: ____, CLAUDE_CONFIG_DIR: _____, ...own } = claudeEnvironment(address, '')
  return { ...own, TMPDIR: tmpdir() }
}

export const GEMINI: RealAgent = {
  name: 'gemini',
  tongue: 'gemini',
  command: program('RALPH_TEST_GEMINI'),
  model: 'gemini-2.5-flash',
  env: geminiEnv,
}

export const OPENCODE: RealAgent = {
  name: 'opencode',
  tongue: 'opencode',
  command: program('RALPH_TEST_OPENCODE'),
  model: 'scripted/scripted',
  env: opencodeEnv,
}

export const CLAUDE_ACP: RealAgent = {
  name: 'acp',
  tongue: 'claude-acp',
  command: program('RALPH_TEST_ACP'),
  model: null,
  env: claudeEnv,
}

export const GEMINI_ACP: RealAgent = {
  name: 'acp',
  tongue: 'gemini',
  // In a folder that it does not trust it starts no MCP server.
  command: program('RALPH_TEST_GEMINI', '--acp', '--skip-trust', '--model', 'gemini-2.5-flash'),
  model: null,
  env: geminiEnv,
}

export const OPENCODE_ACP: RealAgent = {
  name: 'acp',
  tongue: 'opencode',
  command: program('RALPH_TEST_OPENCODE', 'acp'),
  model: null,
  env: opencodeEnv,
}

export function reasonWithout(name: string): string {
  return `there is no real ${name}; run 'npm run test:agents -- ${name}'`
}

type Settings = Omit<Played, 'steps'>
type User = Readonly<Record<string, string | undefined>>

/** Asks the model at this address. */
export function agentAt(
  { name, command, model, env }: RealAgent,
  address: string,
  settings: Settings,
  user: User,
): Agent {
  const own = env(address)
  const shared = { args: [], model, scenario: null, provider: null, baseUrl: null }
  const agent = { ...settings, ...shared, command, env: [...settings.env, ...Object.keys(own)] }
  const agents = { planner: name, implementer: name, reviewer: name, sia: name }
  return openAgents({ agents, agent: { [name]: agent } }, { root: '/', env: { ...user, ...own } }).implementer
}

export interface UnderTest {
  readonly agent: Agent
  readonly server: ModelServer
}

export async function openReal(
  real: RealAgent,
  scenario: Scenario,
  settings: Settings,
  user: User,
): Promise<UnderTest> {
  const server = await startModelServer(inTongueOf(real.tongue, scenario))
  onTestFinished(server.close)
  return { agent: agentAt(real, server.address, settings, user), server }
}

/** Plays the steps of the conformance suite. */
export async function openSteps(real: RealAgent, { steps, ...settings }: Played, user: User): Promise<Agent> {
  if (isFlood(steps)) return agentAt(real, await servedApart(steps, real.tongue), settings, user)
  return (await openReal(real, stepsAsTurns(steps), settings, user)).agent
}

function isFlood(steps: readonly Step[]): boolean {
  return steps.some((step) => 'flood' in step)
}
