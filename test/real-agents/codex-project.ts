// A project that a real `codex` builds against a scripted model, in an environment of its own and in its own sandbox.
import { onTestFinished } from 'vitest'
import { forCodex } from '../model-server/codex-tools.ts'
import type { Scenario } from '../model-server/scenario.ts'
import { startModelServer } from '../model-server/server.ts'
import { CODEX, codexEnvironment, codexProvider, LISTED } from './codex-environment.ts'
import type { RealProject } from './real-builders.ts'
import { project } from '../rig/project.ts'

const toml = (address: string): string => `[agents]
default = "codex"
[agent.codex]
command = ${JSON.stringify(CODEX)}
model = "gpt-5"
credentials = "none"
env = ${JSON.stringify(LISTED)}
args = ${JSON.stringify(codexProvider(address))}
[checks]
unit = "node --test"
[review]
when = "always"
`

export async function codexProject(scenario: Scenario): Promise<RealProject> {
  const server = await startModelServer(forCodex(scenario))
  onTestFinished(server.close)
  const made = project({ toml: toml(server.address) })
  const { PATH: _, ...agentEnv } = codexEnvironment()
  return { ...made, server, agentEnv }
}
