// The agents whose sessions are recorded, and how each is started for that.
import { mkdirSync } from 'node:fs'
import { execPath } from 'node:process'
import { commandLine } from '../../src/agents/codex/command-line.ts'
import { forCodex } from '../model-server/codex-tools.ts'
import type { Scenario } from '../model-server/scenario.ts'
import { claudeEnvironment } from '../real-agents/claude-environment.ts'
import { codexAlone, codexProvider, WITHOUT_SANDBOX } from '../real-agents/codex-environment.ts'
import { codexCases } from './codex-cases.ts'
import { type RecordedCase, recordedCases } from './recorded-cases.ts'

interface Stage {
  readonly program: string
  readonly address: string
  readonly home: string
  /** The program of Ralph, where its tools are wanted. */
  readonly ralph: string | null
}

export interface Recordable {
  readonly cases: Readonly<Record<string, RecordedCase>>
  /** A scenario in the words of this agent. */
  readonly spoken: (scenario: Scenario) => Scenario
  readonly argv: (one: RecordedCase, stage: Stage) => readonly string[]
  readonly env: (one: RecordedCase, stage: Stage) => Record<string, string>
}

const USUAL = ['-p', '--output-format', 'stream-json', '--verbose', '--strict-mcp-config']
const PERMISSIONS = ['--permission-mode', 'acceptEdits', '--allowedTools', 'Bash,Write']

const claude: Recordable = {
  cases: recordedCases,
  spoken: (scenario) => scenario,
  argv: ({ args = [] }, { program, ralph }) => [program, ...USUAL, ...PERMISSIONS, ...toolsOf(ralph), ...args],
  env: ({ login }, { address, home }) => claudeEnvironment(address, home, login),
}

function toolsOf(ralph: string | null): readonly string[] {
  if (ralph === null) return []
  const config = { mcpServers: { ralph: { command: execPath, args: [ralph, 'mcp'] } } }
  return ['--mcp-config', JSON.stringify(config), '--allowedTools', 'mcp__ralph']
}

const codex: Recordable = {
  cases: codexCases,
  spoken: forCodex,
  argv: ({ args = [] }, { program, address, ralph }) => {
    const settings = {
      command: [program],
      model: 'gpt-5',
      args: [...codexProvider(address), ...WITHOUT_SANDBOX, ...args],
    }
    const reach = ralph === null ? {} : { reach: { socket: '/nonexistent', ralph: [execPath, ralph] } }
    const words = commandLine(settings, { role: 'implementer', ...reach }, '')
    // Not bound to an iteration.
    return words.map((word) => word.replace(',"--socket","/nonexistent"', ''))
  },
  env: (_, { home }) => {
    const env = codexAlone(home)
    for (const folder of [env['CODEX_HOME'], env['TMPDIR']]) mkdirSync(folder ?? '', { recursive: true })
    return env
  },
}

export const recordables: Readonly<Record<string, Recordable>> = { claude, codex }
