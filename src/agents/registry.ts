// Which agent plays which role. The config says so by name; each name is opened once.
import { type Environment, programPath } from './agent-environment.ts'
import { type Agent, type Role, ROLES } from './agent.ts'
import { acpDialect } from './acp/acp-dialect.ts'
import { commandDialect, type CommandSettings } from './command/command-dialect.ts'
import { claudeDialect } from './claude/claude-dialect.ts'
import { geminiDialect } from './gemini/gemini-dialect.ts'
import { opencodeDialect } from './opencode/opencode-dialect.ts'
import { modelDialect, type ModelSettings } from './model/model-dialect.ts'
import { programAgent, type ProgramSettings } from './program-agent.ts'
import { scriptedDialect } from './scripted/scripted-dialect.ts'
import { unbuiltAgent } from './unbuilt.ts'

/** What of the config this room needs. */
export interface AgentsSettings {
  readonly agents: Readonly<Record<Role, string>>
  readonly agent: Readonly<Record<string, AgentSettings>>
}

interface AgentSettings
  extends ProgramSettings, CommandSettings, Partial<Omit<ModelSettings, 'env' | 'credentials' | 'model'>> {
  /** Null: the agent's own choice. */
  readonly model: string | null
  /** Of the scripted agent. */
  readonly scenario: string | null
}

/** A build that was frozen by an older version lacks what it did not know. */
const NO_MODEL = {
  provider: null,
  baseUrl: null,
  keyVariable: null,
  maxOutputTokens: null,
  inputPrice: null,
  outputPrice: null,
  tools: 'own',
} as const

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

function openAgent(name: string, settings: AgentSettings | undefined, ground: AgentsGround): Agent {
  if (settings === undefined) return unbuiltAgent(name)
  const agent = agentCalled(name, settings, ground)
  return settings.tools === 'none' ? { ...agent, edits: 'patch' } : agent
}

function agentCalled(name: string, settings: AgentSettings, { root, env }: AgentsGround): Agent {
  switch (name) {
    case 'claude':
      return programAgent(claudeDialect(settings, { root, user: env }), settings, env)
    case 'acp':
      return programAgent(acpDialect(settings, root), settings, env)
    case 'command':
      return programAgent(commandDialect(settings, { root, path: programPath(env) }), settings, env)
    case 'gemini':
      return programAgent(geminiDialect(settings, { root, user: env }), settings, env)
    case 'opencode':
      return programAgent(opencodeDialect(settings, { root, user: env }), settings, env)
    case 'model':
      // It lends its key and nothing else; of whom it takes the key is its own matter.
      return programAgent(modelDialect({ ...NO_MODEL, ...settings }, env), { ...settings, credentials: 'user' }, env)
    case 'scripted':
      return programAgent(scriptedDialect(settings.scenario, root), settings, env)
    default:
      return unbuiltAgent(name)
  }
}
