// Maps ideas to rows and back, and moves ideas.
import type { Build } from '../../../core/builds/build.ts'
import { refuse } from '../../../core/error/error.ts'
import type { Fact } from '../../../core/fact/fact.ts'
import type { IdeaId } from '../../../core/values/id.ts'
import { type Idea, type IdeaMove, ideaMoved, type Spec, type WantedMove } from '../../../core/idea/idea.ts'
import { followMoves, ideaOfBuild } from '../../../core/idea/idea-of-build.ts'
import { type PipelinePhase, requireMove } from '../../../core/idea/pipeline.ts'
import type { Why } from '../../store.ts'
import type { Connection, Sql } from '../database/connection.ts'
import { readAttachments } from '../attachments.ts'
import { ensureScope } from './task-rows.ts'

interface RawIdea {
  readonly key: number
  readonly id: IdeaId
  readonly repo: string | null
  readonly branch: string | null
  readonly title: string
  readonly text: string
  readonly spec: string | null
  readonly phase: PipelinePhase
  readonly resumes: PipelinePhase | null
  readonly advance: Idea['advance']
  readonly created_at: number
  readonly updated_at: number
}

export interface IdeaRow {
  readonly key: number
  readonly idea: Idea
}

/** `rest` follows the tables, `i` and its scope `s`. */
export function selectIdeas(db: Connection, rest: string, ...values: Sql[]): IdeaRow[] {
  return db
    .all<RawIdea>(`SELECT i.*, s.repo, s.branch FROM ideas i LEFT JOIN scopes s ON s.key = i.scope ${rest}`, ...values)
    .map(fromRow)
}

function fromRow(row: RawIdea): IdeaRow {
  const { key, id, title, text, phase, resumes, advance } = row
  const project = row.repo === null || row.branch === null ? null : { repository: row.repo, base: row.branch }
  const spec = row.spec === null ? null : (JSON.parse(row.spec) as Spec)
  const times = { createdAt: row.created_at, updatedAt: row.updated_at }
  return { key, idea: { id, title, text, spec, project, advance, phase, resumes, ...times } }
}

export function findIdea(db: Connection, id: IdeaId): Idea | null {
  return selectIdeas(db, 'WHERE i.id = ?', id)[0]?.idea ?? null
}

export function requireIdea(db: Connection, id: IdeaId): Idea {
  const idea = findIdea(db, id)
  if (idea === null) throw refuse('IDEA_NOT_FOUND', { id })
  return idea
}

export function insertIdea(db: Connection, idea: Idea): void {
  const there = findIdea(db, idea.id)
  if (there !== null) throw refuse('IDEA_EXISTS', { id: idea.id, phase: there.phase })
  db.run(
    `INSERT INTO ideas (id, scope, title, text, spec, phase, resumes, advance, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    idea.id,
    ...values(db, idea),
    idea.createdAt,
    idea.updatedAt,
  )
}

export function saveIdea(db: Connection, idea: Idea): void {
  db.run(
    `UPDATE ideas SET scope = ?, title = ?, text = ?, spec = ?, phase = ?, resumes = ?, advance = ?, updated_at = ?
     WHERE id = ?`,
    ...values(db, idea),
    idea.updatedAt,
    idea.id,
  )
}

function values(db: Connection, { project, title, text, spec, phase, resumes, advance }: Idea): Sql[] {
  const scope = project === null ? null : ensureScope(db, { repo: project.repository, branch: project.base })
  return [scope, title, text, spec === null ? null : JSON.stringify(spec), phase, resumes, advance]
}

/** Writes the new phase and its entry, together. */
export function moveIdea(db: Connection, idea: Idea, wanted: WantedMove): Idea {
  const { idea: moved, move } = ideaMoved(idea, wanted, db.now())
  saveIdea(db, moved)
  db.run(
    `INSERT INTO idea_moves (idea, seq, at, by, from_phase, to_phase, reason, overridden)
     SELECT ?1, coalesce(max(seq), 0) + 1, ?2, ?3, ?4, ?5, ?6, ?7 FROM idea_moves WHERE idea = ?1`,
    idea.id,
    move.at,
    move.by,
    move.from,
    move.to,
    move.reason,
    JSON.stringify(move.overridden),
  )
  return moved
}

interface RawMove {
  readonly at: number
  readonly by: string
  readonly from_phase: PipelinePhase
  readonly to_phase: PipelinePhase
  readonly reason: string
  readonly overridden: string
}

/** The last ones, oldest first. */
export function movesOf(db: Connection, id: IdeaId, limit: number): IdeaMove[] {
  return db
    .all<RawMove>('SELECT * FROM idea_moves WHERE idea = ? ORDER BY seq DESC LIMIT ? + 0', id, limit)
    .toReversed()
    .map(({ at, by, from_phase: from, to_phase: to, reason, overridden }) => {
      return { at, by, from, to, reason, overridden: JSON.parse(overridden) as IdeaMove['overridden'] }
    })
}

/** Every build has an idea: the named one moves to building; a missing one is created. */
export function ideaForBuild(db: Connection, build: Build, project: NonNullable<Idea['project']>, why: Why): void {
  const idea = findIdea(db, build.idea)
  if (idea === null) {
    const [seed] = readAttachments(db, build.id, 'seed', undefined)
    insertIdea(db, ideaOfBuild(build, seed?.seed ?? null, project, db.now()))
    return
  }
  if (idea.phase === 'building') return
  const met = ['spec', 'project', 'answers'] as const
  requireMove(idea.id, idea, { to: 'building', met, missing: 'refused' })
  const placed = idea.project === null ? { ...idea, project } : idea
  moveIdea(db, placed, { ...why, to: 'building' })
}

/** An idea follows its newest build, in the transaction that changes the build. */
export function ideaFollows(db: Connection, build: Build, fact: Fact): void {
  const idea = findIdea(db, build.idea)
  if (idea === null || newestOf(db, build.idea) !== build.id) return
  let at = idea
  for (const move of followMoves(idea, build, waitingIn(db, build), fact)) at = moveIdea(db, at, move)
}

export function newestOf(db: Connection, idea: IdeaId): Build['id'] | null {
  const row = db.get<{ id: Build['id'] }>('SELECT id FROM builds WHERE idea_id = ? ORDER BY key DESC LIMIT 1', idea)
  return row?.id ?? null
}

function waitingIn(db: Connection, { id }: Build): number {
  const counted = db.get<{ count: number }>(
    `SELECT count(*) AS count FROM attempts a JOIN builds b ON b.id = a.build
     JOIN tasks t ON t.scope = b.scope AND t.id = a.task
     WHERE a.build = ? AND t.build = a.build AND t.status = 'waiting'`,
    id,
  )
  return counted?.count ?? 0
}
