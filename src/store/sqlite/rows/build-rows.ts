// Maps builds to rows and back.
import type { Build, BuildState } from '../../../core/builds/build.ts'
import { refuse } from '../../../core/error/error.ts'
import type { BuildId, IdeaId } from '../../../core/values/id.ts'
import type { BuildFilter } from '../../store.ts'
import type { Connection } from '../database/connection.ts'

export interface BuildRow {
  readonly scope: number
  readonly build: Build
}

interface RawRow {
  readonly id: BuildId
  readonly scope: number
  readonly idea_id: IdeaId
  readonly spec_id: string | null
  readonly state: BuildState
  readonly config_hash: string
  readonly last_error: string | null
  readonly started_at: number
  readonly last_activity_at: number
}

export function findBuild(db: Connection, id: BuildId): BuildRow | null {
  const row = db.get<RawRow>('SELECT * FROM builds WHERE id = ?', id)
  return row === undefined ? null : { scope: row.scope, build: buildOf(row) }
}

/** Newest first: the key grows with every build. */
export function listBuilds(db: Connection, scope: number, filter: BuildFilter): Build[] {
  const { id = null, idea = null, before = null, limit } = filter
  return db
    .all<RawRow>(
      `SELECT * FROM builds
       WHERE scope = ?1 AND (?2 IS NULL OR id = ?2) AND (?3 IS NULL OR idea_id = ?3)
         AND (?4 IS NULL OR key < (SELECT key FROM builds WHERE id = ?4))
       ORDER BY key DESC LIMIT ?5 + 0`,
      scope,
      id,
      idea,
      before,
      limit,
    )
    .map(buildOf)
}

function buildOf(row: RawRow): Build {
  return {
    id: row.id,
    idea: row.idea_id,
    spec: row.spec_id,
    state: row.state,
    configHash: row.config_hash,
    lastError: row.last_error,
    startedAt: row.started_at,
    lastActivityAt: row.last_activity_at,
  }
}

export function insertBuild(db: Connection, scope: number, build: Build): void {
  if (findBuild(db, build.id) !== null) throw refuse('BUILD_EXISTS', { id: build.id })
  db.run(
    `INSERT INTO builds (id, scope, idea_id, spec_id, state, config_hash, last_error, started_at, last_activity_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    build.id,
    scope,
    build.idea,
    build.spec,
    build.state,
    build.configHash,
    build.lastError,
    build.startedAt,
    build.lastActivityAt,
  )
}

/** The columns that change after the build was created. */
export function saveBuild(db: Connection, build: Build): void {
  db.run(
    'UPDATE builds SET state = ?, last_error = ?, last_activity_at = ? WHERE id = ?',
    build.state,
    build.lastError,
    build.lastActivityAt,
    build.id,
  )
}
