// Which agent plays which role. The config says so by name; each name is opened once.
import { type Environment, programPath } from './agent-environment.ts'
import { type Agent, type Role, ROLES } from './agent.ts'
import { commandDialect, type CommandSettings } from './command/command-dialect.ts'
import { claudeDialect } from './claude/claude-dialect.ts'
import { codexDialect } from './codex/codex-dialect.ts'
import { programAgent, type ProgramSettings } from './program-agent.ts'
import { scriptedDialect } from './scripted/scripted-dialect.ts'
import { unbuiltAgent } from './unbuilt.ts'

/** What of the config this room needs. */
export interface AgentsSettings {
  readonly agents: Readonly<Record<Role, string>>
  readonly agent: Readonly<Record<string, AgentSettings>>
}

interface AgentSettings extends ProgramSettings, CommandSettings {
  /** Null: the agent's own choice. */
  readonly model: string | null
  /** Of the scripted agent. */
  readonly scenario: string | null
}

export interface AgentsGround {
  /** The operator's checkout, where relative paths of the config start. */
  readonly root: string
  /** The user's environment; agents get little of it. */
  readonly env: Environment
}

export function openAgents(settings: AgentsSettings, ground: AgentsGround): Readonly<Record<Role, Agent>> {
  const opened = new Map<string, Agent>()
  const agentOf = (role: Role): Agent => {
    const name = settings.agents[role]
    const agent = opened.get(name) ?? openAgent(name, settings.agent[name], ground)
    opened.set(name, agent)
    return agent
  }
  const [planner, implementer, reviewer, sia] = ROLES.map(agentOf) as [Agent, Agent, Agent, Agent]
  return { planner, implementer, reviewer, sia }
}

function openAgent(name: string, settings: AgentSettings | undefined, { root, env }: AgentsGround): Agent {
  if (settings === undefined) return unbuiltAgent(name)
  switch (name) {
    case 'claude':
      return programAgent(claudeDialect(settings, { root, user: env }), settings, env)
    case 'codex':
      return programAgent(codexDialect(settings, { root, user: env }), settings, env)
    case 'command':
      return programAgent(commandDialect(settings, { root, path: programPath(env) }), settings, env)
    case 'scripted':
      return programAgent(scriptedDialect(settings.scenario, root), settings, env)
    default:
      return unbuiltAgent(name)
  }
}
