// What Ralph needs, whether it is there, and how to fix what is not.
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readiness } from '../agents/agent.ts'
import { AGENT_NAMES, type AgentName, type Config } from '../config/settings/config.ts'
import { withDetected } from '../config/project/adopt-settings.ts'
import { detectProject } from '../config/project/detect.ts'
import { findProgram } from '../config/project/detect-agents.ts'
import { loadConfig } from '../config/settings/load.ts'
import { RalphError } from '../core/error/error.ts'
import { outputText } from '../system/process/head-tail-buffer.ts'
import { run } from '../system/process/spawn.ts'
import type { Environment } from '../core/values/environment.ts'

export interface Finding {
  readonly what: string
  readonly state: 'ok' | 'warning' | 'failed'
  readonly detail: string
  /** What to do about it. */
  readonly mend?: string
}

export interface GitContext {
  readonly folder: string
  readonly env: Environment
  /** Opens the store and returns where it is; throws what is wrong with it. */
  readonly openStore: () => Promise<string>
  /** Asks the agent itself, as a build does before its first iteration. */
  readonly readiness: (config: Config, name: AgentName) => Promise<Readiness>
}

/** `git merge-tree --write-tree` came with 2.38. */
const GIT_MIN = [2, 38] as const

export async function examine(context: GitContext): Promise<Finding[]> {
  const config = await examineConfig(context)
  const sections = await Promise.all([
    examineNode(),
    examineGit(context),
    examineStore(context),
    [config.finding],
    config.value === null ? [] : examineChecks(context, config.value),
    examineAgents(context, config.value),
    examineSandbox(config.value),
    examineNotify(config.value),
  ])
  return sections.flat()
}

function examineNode(): Finding[] {
  return [{ what: 'node', state: 'ok', detail: process.version }]
}

async function examineGit({ env }: GitContext): Promise<Finding[]> {
  const what = 'git'
  const path = await findProgram('git', env)
  if (path === null) return [{ what, state: 'failed', detail: 'not found', mend: 'install git and put it on the PATH' }]
  const version = await versionOf(path, env)
  const [major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(version ?? '') ?? []).slice(1).map(Number)
  if (major < GIT_MIN[0] || (major === GIT_MIN[0] && minor < GIT_MIN[1]))
    return [
      { what, state: 'failed', detail: version ?? 'no version', mend: `install git ${GIT_MIN.join('.')} or newer` },
    ]
  return [{ what, state: 'ok', detail: version ?? path }]
}

async function examineStore({ openStore }: GitContext): Promise<Finding[]> {
  try {
    return [{ what: 'store', state: 'ok', detail: await openStore() }]
  } catch (error) {
    return [{ what: 'store', state: 'failed', detail: sentence(error), mend: 'mend what the sentence says' }]
  }
}

async function examineConfig({ folder, env }: GitContext): Promise<{ finding: Finding; value: Config | null }> {
  const what = 'ralph.toml'
  try {
    const config = await loadConfig({ folder, env })
    const isThere = await exists(join(folder, 'ralph.toml'))
    const value = withDetected(config, await detectProject(folder))
    const finding: Finding = isThere
      ? { what, state: 'ok', detail: 'reads without a mistake' }
      : { what, state: 'warning', detail: 'none; checks are detected', mend: "run 'ralph init' to write one" }
    return { finding, value }
  } catch (error) {
    const mend = 'correct the file; docs/guide/settings.md has every key'
    return { finding: { what, state: 'failed', detail: sentence(error), mend }, value: null }
  }
}

async function examineChecks({ env }: GitContext, { checks }: Config): Promise<Finding[]> {
  if (checks.length > 0)
    return Promise.all(
      checks.map(async ({ name, command }): Promise<Finding> => {
        const [what, program] = [`check ${name}`, programOf(command)]
        if (program === null || (await findProgram(program, env)) !== null)
          return { what, state: 'ok', detail: command }
        const mend = `install ${program}, or correct [checks] in ralph.toml: no agent can mend a check that does not start`
        return { what, state: 'warning', detail: `${command}: there is no ${program} on the PATH`, mend }
      }),
    )
  const mend = 'add one to [checks] in ralph.toml, for example unit = "npm test"; without one nothing can be verified'
  return [{ what: 'checks', state: 'failed', detail: 'none configured and none detected', mend }]
}

interface KnownAgent {
  readonly install: string
  readonly login: string
  /** Relative to HOME; if one of them exists, somebody has logged in. */
  readonly credentials: readonly string[]
  readonly keys: readonly string[]
}

const knownAgents: Partial<Record<AgentName, KnownAgent>> = {
  claude: {
    install: 'npm install -g @anthropic-ai/claude-code',
    login: 'claude   (then /login), or set ANTHROPIC_API_KEY',
    credentials: ['.claude/.credentials.json'],
    keys: ['ANTHROPIC_API_KEY', 'CLAUDE_CODE_OAUTH_TOKEN'],
  },
  codex: {
    install: 'npm install -g @openai/codex',
    login: 'codex login, or set OPENAI_API_KEY',
    credentials: ['.codex/auth.json'],
    keys: ['OPENAI_API_KEY', 'CODEX_API_KEY'],
  },
  gemini: {
    install: 'npm install -g @google/gemini-cli',
    login: 'gemini   (then choose a login), or set GEMINI_API_KEY',
    credentials: ['.gemini/oauth_creds.json'],
    keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  },
  opencode: {
    install: 'npm install -g opencode-ai',
    login: 'opencode auth login',
    credentials: ['.local/share/opencode/auth.json'],
    keys: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY'],
  },
}

