import type { CheckRun } from '../../core/evidence/evidence.ts'
import type { BuildId, TaskId } from '../../core/values/id.ts'
import { type Keepsake, keepsakeKey, type KeepsakeOf, keepsakeTask } from '../../core/builds/attachment.ts'
import { taking } from '../../core/builds/user-message.ts'
import type { Connection } from './database/connection.ts'

export function keep(db: Connection, build: BuildId, keepsakes: readonly Keepsake[]): void {
  for (const keepsake of keepsakes) {
    db.run(
      `INSERT INTO keepsakes (build, kind, key, task, body) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (build, kind, key) DO UPDATE SET body = excluded.body`,
      build,
      keepsake.kind,
      keepsakeKey(keepsake),
      keepsakeTask(keepsake),
      JSON.stringify(keepsake),
    )
  }
}

export const keepsakeQueries = {
  ofBuild: 'SELECT body FROM keepsakes WHERE build = ? AND kind = ? ORDER BY seq',
  ofTask: 'SELECT body FROM keepsakes WHERE build = ? AND kind = ? AND task = ? ORDER BY seq',
  // Builds are few: each is asked by its own index.
  redCheck: `SELECT k.body FROM builds b CROSS JOIN keepsakes k ON k.build = b.id AND k.kind = 'redCheck' AND k.key = ?
    LIMIT 1`,
}

export function keptRedCheck(db: Connection, key: string): CheckRun | null {
  const row = db.get<{ body: string }>(keepsakeQueries.redCheck, key)
  return row === undefined ? null : (JSON.parse(row.body) as KeepsakeOf<'redCheck'>).run
}

export function kept<Kind extends Keepsake['kind']>(
  db: Connection,
  build: BuildId,
  kind: Kind,
  task: TaskId | undefined,
): KeepsakeOf<Kind>[] {
  const { ofBuild, ofTask } = keepsakeQueries
  const rows =
    task === undefined
      ? db.all<{ body: string }>(ofBuild, build, kind)
      : db.all<{ body: string }>(ofTask, build, kind, task)
  return rows.map(({ body }) => JSON.parse(body) as KeepsakeOf<Kind>)
}

export async function takeMessages(db: Connection, build: BuildId, taker: string): Promise<string[]> {
  const messages = () => kept(db, build, 'message', undefined)
  // Mostly nobody has said anything, and a look costs no write to the disk.
  if ((await db.read(messages)).length === 0) return []
  return db.write(() => {
    const taken = taking(messages(), taker)
    keep(db, build, taken)
    return taken.map(({ text }) => text)
  })
}
