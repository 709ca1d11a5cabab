// The config of a build. It is read at the start and frozen from then on; editing the file does not affect the build.
import { withDetected } from '../../config/project/adopt-settings.ts'
import { type AgentName, type Config, originOf } from '../../config/settings/config.ts'
import { detectProject } from '../../config/project/detect.ts'
import { loadConfig } from '../../config/settings/load.ts'
import { sealConfig } from '../../config/settings/config-hash.ts'
import { refuse } from '../../core/error/error.ts'
import type { Environment } from '../../core/values/environment.ts'

export interface ConfigPlace {
  /** The operator's checkout. */
  readonly folder: string
  readonly env: Environment
}

/** A config, and notes about it for the operator. */
export interface ChosenConfig {
  readonly config: Config
  readonly notes: readonly string[]
}

const AGENT_FLAG = '--agent'

/** A named agent is the one that does the work, including planning; the other roles keep their own. */
export async function configForNew(
  { folder, env }: ConfigPlace,
  agent: string | null,
  work: 'implementer' | 'planner' = 'implementer',
): Promise<ChosenConfig> {
  const named = agent === null ? undefined : { flag: AGENT_FLAG, value: agent }
  const flags = { 'agents.default': named, [`agents.${work}`]: named }
  const written = await loadConfig({ folder, env, flags })
  if (written.sandbox.mode === 'required') throw refuse('SANDBOX_MISSING')
  const config = withDetected(written, await detectProject(folder))
  return { config, notes: config === written ? [] : [takenOver(config)] }
}

function takenOver(config: Config): string {
  const checks = config.checks.map(({ name, command }) => `${name}: ${command}`).join('; ')
  const setup = config.workspace.setup === null ? '' : `; setup: ${config.workspace.setup}`
  return `no checks are configured, so those of the project are taken (${checks}${setup}); 'ralph init' writes them down`
}

/** A continued build keeps its settings. Only its agent may change, since a login or a quota may be gone. */
export async function configForContinued(
  place: ConfigPlace,
  frozen: Config,
  agent: AgentName | null,
): Promise<ChosenConfig> {
  const changed = await changeSince(place, frozen)
  const notes = changed === null ? [] : [changed]
  if (agent === null || agent === frozen.agents.implementer) return { config: frozen, notes }
  const was = frozen.agents.implementer
  return {
    config: withAgent(frozen, agent),
    notes: [...notes, `${agent} works from here on, in place of ${was} that the build was started with`],
  }
}

function withAgent(frozen: Config, agent: AgentName): Config {
  const { hash: _, origins, ...settings } = frozen
  const { agents } = settings
  const instead = (name: AgentName): AgentName => (name === agents.implementer ? agent : name)
  const { planner, reviewer, sia } = agents
  const roles = { planner: instead(planner), reviewer: instead(reviewer), sia: instead(sia) }
  return sealConfig({ ...settings, agents: { ...agents, ...roles, default: agent, implementer: agent } }, origins)
}

async function changeSince({ folder, env }: ConfigPlace, frozen: Config): Promise<string | null> {
  const keeps = "the build keeps the settings it started with; 'ralph abort', then 'ralph build', takes the new ones"
  const agent = originOf(frozen, 'agents.implementer') === `flag ${AGENT_FLAG}` ? frozen.agents.implementer : null
  try {
    const { config } = await configForNew({ folder, env }, agent)
    return config.hash === frozen.hash ? null : `the settings have changed since: ${keeps}`
  } catch (error) {
    return `the settings cannot be read any more (${error instanceof Error ? error.message : String(error)}): ${keeps}`
  }
}
