// Sockets: how the tools of a running session speak to the engine. One session has one socket, in a folder that only this
// user can enter; it is gone when the session ends. A line of JSON asks, a line of JSON answers, in the order of asking.

export interface Sockets {
  /** What `answer` throws is told to who asked, and harms nobody else. */
  open(answer: (request: unknown) => Promise<unknown>): Promise<OpenSocket>
}

export interface OpenSocket {
  readonly path: string
  /** A folder with a `ralph` command, for the session's PATH. */
  readonly commands: string
  /** The argv that starts Ralph. */
  readonly ralph: readonly string[]
  /** Nobody is heard any more; resolves when what was asked before is answered. */
  readonly close: () => Promise<void>
}
