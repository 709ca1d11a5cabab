// The command line and configuration of opencode. The prompt goes to stdin. The session's own configuration says
// what it may do: the role decides the tools, nobody is asked, and the repository's configuration is not used.
import { join } from 'node:path'
import type { Role, Session } from '../agent.ts'

export interface CommandLineSettings {
  /** Program and first arguments. */
  readonly command: readonly string[] | null
  /** `provider/model`. */
  readonly model: string | null
  /** Appended. */
  readonly args: readonly string[]
}

export function commandLine(settings: CommandLineSettings): readonly string[] {
  return [
    ...(settings.command ?? ['opencode']),
    // With a title of ours no model is asked for one.
    ...['run', '--format', 'json', '--thinking', '--title', 'ralph', '--pure'],
    // It asks an API that fails again and again without a word in its records; see stream-errors.ts.
    ...['--print-logs', '--log-level', 'ERROR'],
    ...(settings.model === null ? [] : ['--model', settings.model]),
    ...settings.args,
  ]
}

/** What needs somebody to be there, or looks at the web, is denied; a tool that is denied is not even offered. */
const permissions: Readonly<Record<'works' | 'reads', Readonly<Record<string, 'allow' | 'deny'>>>> = {
  works: { '*': 'allow', question: 'deny', webfetch: 'deny', websearch: 'deny', codesearch: 'deny' },
  reads: { '*': 'deny', read: 'allow', grep: 'allow', glob: 'allow', list: 'allow' },
}

type Part = Pick<Session, 'role' | 'folder' | 'reach'>

export function sessionConfig({ role, folder, reach }: Part): object {
  const ralph = reach === undefined ? [] : [...reach.ralph, 'mcp', '--socket', reach.socket]
  const does = doingOf(role)
  return {
    permission: permissions[does],
    ...(does === 'works' && ralph.length > 0
      ? { mcp: { ralph: { type: 'local', command: ralph, enabled: true } } }
      : {}),
    instructions: ['AGENTS.md', 'CLAUDE.md'].map((name) => join(folder, name)),
    autoupdate: false,
    share: 'disabled',
    // It would copy the folder at every step, to be able to go back.
    snapshot: false,
  }
}

function doingOf(role: Role): 'works' | 'reads' {
  return role === 'implementer' ? 'works' : 'reads'
}

/** For every start of the program, also for its version. */
export function variables(configFile: string): Readonly<Record<string, string>> {
  return {
    OPENCODE_CONFIG: configFile,
    OPENCODE_DISABLE_PROJECT_CONFIG: '1',
    OPENCODE_DISABLE_CLAUDE_CODE: '1',
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  }
}
