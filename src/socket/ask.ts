// The session's side: asks the engine one thing.
import { connect, type Socket } from 'node:net'
import { RalphError, refuse } from '../core/error/error.ts'
import { errnoOf } from '../system/errno.ts'
import { boundedLines } from './bounded-lines.ts'
import { ANSWER_BYTES_MAX, openEnvelope } from './wire.ts'

/** The engine waits up to 30 s for a busy store, and preparing a folder takes time. */
const ANSWER_LIMIT_MS = 120_000

/** Throws the engine's refusals like the engine itself. */
export async function askSocket(path: string, request: unknown, limitMs: number = ANSWER_LIMIT_MS): Promise<unknown> {
  return openEnvelope(await lineFrom(path, `${JSON.stringify(request)}\n`, limitMs))
}

async function lineFrom(path: string, text: string, limitMs: number): Promise<string> {
  const connection = connect(path)
  const limit = setTimeout(
    () => connection.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })),
    limitMs,
  )
  try {
    connection.end(text)
    return await firstLine(connection)
  } catch (error) {
    if (error instanceof RalphError) throw error
    throw refuse('ENGINE_GONE', { reason: errnoOf(error) }, error)
  } finally {
    clearTimeout(limit)
    connection.destroy()
  }
}

async function firstLine(connection: Socket): Promise<string> {
  for await (const line of boundedLines(connection as AsyncIterable<Buffer>, ANSWER_BYTES_MAX)) {
    if (line === null) throw refuse('ENGINE_GONE', { reason: `its answer is longer than ${ANSWER_BYTES_MAX} bytes` })
    return line
  }
  throw refuse('ENGINE_GONE', { reason: 'it hung up' })
}
