// A project that a real `claude` builds against a scripted model, in an environment of its own.
import { onTestFinished } from 'vitest'
import type { Scenario } from '../model-server/scenario.ts'
import { type ModelServer, startModelServer } from '../model-server/server.ts'
import { claudeEnvironment, type Login } from './claude-environment.ts'
import { project, type Project } from '../rig/project.ts'

export interface ClaudeProject extends Project {
  readonly server: ModelServer
  /** What the user of `ralph` has in the environment for `claude`. */
  readonly claudeEnv: Readonly<Record<string, string>>
}

/** The pinned `claude`; null where the tests were not started by `npm run test:agents`. */
export const CLAUDE = process.env['RALPH_TEST_CLAUDE'] ?? null
export const NO_CLAUDE = "there is no real claude; run 'npm run test:agents'"

const agentTable = (env: readonly string[]): string => `[agents]
default = "claude"
[agent.claude]
command = ${JSON.stringify(CLAUDE)}
credentials = "none"
env = ${JSON.stringify(env)}
`

const REST = `[checks]
unit = "node --test"
[review]
when = "always"
`

export interface More {
  readonly login?: Login
  readonly toml?: string
  /** Further variables of the user that the agent gets. */
  readonly listed?: readonly string[]
}

export async function claudeProject(scenario: Scenario, more: More = {}): Promise<ClaudeProject> {
  const server = await startModelServer(scenario)
  onTestFinished(server.close)
  const { PATH: _, HOME: __, CLAUDE_CONFIG_DIR: ___, ...claudeEnv } = claudeEnvironment(server.address, '', more.login)
  const listed = [...Object.keys(claudeEnv), ...(more.listed ?? [])]
  const made = project({ toml: `${agentTable(listed)}${more.toml ?? REST}` })
  return { ...made, server, claudeEnv }
}
