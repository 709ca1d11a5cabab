// What somebody says to a build while nobody waits for it goes into the next prompt, and into no other. Who takes it is
// written down first, so that a session that is begun again after a crash is told the same.

export interface Message {
  readonly id: string
  readonly by: string
  readonly text: string
  /** The session that it is for; null: the next one. */
  readonly taker: string | null
}

/** Those that are for this taker, from now on. */
export function messagesFor<Said extends Message>(messages: readonly Said[], taker: string): Said[] {
  return messages.flatMap((one) => (one.taker === null || one.taker === taker ? [{ ...one, taker }] : []))
}
