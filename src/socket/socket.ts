// Sockets: how the tools of a running session talk to the engine. Each session has one socket, in a folder that only
// this user can enter; it is removed when the session ends. Requests and answers are lines of JSON, answered in order.

export interface Sockets {
  /** An exception of `answer` goes to the caller that asked, and affects nobody else. */
  open(answer: (request: unknown) => Promise<unknown>): Promise<OpenSocket>
}

export interface OpenSocket {
  readonly path: string
  /** A folder with a `ralph` command, for the session's PATH. */
  readonly commands: string
  /** The argv that starts Ralph. */
  readonly ralph: readonly string[]
  /** Accepts nothing more; resolves when earlier requests are answered. */
  readonly close: () => Promise<void>
}
