// Tells whether an agent can work: it starts, identifies itself and opens a session, which costs nothing. An agent
// that is not logged in says so here.
import { isFound } from '../../system/program.ts'
import type { Readiness, Rehearsal } from '../agent.ts'
import { conversation } from './conversation.ts'

/** A cold start takes up to 9 s; on a machine that is busy with builds, several times that. */
const ANSWER_LIMIT_MS = 60_000

export async function readiness(argv: readonly string[], { env, folder, rehearse }: Rehearsal): Promise<Readiness> {
  const [program = ''] = argv
  if (!(await isFound(program, env['PATH'] ?? ''))) {
    const mend = program.includes('/') ? 'correct the path' : 'install it, or name its full path'
    return { ready: false, reason: `${JSON.stringify(program)} was not found; ${mend} in agent.acp.command` }
  }
  const session = { cwd: folder, mcpServers: [] }
  const talk = conversation({ role: 'sia', prompt: null, model: null, session, folders: [folder], now: Date.now })
  const { failure } = await rehearse({ argv, begin: talk.begin, reader: talk.reader, lingerMs: 0 }, ANSWER_LIMIT_MS)
  if (failure === null) return { ready: true, detail: talk.about().agent }
  const { sentence } = failure
  return { ready: false, reason: sentence.includes('; ') ? sentence : `${sentence}; check command in [agent.acp]` }
}
