// A worker of task/claims: the floor. Two durable transactions a task on the same table with the same indexes, each as
// lean as SQL allows: no lease is checked for its end, no task is read as a whole, no blocker's result is handed on.
import { DatabaseSync } from 'node:sqlite'
import { serveSlices } from './claim-slices.ts'
import { LEASE_SECONDS, RESULT } from './claim-terms.ts'

const [path = '', repo = '', branch = ''] = process.argv.slice(2)
const agent = `agent-${process.pid}`
const result = JSON.stringify(RESULT)

const database = new DatabaseSync(path, { timeout: 30_000 })
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
const scope = database.prepare('SELECT key FROM scopes WHERE repo = ? AND branch = ?').get(repo, branch)?.[
  'key'
] as number
const claim = database.prepare(`
  UPDATE tasks SET status = 'active', assignee = ?, lease_expires_at = ?, fence = fence + 1, updated_at = ?
  WHERE key = (
    SELECT t.key FROM tasks t
    WHERE t.scope = ? AND t.status = 'open' AND NOT EXISTS (
      SELECT 1 FROM dependencies d JOIN tasks b ON b.key = d.blocker
      WHERE d.task = t.key AND b.status IN ('open', 'active', 'waiting')
    )
    ORDER BY t.priority, t.position LIMIT 1
  )
  RETURNING id`)
const done = database.prepare(`
  UPDATE tasks
  SET status = 'done', assignee = NULL, lease_expires_at = NULL, fence = fence + 1, result = ?, updated_at = ?
  WHERE scope = ? AND id = ? AND status = 'active' AND assignee = ?`)

serveSlices({
  claim: async () => {
    database.exec('BEGIN IMMEDIATE')
    const now = Date.now()
    const claimed = claim.get(agent, now + LEASE_SECONDS * 1000, now, scope)
    database.exec('COMMIT')
    return claimed === undefined ? null : (claimed['id'] as string)
  },
  done: async (id) => {
    database.exec('BEGIN IMMEDIATE')
    done.run(result, Date.now(), scope, id, agent)
    database.exec('COMMIT')
  },
})
