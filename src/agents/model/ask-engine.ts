// A session's side of its socket: one request and one answer, each a line of JSON.
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

/** Checks may run for long; the session's own deadline ends it. */
export async function askEngine(socket: string, request: object): Promise<unknown> {
  const connection = connect(socket)
  connection.end(`${JSON.stringify(request)}\n`)
  const line = await text(connection).catch(() => '')
  const answer = parseJson(line)
  if (answer?.['ok'] === true) return answer['value']
  const why = answer === null ? 'the engine does not answer' : String(answer['message'])
  throw new Error(why)
}

function parseJson(line: string): Readonly<Record<string, unknown>> | null {
  try {
    return JSON.parse(line) as Record<string, unknown>
  } catch {
    return null
  }
}
