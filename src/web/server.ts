// The server that this page came from.
import { createClient, RequestRefused } from '../operations/contract/client.ts'

export const server = createClient()

const GONE = "the server does not answer; see whether 'ralph serve' still runs, and start it again if not"

/** The server's own sentence, where it gave one. */
export function problemText(error: unknown): string {
  if (error instanceof RequestRefused && error.code === 'RALPH_UNREACHABLE') return GONE
  if (error instanceof RequestRefused && error.code === 'RALPH_ANSWER_UNKNOWN')
    return `the server answered ${error.status} and did not say why`
  return error instanceof Error ? error.message : String(error)
}
