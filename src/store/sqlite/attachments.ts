import type { CheckRun } from '../../core/evidence/evidence.ts'
import type { BuildId, TaskId } from '../../core/values/id.ts'
import { type Attachment, attachmentKey, type AttachmentOf, attachmentTask } from '../../core/builds/attachment.ts'
import { messagesFor } from '../../core/builds/user-message.ts'
import type { Connection } from './database/connection.ts'

export function saveAttachments(db: Connection, build: BuildId, attachments: readonly Attachment[]): void {
  for (const attachment of attachments) {
    db.run(
      `INSERT INTO keepsakes (build, kind, key, task, body) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (build, kind, key) DO UPDATE SET body = excluded.body`,
      build,
      attachment.kind,
      attachmentKey(attachment),
      attachmentTask(attachment),
      JSON.stringify(attachment),
    )
  }
}

export const attachmentQueries = {
  ofBuild: 'SELECT body FROM keepsakes WHERE build = ? AND kind = ? ORDER BY seq',
  ofTask: 'SELECT body FROM keepsakes WHERE build = ? AND kind = ? AND task = ? ORDER BY seq',
  // There are few builds, so the query uses the index of each.
  redCheck: `SELECT k.body FROM builds b CROSS JOIN keepsakes k ON k.build = b.id AND k.kind = 'redCheck' AND k.key = ?
    LIMIT 1`,
}

export function readRedCheck(db: Connection, key: string): CheckRun | null {
  const row = db.get<{ body: string }>(attachmentQueries.redCheck, key)
  return row === undefined ? null : (JSON.parse(row.body) as AttachmentOf<'redCheck'>).run
}

export function readAttachments<Kind extends Attachment['kind']>(
  db: Connection,
  build: BuildId,
  kind: Kind,
  task: TaskId | undefined,
): AttachmentOf<Kind>[] {
  const { ofBuild, ofTask } = attachmentQueries
  const rows =
    task === undefined
      ? db.all<{ body: string }>(ofBuild, build, kind)
      : db.all<{ body: string }>(ofTask, build, kind, task)
  return rows.map(({ body }) => JSON.parse(body) as AttachmentOf<Kind>)
}

export async function takeMessages(db: Connection, build: BuildId, taker: string): Promise<string[]> {
  const messages = () => readAttachments(db, build, 'message', undefined)
  // Mostly there is no message, and a read costs no write to the disk.
  if ((await db.read(messages)).length === 0) return []
  return db.write(() => {
    const taken = messagesFor(messages(), taker)
    saveAttachments(db, build, taken)
    return taken.map(({ text }) => text)
  })
}
