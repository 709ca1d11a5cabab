// The command line of Claude Code. The prompt goes to stdin: it does not appear in the list of processes and may
// have any length. Claude Code loads no settings, hooks and MCP servers of the user or the repository; the role
// decides what a session may do.
import type { Role, Session } from '../agent.ts'
import { OUR_TOOLS } from './refused-tools.ts'

export interface CommandLineSettings {
  /** Program and first arguments. */
  readonly command: readonly string[] | null
  readonly model: string | null
  /** Appended; of an option that is given twice, Claude Code takes the last. */
  readonly args: readonly string[]
}

const READING = 'Read,Glob,Grep'
/** Without tools that need a person, or that go on after the session (timers, worktrees, messages). */
const WORKING = `${READING},Bash,Edit,Write,NotebookEdit,Task,TodoWrite,Skill`

const ALONE = 'You work unattended in a build loop: nobody is there to answer a question, so decide yourself.'
const HABITS = 'If there is a CLAUDE.md or an AGENTS.md, read it first: what it says of this project holds.'
const WORKS = `${ALONE} Change files only inside the current folder. ${HABITS}`
const READS = `${ALONE} You may only read: change nothing, and give your whole answer in your last message. ${HABITS}`

/** With `acceptEdits`, files inside the folder may be written and no others; commands are the sandbox's matter. */
const rules: Readonly<Record<'works' | 'reads', readonly string[]>> = {
  works: ['--permission-mode', 'acceptEdits', '--tools', WORKING, '--allowedTools', `Bash,${serverOf(OUR_TOOLS)}`],
  reads: ['--permission-mode', 'dontAsk', '--tools', READING],
}

type Part = Pick<Session, 'role' | 'reach' | 'plugin'>

export function commandLine(settings: CommandLineSettings, part: Part): readonly string[] {
  const does = doingOf(part.role)
  return [
    ...(settings.command ?? ['claude']),
    ...['-p', '--output-format', 'stream-json', '--verbose', '--no-session-persistence'],
    ...['--setting-sources', '', '--strict-mcp-config'],
    ...(does === 'works' ? mcpOf(part) : []),
    ...rules[does],
    ...(part.plugin === undefined ? [] : ['--plugin-dir', part.plugin]),
    ...(settings.model === null ? [] : ['--model', settings.model]),
    ...['--append-system-prompt', does === 'works' ? WORKS : READS],
    ...settings.args,
  ]
}

function doingOf(role: Role): 'works' | 'reads' {
  return role === 'implementer' ? 'works' : 'reads'
}

function mcpOf({ reach }: Part): readonly string[] {
  if (reach === undefined) return []
  const [command, ...args] = [...reach.ralph, 'mcp', '--socket', reach.socket]
  return ['--mcp-config', JSON.stringify({ mcpServers: { ralph: { command, args } } })]
}

/** `mcp__ralph__` → `mcp__ralph`, which stands for all tools of that server. */
function serverOf(prefix: string): string {
  return prefix.slice(0, -2)
}

/** For every start of the program, also for its version. */
export function variables(home: string): Readonly<Record<string, string>> {
  return {
    // No update, no telemetry, no request but those to the model.
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    // A background task could outlive the result.
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
    // 6 tries wait 32 s together; the usual 10 wait 195 s, also for a key that will never be accepted.
    CLAUDE_CODE_MAX_RETRIES: '6',
    // Removed with the session.
    CLAUDE_CODE_TMPDIR: home,
  }
}
