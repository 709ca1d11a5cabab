import type { NoticeStore } from '../store.ts'
import type { Connection } from './database/connection.ts'

export function noticeStore(db: Connection): NoticeStore {
  return {
    claim: (build, seq, forMs) =>
      db.write(() => {
        const row = db.get<{ claimed_until: number; told_at: number | null }>(
          'SELECT claimed_until, told_at FROM notices WHERE build = ? AND seq = ?',
          build,
          seq,
        )
        if (row !== undefined && row.told_at !== null) return 'told'
        if (row !== undefined && row.claimed_until > db.now()) return 'busy'
        db.run(
          `INSERT INTO notices (build, seq, claimed_until) VALUES (?, ?, ?)
           ON CONFLICT (build, seq) DO UPDATE SET claimed_until = excluded.claimed_until`,
          build,
          seq,
          db.now() + forMs,
        )
        return 'ours'
      }),

    renew: (build, seq, forMs) =>
      db.write(() =>
        db.run('UPDATE notices SET claimed_until = ? WHERE build = ? AND seq = ?', db.now() + forMs, build, seq),
      ),

    told: (build, seq) =>
      db.write(() => db.run('UPDATE notices SET told_at = ? WHERE build = ? AND seq = ?', db.now(), build, seq)),
  }
}
