import type { Build } from '../../core/builds/build.ts'
import type { Fact, RecordedFact } from '../../core/fact/fact.ts'
import type { BuildId, IdeaId } from '../../core/values/id.ts'

export interface WireFact {
  readonly [name: string]: unknown
  readonly type: Fact['type']
  readonly seq: number
  readonly at: number
  readonly sessionId: BuildId
  readonly ideaId: IdeaId
}

/** A fact as the live feed and the command line's JSON have it. */
export function wireFact({ id, idea }: Pick<Build, 'id' | 'idea'>, { seq, at, fact }: RecordedFact): WireFact {
  const { type, ...rest } = fact
  return { type, seq, at, sessionId: id, ideaId: idea, ...rest }
}
