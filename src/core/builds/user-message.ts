// A message that the user sends while no task waits for one goes into the next prompt, and into no other. The taker is
// recorded first, so that a session that starts again after a crash gets the same messages.

export interface Message {
  readonly id: string
  readonly by: string
  readonly text: string
  /** The session that gets the message; null: the next one. */
  readonly taker: string | null
}

/** The messages for this taker, with the taker recorded in them. */
export function messagesFor<Said extends Message>(messages: readonly Said[], taker: string): Said[] {
  return messages.flatMap((one) => (one.taker === null || one.taker === taker ? [{ ...one, taker }] : []))
}
