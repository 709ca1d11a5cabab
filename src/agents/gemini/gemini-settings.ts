// The command line and settings of Gemini CLI. The prompt goes to stdin. The settings in the session's own home say
// what it may do: the role decides the tools, and nobody is asked. Trust is enabled there and skipped for this
// session. So the agent can work in the folder, but loads nothing of the repository that needs trust: settings,
// hooks, tools, MCP servers and `.env` files.
import type { Role, Session } from '../agent.ts'

export interface CommandLineSettings {
  /** Program and first arguments. */
  readonly command: readonly string[] | null
  readonly model: string | null
  /** Appended. */
  readonly args: readonly string[]
}

const OUR_SERVER = 'ralph'

const READING = ['list_directory', 'read_file', 'read_many_files', 'grep_search', 'glob']
/** What needs somebody to be there, looks at the web, or goes on after the session is not among them. */
const WORKING = [...READING, 'replace', 'write_file', 'run_shell_command', 'write_todos']
/** A list of tools denies all others, those of a trusted MCP server too. */
const OURS = `mcp_${OUR_SERVER}_*`

export function commandLine(settings: CommandLineSettings, { role }: { readonly role: Role }): readonly string[] {
  return [
    ...(settings.command ?? ['gemini']),
    ...['--output-format', 'stream-json', '--approval-mode', role === 'implementer' ? 'yolo' : 'default'],
    ...['--skip-trust', '--extensions', 'none', '--allowed-mcp-server-names', OUR_SERVER],
    ...(settings.model === null ? [] : ['--model', settings.model]),
    ...settings.args,
  ]
}

type Part = Pick<Session, 'role' | 'reach'>

/** `selectedType` is how it is logged in; null: its environment says so. */
export function sessionSettings({ role, reach }: Part, selectedType: string | null): object {
  const isWorking = role === 'implementer'
  const [command, ...args] = reach === undefined ? [] : [...reach.ralph, 'mcp', '--socket', reach.socket]
  const hasRalph = isWorking && command !== undefined
  return {
    ...(hasRalph ? { mcpServers: { [OUR_SERVER]: { command, args, trust: true } } } : {}),
    tools: {
      core: [...(isWorking ? WORKING : READING), ...(hasRalph ? [OURS] : [])],
      useRipgrep: false,
      shell: { enableInteractiveShell: false },
    },
    // It ends sessions that repeat themselves, and asks a model for that; Ralph sees whether there is progress.
    model: { disableLoopDetection: true },
    hooksConfig: { enabled: false },
    skills: { enabled: false },
    context: { fileName: ['AGENTS.md', 'GEMINI.md', 'CLAUDE.md'] },
    general: {
      enableAutoUpdate: false,
      enableAutoUpdateNotification: false,
      // They wait 5, 10 and 20 s; the usual 10 tries wait minutes.
      maxAttempts: 4,
    },
    security: {
      folderTrust: { enabled: true },
      auth: selectedType === null ? {} : { selectedType },
    },
    advanced: { ignoreLocalEnv: true },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
  }
}

/** For every start of the program, be it only to ask its version. `place` goes with the session. */
export function variables(place: string): Readonly<Record<string, string>> {
  return {
    // It would start itself a second time, to have more memory.
    GEMINI_CLI_NO_RELAUNCH: 'true',
    // Reports of errors, with the whole conversation in them, go to the temporary folder.
    TMPDIR: place,
  }
}
