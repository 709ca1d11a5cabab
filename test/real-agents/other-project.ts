// A project that a real `gemini`, `opencode` or agent of the Agent Client Protocol builds against a scripted model.
import { onTestFinished } from 'vitest'
import { inTongueOf } from '../model-server/foreign-tools.ts'
import type { Scenario } from '../model-server/scenario.ts'
import { startModelServer } from '../model-server/server.ts'
import type { RealAgent } from './other-agents.ts'
import type { RealProject } from './real-builders.ts'
import { project } from '../rig/project.ts'

const toml = ({ name, command, model }: RealAgent, listed: readonly string[]): string => `[agents]
default = "${name}"
[agent.${name}]
command = ${JSON.stringify(command)}
${model === null ? '' : `model = "${model}"`}
credentials = "none"
env = ${JSON.stringify(listed)}
[checks]
unit = "node --test"
[review]
when = "always"
`

export async function otherProject(real: RealAgent, scenario: Scenario): Promise<RealProject> {
  const server = await startModelServer(inTongueOf(real.tongue, scenario))
  onTestFinished(server.close)
  const agentEnv = real.env(server.address)
  const made = project({ toml: toml(real, Object.keys(agentEnv)) })
  return { ...made, server, agentEnv }
}
