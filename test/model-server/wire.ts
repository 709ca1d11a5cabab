// One model API: reads its requests, and writes turns as its answers.
import type { Ask } from './ask.ts'
import type { Refusal, Reply } from './turn.ts'

export interface Wire {
  /** Reads a request to this path; null where the API has no such path. */
  readonly read: (path: string, body: unknown) => Asked | null
  /** As one document. */
  readonly whole: (reply: Reply, ask: Ask, id: number) => Answer
  /** As a stream of parts, each with its own end. */
  readonly stream: (reply: Reply, ask: Ask, id: number) => Iterable<string>
  readonly refusal: (refusal: Refusal, id: number, now: number) => Answer
  /** A refusal inside of a stream that has begun. */
  readonly refusalPart: (refusal: Refusal) => string
}

/** A turn of the scenario, or a request beside the conversation that the wire answers alone. */
export type Asked = { readonly ask: Ask } | { readonly answer: Answer }

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) }
}
