// Ways to tell people who do not look: a web address, a command of their own. Whoever tells decides what is told and how
// often it is tried; a way does one try, within its bound, and says what came of it.

/** What is sent: JSON, and nothing of the machine beside it. */
export interface Message {
  /** The same however often it is sent. */
  readonly id: string
  readonly type: string
  readonly build: string
  readonly task: string | null
  readonly sentence: string
  /** Commands by which one can go on. */
  readonly answer: readonly string[]
  /** Milliseconds since 1970. */
  readonly at: number
  readonly seq: number
  /** The name of the repository's folder. */
  readonly repository: string
}

export interface Way {
  /** For people; secrets are never in it. */
  readonly name: string
  /** Never throws; takes no longer than its own bound. */
  send(message: Message, signal: AbortSignal): Promise<SendResult>
}

/** `again`: it may go better the next time. */
export type SendResult =
  | { readonly is: 'sent' }
  | { readonly is: 'failed'; readonly reason: string; readonly again: 'useful' | 'useless' }

/** Of one try. */
export const TRY_LIMIT_MS = 10_000
