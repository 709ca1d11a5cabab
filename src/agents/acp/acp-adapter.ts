// The adapter for any command that speaks the Agent Client Protocol on stdin and stdout.
import { realpathSync } from 'node:fs'
import type { Call, AgentAdapter, Session } from '../agent.ts'
import { asTyped, fromRoot } from '../../system/program.ts'
import { conversation, type Conversation } from './conversation.ts'
import { readiness } from './readiness.ts'

export interface AcpSettings {
  /** Program and first arguments; null: none is configured. */
  readonly command: readonly string[] | null
  /** Null: the agent's own choice. */
  readonly model: string | null
  /** Appended. */
  readonly args: readonly string[]
}

/** An agent is a server that stays: most exit when their stdin ends, others need a signal. */
const LINGER_MS = 1_000

const MISSING =
  'no command is set for this agent; add [agent.acp] command = ["opencode", "acp"], or that of another agent, to ralph.toml'

/** `root` is the operator's checkout, which a relative path starts from. */
export function acpAdapter(settings: AcpSettings, root: string): AgentAdapter {
  const [program, ...rest] = settings.command ?? []
  if (program === undefined) return unconfigured
  const argv = [fromRoot(program, root), ...rest, ...settings.args]
  return {
    name: 'acp',
    describe: () => `${asTyped(argv)} (the prompt by the Agent Client Protocol)`,
    ready: (inEnvironment) => inEnvironment((rehearsal) => readiness(argv, rehearsal)),
    call: async (session) => callOf(argv, session, talkOf(session, settings.model)),
  }
}

function callOf(argv: readonly string[], { signal }: Session, { begin, cancel, reader }: Conversation): Call {
  // Before SIGTERM: an agent that understands it ends its turn in order.
  signal.addEventListener('abort', cancel, { once: true })
  return { argv, begin, reader, lingerMs: LINGER_MS }
}

function talkOf({ role, prompt, folder, reach }: Session, model: string | null): Conversation {
  const [command = '', ...args] = reach === undefined ? [] : [...reach.ralph, 'mcp', '--socket', reach.socket]
  const ralph = role === 'implementer' && command !== '' ? [{ name: 'ralph', command, args, env: [] }] : []
  const session = { cwd: folder, mcpServers: ralph }
  return conversation({ role, prompt, model, session, folders: [folder, withoutLinks(folder)], now: Date.now })
}

/** A missing folder fails when the program is started. */
function withoutLinks(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return folder
  }
}

const unconfigured: AgentAdapter = {
  name: 'acp',
  describe: () => '(no command is set)',
  ready: async () => ({ ready: false, reason: MISSING }),
  call: async () => ({ kind: 'notFound', sentence: MISSING, until: null }),
}
