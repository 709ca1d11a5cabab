// Opens the agent of each role. The config names them; each name is opened once.
import { programPath } from './agent-environment.ts'
import { type Agent, type Role, ROLES } from './agent.ts'
import { acpAdapter } from './acp/acp-adapter.ts'
import { commandAdapter, type CommandSettings } from './command/command-adapter.ts'
import { claudeAdapter } from './claude/claude-adapter.ts'
import { codexAdapter } from './codex/codex-adapter.ts'
import { geminiAdapter } from './gemini/gemini-adapter.ts'
import { opencodeAdapter } from './opencode/opencode-adapter.ts'
import { modelAdapter, type ModelSettings } from './model/model-adapter.ts'
import { programAgent, type ProgramSettings } from './program-agent.ts'
import { scriptedAdapter } from './scripted/scripted-adapter.ts'
import { unknownAgent } from './unknown-agent.ts'
import type { Environment } from '../core/values/environment.ts'

/** What of the config this room needs. */
export interface AgentsSettings {
  readonly agents: Readonly<Record<Role, string>> & { readonly fallback?: readonly string[] }
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

export interface AgentsContext {
  /** The operator's checkout, where relative paths of the config start. */
  readonly root: string
  /** The user's environment; agents get little of it. */
  readonly env: Environment
}

/** All agents of a build; those of the same name and model are one. */
export interface Crew {
  readonly agents: Readonly<Record<Role, Agent>>
  /** Who takes over, in this order, where one of them cannot work. */
  readonly fallbacks: readonly Agent[]
  /** One of them by name, with the model that is named; null: there is none of that name, or it has no models. */
  readonly agentFor: (worker: { readonly agent: string; readonly model: string | null }) => Agent | null
}

export function openCrew(settings: AgentsSettings, context: AgentsContext): Crew {
  const opened = new Map<string, Agent>()
  const called = (name: string, model: string | null = null): Agent => {
    const key = model === null ? name : `${name}:${model}`
    const own = settings.agent[name]
    const known = opened.get(key)
    if (known !== undefined) return known
    const agent = openAgent(name, own === undefined || model === null ? own : { ...own, model }, context)
    opened.set(key, model === null ? agent : { ...agent, name: key })
    return opened.get(key) ?? agent
  }
  const { fallback = [], ...roles } = settings.agents
  const [planner, implementer, reviewer, sia] = ROLES.map((role) => called(roles[role])) as [Agent, Agent, Agent, Agent]
  const names = new Set([...ROLES.map((role) => roles[role]), ...fallback])
  return {
    agents: { planner, implementer, reviewer, sia },
    fallbacks: fallback.map((name) => called(name)),
    agentFor: ({ agent, model }) => {
      if (!names.has(agent) || (model !== null && MODELLESS.includes(agent))) return null
      return called(agent, model === settings.agent[agent]?.model ? null : model)
    },
  }
}

/** What they are told to run has its model in it. */
const MODELLESS = ['command', 'scripted']

export function openAgents(settings: AgentsSettings, context: AgentsContext): Crew['agents'] {
  return openCrew(settings, context).agents
}

function openAgent(name: string, settings: AgentSettings | undefined, context: AgentsContext): Agent {
  if (settings === undefined) return unknownAgent(name)
  const agent = agentCalled(name, settings, context)
  return settings.tools === 'none' ? { ...agent, edits: 'patch' } : agent
}

function agentCalled(name: string, settings: AgentSettings, { root, env }: AgentsContext): Agent {
  switch (name) {
    case 'claude':
      return programAgent(claudeAdapter(settings, { root, user: env }), settings, env)
    case 'acp':
      return programAgent(acpAdapter(settings, root), settings, env)
    case 'codex':
      return programAgent(codexAdapter(settings, { root, user: env }), settings, env)
    case 'command':
      return programAgent(commandAdapter(settings, { root, path: programPath(env) }), settings, env)
    case 'gemini':
      return programAgent(geminiAdapter(settings, { root, user: env }), settings, env)
    case 'opencode':
      return programAgent(opencodeAdapter(settings, { root, user: env }), settings, env)
    case 'model':
      // It lends its key and nothing else; of whom it takes the key is its own matter.
      return programAgent(modelAdapter({ ...NO_MODEL, ...settings }, env), { ...settings, credentials: 'user' }, env)
    case 'scripted':
      return programAgent(scriptedAdapter(settings.scenario, root), settings, env)
    default:
      return unknownAgent(name)
  }
}
