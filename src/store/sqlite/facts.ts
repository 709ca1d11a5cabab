// The log of a build: append-only, numbered without gaps; triggers in the schema enforce both.
import { type Fact, type RecordedFact, taskOf } from '../../core/fact/fact.ts'
import type { BuildId } from '../../core/values/id.ts'
import type { Connection } from './database/connection.ts'

export function appendFacts(db: Connection, build: BuildId, facts: readonly Fact[]): void {
  for (const fact of facts) {
    db.run(
      `INSERT INTO facts (build, seq, at, type, task, body)
       SELECT ?1, coalesce(max(seq), 0) + 1, ?2, ?3, ?4, ?5 FROM facts WHERE build = ?1`,
      build,
      db.now(),
      fact.type,
      taskOf(fact),
      JSON.stringify(fact),
    )
  }
}

export function readFacts(db: Connection, build: BuildId, after: number, limit: number): RecordedFact[] {
  return db
    .all<{ seq: number; at: number; body: string }>(
      'SELECT seq, at, body FROM facts WHERE build = ? AND seq > ? ORDER BY seq LIMIT ? + 0',
      build,
      after,
      limit,
    )
    .map(({ seq, at, body }) => ({ seq, at, fact: JSON.parse(body) as Fact }))
}

export function readLastSeq(db: Connection, build: BuildId): number {
  return db.get<{ last: number | null }>('SELECT max(seq) AS last FROM facts WHERE build = ?', build)?.last ?? 0
}
