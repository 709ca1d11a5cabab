import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { isatty } from 'node:tty'
import { agentReadiness } from '../compose.ts'
import { planPlugin } from '../config/claude/claude-plugin.ts'
import { AGENT_NAMES, type AgentName } from '../config/settings/config.ts'
import { detectProject } from '../config/project/detect.ts'
import { detectAgents, keyedProvider, variablesForLogin } from '../config/project/detect-agents.ts'
import { EXISTS_MEND, renderConfig, writeConfig } from '../config/project/init.ts'
import { loadConfig } from '../config/settings/load.ts'
import { findRepository, worktreeOf } from '../config/paths/repository.ts'
import { CONFIG_FILE } from '../config/settings/toml-file.ts'
import { refuse, RalphError } from '../core/error/error.ts'
import { says } from './ask.ts'
import type { Call, Command } from './command.ts'
import { installClaude } from './init-claude.ts'
import { print, printError, printJson } from './output.ts'

export const init: Command = {
  usage: 'init [--yes] [--agent NAME] [--claude]',
  who: 'operator',
  about:
    'Looks at this project, its checks and the installed agents, and writes ralph.toml. With --claude, Claude Code gets\n' +
    "Ralph's skills and hooks in this repository (.claude/), also where ralph.toml is there already.",
  flags: [
    { long: 'yes', short: 'y', takes: 'nothing', about: 'write without asking' },
    { long: 'agent', takes: 'value', value: 'NAME', about: AGENT_NAMES.join(', ') },
    { long: 'claude', takes: 'nothing', about: 'skills and hooks for Claude Code' },
  ],
  wordsMax: 0,
  run: async (call) => {
    // The folder where every other command looks for it, wherever in the checkout this one is called.
    const root = worktreeOf(findRepository(call.folder, call.env), call.env) ?? call.folder
    const there = { ...call, folder: root }
    // Checked first: a user's file that cannot be changed stops the command before it writes anything.
    const plugin = call.flags.has('claude') ? await planPlugin(root) : null
    const written = plugin !== null && existsSync(join(root, CONFIG_FILE)) ? keptConfig(there) : await writeNew(there)
    const changes = plugin === null ? {} : { claude: await installClaude(call, root, plugin) }
    if (call.wantsJson) printJson({ ...written, ...changes })
  },
}

/** A user who asks for the plugin may have the other files already. */
function keptConfig(call: Call): Record<string, unknown> {
  const path = join(call.folder, CONFIG_FILE)
  if (call.flags.has('agent')) throw refuse('FILE_EXISTS', { path, mend: 'name the agent there, or leave out --agent' })
  if (!call.wantsJson) printError(`${path} is there already and stays as it is.\n\n`)
  return { path }
}

async function writeNew(call: Call): Promise<Record<string, unknown>> {
  const { folder } = call
  const path = join(folder, CONFIG_FILE)
  // Without a terminal nobody can agree to replace the file, so the new text is not shown.
  if (existsSync(path) && !isatty(0)) throw refuse('FILE_EXISTS', { path, mend: EXISTS_MEND })
  const [project, agents] = await Promise.all([detectProject(folder), detectAgents(call.env)])
  const agent = wantedAgent(call) ?? agents[0]?.name ?? 'claude'
  const text = renderConfig(project, agent, await variablesForLogin(agent, call.env), keyedProvider(call.env))
  if (!call.wantsJson) {
    const found = agents.length === 0 ? 'none' : agents.map(({ name }) => name).join(', ')
    printError(
      `Found: ${project.stacks.map(({ name }) => name).join(', ') || 'no known project'}; agents: ${found}.\n\n`,
    )
    print(text)
  }
  await requireConsent(call)
  await writeConfig(folder, text).catch((error: unknown) => replaceIfAllowed(call, text, error))
  if (!call.wantsJson)
    printError(`\nWrote ${path}.\n${await standing(call, agent)}'ralph doctor' tells what is still missing.\n`)
  return { path, agent, stacks: project.stacks, checks: project.checks }
}

/** The agent's own answer. An agent that needs more settings than its name is not asked. */
async function standing(call: Call, agent: AgentName): Promise<string> {
  if (!ASKED.has(agent)) return ''
  const readiness = await agentReadiness(
    call.folder,
    call.env,
    await loadConfig({ folder: call.folder, env: call.env }),
    agent,
  )
  if (!readiness.ready) return `The agent ${agent} cannot work yet: ${readiness.reason}.\n`
  return `The agent ${agent} is ready: ${readiness.detail ?? 'found'}.\n`
}

const ASKED: ReadonlySet<AgentName> = new Set(['claude', 'codex', 'gemini', 'opencode', 'model'])

function wantedAgent(call: Call): AgentName | null {
  const name = call.flags.get('agent')
  if (name === undefined) return null
  const known = AGENT_NAMES.find((agent) => agent === name)
  if (known === undefined) throw refuse('USAGE', { message: `unknown agent '${name}', use ${AGENT_NAMES.join(', ')}` })
  return known
}

async function requireConsent(call: Call): Promise<void> {
  if (call.flags.has('yes')) return
  if (!isatty(0)) throw refuse('USAGE', { message: 'nobody is there to be asked: add --yes to write ralph.toml' })
  if (!(await says('\nWrite this to ralph.toml?', 'yes'))) throw refuse('INTERRUPTED')
}

/** An existing file is replaced only when a person agrees, and a copy of it stays beside it. */
async function replaceIfAllowed(call: Call, text: string, error: unknown): Promise<void> {
  const isThere = error instanceof RalphError && error.code === 'FILE_EXISTS'
  if (
    !isThere ||
    !isatty(0) ||
    !(await says('ralph.toml exists. Replace it (the old one becomes ralph.toml.old)?', 'no'))
  )
    throw error
  await rename(join(call.folder, 'ralph.toml'), join(call.folder, 'ralph.toml.old'))
  await writeConfig(call.folder, text)
}
