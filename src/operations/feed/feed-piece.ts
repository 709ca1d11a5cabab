// Facts on their way to readers, serialised once for all of them.
import type { Build } from '../../core/builds/build.ts'
import type { RecordedFact, Fact } from '../../core/fact/fact.ts'
import type { BuildId, IdeaId } from '../../core/values/id.ts'

/** Characters sent at once, unless one fact alone is longer. This bounds what may wait for a slow reader. */
const PIECE_LENGTH_MAX = 64 * 1024

/** Consecutive facts. */
export interface Piece {
  readonly facts: readonly WordedFact[]
  /** The number of the last one. */
  readonly last: number
}

export interface WordedFact {
  readonly fact: WireFact
  readonly json: string
}

export function piecesOf(build: Build, recorded: readonly RecordedFact[]): Piece[] {
  const pieces: { facts: WordedFact[]; last: number }[] = []
  let length = 0
  for (const one of recorded) {
    const fact = wireFact(build, one)
    const json = JSON.stringify(fact)
    const open = length + json.length > PIECE_LENGTH_MAX ? undefined : pieces.at(-1)
    if (open === undefined) pieces.push({ facts: [{ fact, json }], last: one.seq })
    else {
      open.facts.push({ fact, json })
      open.last = one.seq
    }
    length = open === undefined ? json.length : length + json.length
  }
  return pieces
}

export interface WireFact {
  readonly [name: string]: unknown
  readonly type: Fact['type']
  readonly seq: number
  readonly at: number
  readonly sessionId: BuildId
  readonly ideaId: IdeaId
}

/** A fact as in the live feed and in the command line's JSON. */
export function wireFact({ id, idea }: Pick<Build, 'id' | 'idea'>, { seq, at, fact }: RecordedFact): WireFact {
  const { type, ...rest } = fact
  return { type, seq, at, sessionId: id, ideaId: idea, ...rest }
}
