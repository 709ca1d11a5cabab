// Ways to notify people who are not watching: a web address, or a command of their own. The caller decides what to send
// and how often to try; a way makes one try within its time limit and returns the result.

/** The message, as JSON, with nothing about the machine. */
export interface Message {
  /** The same for every try. */
  readonly id: string
  readonly type: string
  readonly build: string
  readonly task: string | null
  readonly sentence: string
  /** Commands to continue with. */
  readonly answer: readonly string[]
  /** Milliseconds since 1970. */
  readonly at: number
  readonly seq: number
  /** The name of the repository's folder. */
  readonly repository: string
}

export interface Way {
  /** For people; never contains a secret. */
  readonly name: string
  /** Never throws; takes no longer than its own limit. */
  send(message: Message, signal: AbortSignal): Promise<SendResult>
}

/** `again`: whether another try may succeed. */
export type SendResult =
  | { readonly is: 'sent' }
  | { readonly is: 'failed'; readonly reason: string; readonly again: 'useful' | 'useless' }

/** For one try. */
export const TRY_LIMIT_MS = 10_000
