// The command line of Codex. The prompt goes to stdin: it does not appear in the list of processes and may have any
// length. Codex loads no settings and no MCP servers of the user or the repository; the role decides what a session
// may do. Every setting is a `-c`, and Codex uses the last one, so `args` of ralph.toml wins.
import { join } from 'node:path'
import type { Role, Session } from '../agent.ts'

export interface CommandLineSettings {
  /** Program and first arguments. */
  readonly command: readonly string[] | null
  readonly model: string | null
  /** Appended. */
  readonly args: readonly string[]
}

export const KEYS = ['CODEX_API_KEY', 'OPENAI_API_KEY'] as const

const ALONE = 'You work unattended in a build loop: nobody is there to answer a question, so decide yourself.'
const WORKS = `${ALONE} Change files only inside the current folder. Commits are made for you.`
const READS = `${ALONE} You may only read: change nothing, and give your whole answer in your last message.`

/** Features of Codex for interactive use: no person is there, and nothing may go on after the session. */
const SWITCHED_OFF = [
  'apps',
  'plugins',
  'hooks',
  'goals',
  'memories',
  'image_generation',
  'browser_use',
  'computer_use',
]

const ALWAYS: readonly string[] = [
  ...setting('approval_policy', 'never'),
  // A login shell reads profiles, which put another PATH before that of the session.
  ...setting('allow_login_shell', false),
  // Commands get the variables that Codex has, but for its own keys.
  ...setting('shell_environment_policy.ignore_default_excludes', true),
  ...setting('shell_environment_policy.exclude', KEYS),
  ...setting('project_doc_fallback_filenames', ['CLAUDE.md']),
  ...setting('check_for_update_on_startup', false),
  ...setting('analytics.enabled', false),
  ...SWITCHED_OFF.flatMap((feature) => setting(`features.${feature}`, false)),
]

/** Codex's own sandbox: commands write inside the folder and the temporary one, or nowhere. */
export const WORKING_SANDBOX: readonly string[] = [
  ...setting('sandbox_mode', 'workspace-write'),
  ...setting('sandbox_workspace_write.network_access', true),
]
const READING_SANDBOX = setting('sandbox_mode', 'read-only')

type Part = Pick<Session, 'role' | 'reach'>

/** `schema`: the file that says what form the last message has, where the role answers in one. */
export function commandLine(settings: CommandLineSettings, part: Part, schema: string): readonly string[] {
  const isWorking = part.role === 'implementer'
  return [
    ...(settings.command ?? ['codex']),
    ...['exec', '--json', '--skip-git-repo-check', '--ephemeral', '--ignore-user-config', '--ignore-rules'],
    ...ALWAYS,
    ...(isWorking ? WORKING_SANDBOX : READING_SANDBOX),
    ...(isWorking ? mcpOf(part) : ['--output-schema', schema]),
    ...(settings.model === null ? [] : setting('model', settings.model)),
    ...setting('developer_instructions', isWorking ? WORKS : READS),
    ...settings.args,
    // Named, it is read without a word about that.
    '-',
  ]
}

/** Roles that only read answer with one JSON object. */
export function answersInForm(role: Role): role is Exclude<Role, 'implementer'> {
  return role !== 'implementer'
}

function mcpOf({ reach }: Part): readonly string[] {
  if (reach === undefined) return []
  const [command, ...args] = [...reach.ralph, 'mcp', '--socket', reach.socket]
  return [
    ...setting('mcp_servers.ralph.command', command ?? ''),
    ...setting('mcp_servers.ralph.args', args),
    // Without it Codex refuses every call, since no person can allow it.
    ...setting('mcp_servers.ralph.default_tools_approval_mode', 'approve'),
    // A busy machine takes its time.
    ...setting('mcp_servers.ralph.startup_timeout_sec', 60),
  ]
}

/** As TOML, of which JSON's strings, numbers, truth values and lists are a part. */
function setting(key: string, value: string | number | boolean | readonly string[]): readonly string[] {
  return ['-c', `${key}=${JSON.stringify(value)}`]
}

/**
 * For every start of the program. It makes no helpers of its sandbox where its home is below the temporary folder, and
 * then every command fails: so the temporary folder is beside its home, and goes with it.
 */
export function variables(home: string): { readonly CODEX_HOME: string; readonly TMPDIR: string } {
  return { CODEX_HOME: join(home, '.codex'), TMPDIR: join(home, 'tmp') }
}
