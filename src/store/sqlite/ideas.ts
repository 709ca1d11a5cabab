// The ideas of the store. The rules are in core/idea/pipeline.ts and core/idea/idea.ts.
import { refuse } from '../../core/error/error.ts'
import type { IdeaFilter, IdeaPage, IdeaStore } from '../store.ts'
import type { Connection, Sql } from './database/connection.ts'
import { findIdea, insertIdea, moveIdea, movesOf, requireIdea, saveIdea, selectIdeas } from './rows/idea-rows.ts'
import { scopeKey } from './rows/task-rows.ts'

export function ideaStore(db: Connection): IdeaStore {
  return {
    create: (idea) => db.write(() => insertIdea(db, idea)),

    find: (id) => db.read(() => findIdea(db, id)),

    list: (filter) => db.read(() => list(db, filter)),

    changed: (project, since, limit) =>
      db.read(() =>
        selectIdeas(
          db,
          'WHERE i.scope = ? AND i.updated_at >= ? ORDER BY i.updated_at, i.key LIMIT ? + 0',
          scopeKey(db, { repo: project.repository, branch: project.base }),
          since,
          limit,
        ).map(({ idea }) => idea),
      ),

    change: (id, rule) =>
      db.write(() => {
        const idea = requireIdea(db, id)
        const { phase, resumes, createdAt } = idea
        const changed = { ...rule(idea), id, phase, resumes, createdAt, updatedAt: db.now() }
        saveIdea(db, changed)
        return changed
      }),

    move: (id, from, wanted) =>
      db.write(() => {
        const idea = requireIdea(db, id)
        return idea.phase === from ? moveIdea(db, idea, wanted) : null
      }),

    moves: (id, limit) => db.read(() => movesOf(db, id, limit)),
  }
}

function list(db: Connection, { project, phases, after, limit }: IdeaFilter): IdeaPage {
  const parts = ['i.key < ?']
  const values: Sql[] = [after === undefined ? Number.MAX_SAFE_INTEGER : keyOf(after)]
  if (project !== undefined) {
    parts.push('i.scope = ?')
    values.push(scopeKey(db, { repo: project.repository, branch: project.base }))
  }
  if (phases !== undefined) {
    parts.push('i.phase IN (SELECT value FROM json_each(?))')
    values.push(JSON.stringify(phases))
  }
  // Reads one more than requested, which tells whether there are others without counting them.
  const rows = selectIdeas(db, `WHERE ${parts.join(' AND ')} ORDER BY i.key DESC LIMIT ? + 0`, ...values, limit + 1)
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return { ideas: shown.map(({ idea }) => idea), next: rows.length > limit && last ? String(last.key) : null }
}

function keyOf(cursor: string): number {
  if (!/^\d{1,15}$/.test(cursor)) throw refuse('IDEA_CURSOR_BAD', { cursor })
  return Number(cursor)
}
