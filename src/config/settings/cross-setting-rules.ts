// Values that are valid alone but not together.
import { AGENT_NAMES, type AgentName, type Settings } from './config.ts'
import { formatDuration } from './duration.ts'
import { AFTER_THE_FILE, type Problem } from './layer.ts'
import type { AllGiven } from './resolve.ts'
import { dottedKey, shownValue } from './toml-text.ts'

export function relationProblems(settings: Settings, given: AllGiven): readonly Problem[] {
  return [
    ...idleProblems(settings, given),
    ...roleProblems(settings, given),
    ...nameProblems(settings, given),
    ...countProblems(settings, given),
  ]
}

function idleProblems(settings: Settings, given: AllGiven): readonly Problem[] {
  return AGENT_NAMES.flatMap((name) => {
    const { idleTimeoutMs, timeoutMs } = settings.agent[name]
    if (idleTimeoutMs <= timeoutMs) return []
    const timeout = `agent.${name}.timeout (${formatDuration(timeoutMs)})`
    return [problemAt(`agent.${name}.idle_timeout`, `must not be longer than ${timeout}`, given)]
  })
}

/** An agent that plays a role must be able to. */
function roleProblems(settings: Settings, given: AllGiven): readonly Problem[] {
  const { fallback, ...roles } = settings.agents
  const parts = [...Object.entries(roles), ...fallback.map((name) => ['fallback', name] as const)]
  return parts.flatMap(([role, name]) => {
    const missing = missingKey(name, settings)
    const key = `agents.${role}`
    // A role that only follows agents.default is reported once, there.
    return missing === null || !given.has(key)
      ? []
      : [problemAt(key, `is ${shownValue(name)}, which needs ${missing} in ralph.toml`, given)]
  })
}

function missingKey(name: AgentName, settings: Settings): string | null {
  const agent = settings.agent[name]
  if ((name === 'command' || name === 'acp') && agent.command === null) return `agent.${name}.command`
  if (name !== 'model') return null
  if (agent.model === null) return 'agent.model.model'
  return agent.provider === 'openai-compatible' && agent.baseUrl === null ? 'agent.model.base_url' : null
}

/** Evidence names a check by its name alone. */
function nameProblems(settings: Settings, given: AllGiven): readonly Problem[] {
  const checks = new Set(settings.checks.map(({ name }) => name))
  const both = settings.validators.filter(({ name }) => checks.has(name))
  return both.map(({ name }) =>
    problemAt(dottedKey(['validators', name]), 'has the name of a check, rename one', given),
  )
}

// All of them run on every piece of work.
const CHECKS_MAX = 100

function countProblems(settings: Settings, given: AllGiven): readonly Problem[] {
  return (['checks', 'validators'] as const)
    .filter((section) => settings[section].length > CHECKS_MAX)
    .map((section) => problemAt(section, `has ${settings[section].length} commands, the most is ${CHECKS_MAX}`, given))
}

function problemAt(key: string, problem: string, given: AllGiven): Problem {
  const { origin = 'default', line = AFTER_THE_FILE } = given.get(key) ?? {}
  return { where: origin, line, problem: `${key} ${problem}` }
}
