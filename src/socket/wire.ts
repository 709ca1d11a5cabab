// The wire format: a request as it is, and an answer in an envelope that distinguishes it from a refusal.
import { RalphError, refuse, errorFromProcess } from '../core/error/error.ts'

/** Bytes of one request, enough for a task with the longest possible text. */
export const REQUEST_BYTES_MAX = 1024 * 1024

/** Bytes of one answer, enough for some 50,000 tasks. */
export const ANSWER_BYTES_MAX = 64 * 1024 * 1024

/** Connections of one session at the same time. */
export const CONNECTIONS_MAX = 32

type Envelope =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly code: string; readonly message: string }

export async function answerLine(line: string, answer: (request: unknown) => Promise<unknown>): Promise<string> {
  try {
    const value: unknown = await answer(parseJson(line))
    return encode({ ok: true, value: value ?? null })
  } catch (error) {
    return refusalLine(error)
  }
}

export function refusalLine(thrown: unknown): string {
  const { code, message } = thrown instanceof RalphError ? thrown : refuse('INTERNAL', { reason: String(thrown) })
  return encode({ ok: false, code, message })
}

/** Returns the answer; throws a refusal like the engine did. */
export function openEnvelope(line: string): unknown {
  const envelope = parseJson(line) as Partial<Envelope> | null
  if (envelope?.ok === true) return envelope.value
  if (envelope?.ok === false) throw errorFromProcess(String(envelope.code), String(envelope.message))
  throw refuse('REQUEST_BAD', { problem: 'the answer is not one' })
}

function encode(envelope: Envelope): string {
  return `${JSON.stringify(envelope)}\n`
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    throw refuse('REQUEST_BAD', { problem: 'it is not one line of JSON' })
  }
}
