// The sealed examples of tasks, beside their rows.
import type { SealedExample } from '../../core/sealed/example.ts'
import type { TaskId } from '../../core/values/id.ts'
import type { Connection } from './database/connection.ts'

export function saveSealed(db: Connection, task: number, examples: readonly SealedExample[]): void {
  const body = JSON.stringify(examples)
  const had = db.get<{ body: string }>('SELECT body FROM sealed_examples WHERE task = ?', task)
  // A plan that is synced again writes nothing.
  if (body === (had?.body ?? '[]')) return
  db.run(
    `INSERT INTO sealed_examples (task, body) VALUES (?, ?)
     ON CONFLICT (task) DO UPDATE SET body = excluded.body`,
    task,
    body,
  )
}

export function readSealed(db: Connection, scope: number, id: TaskId): readonly SealedExample[] {
  const row = db.get<{ body: string }>(
    'SELECT e.body FROM tasks t JOIN sealed_examples e ON e.task = t.key WHERE t.scope = ? AND t.id = ?',
    scope,
    id,
  )
  return row === undefined ? [] : (JSON.parse(row.body) as readonly SealedExample[])
}