const SHELL_WORDS: ReadonlySet<string> = new Set([
  'cd',
  'test',
  'exec',
  'set',
  'if',
  'for',
  'while',
  'export',
  'eval',
  'command',
  'true',
])

/** The program that a shell line begins with; null where only a shell could tell. */
function programOf(command: string): string | null {
  const [, word = ''] = /^([\w.+-]+)(?:\s|$)/.exec(command.trim()) ?? []
  return word === '' || SHELL_WORDS.has(word) ? null : word
}

/** An agent with a role must be installed; other agents are listed only if they are. */
async function examineAgents(context: GitContext, config: Config | null): Promise<Finding[]> {
  const { planner, implementer, reviewer, sia, default: usual, fallback = [] } = config?.agents ?? { default: null }
  const needed = new Set([usual, planner, implementer, reviewer, sia])
  // A fallback agent that cannot work is a warning, not a failure.
  const named = new Set<AgentName | null | undefined>([...needed, ...fallback])
  const findings = AGENT_NAMES.map((name) => {
    const gap = needed.has(name) ? 'failed' : 'warning'
    if (config === null) return examineAgent(name, gap, context)
    return named.has(name) || gap === 'failed'
      ? askAgent(name, gap, context, config)
      : askFound(name, gap, context, config)
  })
  return (await Promise.all(findings)).filter((finding) => finding !== null)
}

/** Nobody named this agent, so it is listed only if it is installed. */
async function askFound(...[name, gap, context, config]: Parameters<typeof askAgent>): Promise<Finding | null> {
  return (await findProgram(name, context.env)) === null ? null : askAgent(name, gap, context, config)
}

async function askAgent(
  name: AgentName,
  gap: 'failed' | 'warning',
  { readiness }: GitContext,
  config: Config,
): Promise<Finding | null> {
  const what = `agent ${name}`
  const answer = await readiness(config, name)
  if (answer.ready) return { what, state: 'ok', detail: answer.detail ?? 'ready' }
  const [detail = '', ...mend] = answer.reason.split('; ')
  return { what, state: gap, detail, mend: mend.join('; ') }
}

async function examineAgent(name: AgentName, gap: 'failed' | 'warning', { env }: GitContext): Promise<Finding | null> {
  const known = knownAgents[name]
  const what = `agent ${name}`
  if (known === undefined) return null
  const path = await findProgram(name, env)
  if (path === null) return gap === 'failed' ? { what, state: gap, detail: 'not found', mend: known.install } : null
  const detail = (await versionOf(path, env)) ?? path
  if (await isLoggedIn(known, env)) return { what, state: 'ok', detail: `${detail}, logged in` }
  return { what, state: gap, detail: `${detail}, not logged in`, mend: known.login }
}

async function isLoggedIn(known: KnownAgent, env: Environment): Promise<boolean> {
  if (known.keys.some((key) => env[key])) return true
  const home = env['HOME']
  if (home === undefined) return false
  return (await Promise.all(known.credentials.map((path) => exists(join(home, path))))).includes(true)
}

/** There is no sandbox yet. If the config requires one, that is a failure. */
function examineSandbox(config: Config | null): Finding[] {
  const mode = config?.sandbox.mode ?? 'auto'
  if (mode === 'off') return []
  const detail = 'none in this version: agents and checks run as you'
  const where = 'where that is not enough, run ralph in a container or a virtual machine'
  if (mode === 'auto') return [{ what: 'sandbox', state: 'warning', detail, mend: where }]
  return [{ what: 'sandbox', state: 'failed', detail, mend: `${where}, and set mode = "off" in [sandbox]` }]
}

/** The address may contain a secret, so this shows only its host. It sends nothing. */
function examineNotify(config: Config | null): Finding[] {
  const { webhook = null, command = null } = config?.notify ?? {}
  return [
    ...(webhook === null ? [] : [{ what: 'notify webhook', state: 'ok', detail: new URL(webhook).host } as const]),
    ...(command === null ? [] : [{ what: 'notify command', state: 'ok', detail: command } as const]),
  ]
}

const VERSION_LIMIT_MS = 15_000

/** The first line of `--version`. */
async function versionOf(path: string, env: Environment): Promise<string | null> {
  const { PATH = '', HOME = '/' } = env
  const ended = await run({ argv: [path, '--version'], cwd: '/', env: { PATH, HOME }, deadlineMs: VERSION_LIMIT_MS })
  const line = outputText(ended.stdout).split('\n')[0]?.trim()
  return ended.code === 0 && line ? line : null
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

function sentence(error: unknown): string {
  return error instanceof RalphError ? error.message : String(error)
}
