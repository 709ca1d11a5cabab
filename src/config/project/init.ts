// Writes a first ralph.toml: short, commented, and loading to exactly what was detected.
import { randomBytes } from 'node:crypto'
import { link, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { refuse } from '../../core/error/error.ts'
import type { AgentName } from '../settings/config.ts'
import type { KeyedProvider } from './detect-agents.ts'
import type { DetectedCheck, DetectedProject } from './detect.ts'
import { faultCode, faultWords } from '../settings/fault.ts'
import { keyText, tomlString } from '../settings/toml-text.ts'
import { CONFIG_FILE } from '../settings/toml-file.ts'

/** `handedOn`: the user's variables that the agent needs to log in. `provider`: whose key the user has. */
export function renderConfig(
  detected: DetectedProject,
  agent: AgentName,
  handedOn: readonly string[] = [],
  provider: KeyedProvider = 'anthropic',
): string {
  const paragraphs = [
    '# Settings of Ralph for this repository. What is not here has its default.\n' +
      '# The file is read when a build starts; what an agent changes in it has no effect on that build.',
    `[agents]\ndefault = ${tomlString(agent)}`,
    ...agentTable(agent, provider),
    ...envTable(agent, handedOn),
    checksTable(detected),
    ...detected.checks.filter(({ cwd }) => cwd !== '.').map(detailTable),
    setupTable(detected),
    '# [limits]\n# budget_usd = 10             # US dollars per build; 0 = no limit',
  ]
  return `${paragraphs.join('\n\n')}\n`
}

/** Settings that an agent requires; the values are examples to replace. */
function agentTable(agent: AgentName, provider: KeyedProvider): readonly string[] {
  if (agent === 'command') {
    const command = 'command = ["my-agent", "--prompt-file", "{prompt_file}"]'
    return [`[agent.command]\n${command}   # replace it: your agent's command line`]
  }
  if (agent === 'acp') return ['[agent.acp]\ncommand = ["my-agent", "--acp"]   # replace it: an agent that speaks ACP']
  if (agent !== 'model') return []
  const choice = '# or another: anthropic, openai, google, openai-compatible (with base_url)'
  const model = `model = ${tomlString(usualModels[provider])}   # or any other model of the provider`
  return [`[agent.model]\nprovider = ${tomlString(provider)}   ${choice}\n${model}`]
}

/** A starting point; the best one changes over time. */
const usualModels: Readonly<Record<KeyedProvider, string>> = {
  anthropic: 'claude-sonnet-4-5',
  openai: 'gpt-5',
  google: 'gemini-2.5-pro',
}

function envTable(agent: AgentName, names: readonly string[]): readonly string[] {
  if (names.length === 0) return []
  const why = '# There is no login of this agent, so it gets these variables of yours; it gets no others.'
  return [`${why}\n[agent.${agent}]\nenv = [${names.map(tomlString).join(', ')}]`]
}

function checksTable({ checks, notes }: DetectedProject): string {
  const seen = notes.map((note) => `# ${commentText(note)}\n`).join('')
  if (checks.length === 0) {
    const advice = '# No check was found. Without one that can fail, no work can be verified: name yours here.'
    return `${seen}${advice}\n# [checks]\n# unit = "npm test"`
  }
  const lines = checks.map(checkLine)
  return `${seen}# Run in this order on every piece of work; a red one keeps it out.\n[checks]\n${lines.join('\n')}`
}

function checkLine({ name, command, because }: DetectedCheck): string {
  return `${keyText(name)} = ${tomlString(command)}   # ${commentText(because)}`
}

function detailTable({ name, cwd }: DetectedCheck): string {
  return `[check.${keyText(name)}]\ncwd = ${tomlString(cwd)}`
}

function setupTable({ setup }: DetectedProject): string {
  const meaning = '# Makes a fresh workspace runnable.'
  if (setup === null) return `${meaning}\n# [workspace]\n# setup = ""`
  return `${meaning}\n[workspace]\nsetup = ${tomlString(setup.command)}   # ${commentText(setup.because)}`
}

/** A comment ends with its line, and TOML allows no control characters in it. */
function commentText(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ')
}

/** Writes the whole file or nothing, and never over an existing file. */
export async function writeConfig(folder: string, text: string): Promise<void> {
  const path = join(folder, CONFIG_FILE)
  const draft = join(folder, `.${CONFIG_FILE}.${randomBytes(6).toString('hex')}`)
  try {
    await writeDurably(draft, text)
    // Unlike a rename, a link fails where the name exists.
    await link(draft, path).catch((error: unknown) => withoutLinks(error, path, text))
  } catch (error) {
    if (faultCode(error) === 'EEXIST') throw refuse('FILE_EXISTS', { path, mend: EXISTS_MEND }, error)
    throw refuse('FILE_UNWRITABLE', { path, reason: faultWords(error) }, error)
  } finally {
    await unlink(draft).catch(() => {})
  }
  await syncFolder(folder)
}

export const EXISTS_MEND = "edit it, or move it away and run 'ralph init' again"

/** Some file systems have no hard links: there the file is made in place, still only where none exists. */
async function withoutLinks(error: unknown, path: string, text: string): Promise<void> {
  if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(faultCode(error) ?? '')) throw error
  await writeDurably(path, text)
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx')
  try {
    await file.writeFile(text)
    await file.sync()
  } catch (error) {
    await unlink(path).catch(() => {})
    throw error
  } finally {
    await file.close()
  }
}

/** So the new name survives a power cut; where folders cannot be flushed, the file is still there. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null)
  await handle?.sync().catch(() => {})
  await handle?.close()
}
