// A git process that prints objects. It does not see packs made after its start, so a new pack needs a new process.
import { randomBytes } from 'node:crypto'
import type { Git } from './git.ts'
import { type LongLivedGit, longLivedGit } from './long-lived-git.ts'

/** Limit of one answer; beyond it the caller asks git in another way. */
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024
const ANSWER_MS = 60_000

export interface ObjectReader {
  /**
   * The output of `git cat-file --batch`; null where the answer is incomplete. `packsAt`: the time of the newest pack.
   */
  read(ids: readonly string[], packsAt: number): Promise<Buffer | null>
}

export function openObjectReader(git: Git, repo: string): ObjectReader {
  const reader: LongLivedGit = longLivedGit(() => git.tool(['cat-file', '--batch'], repo))
  let seen = 0
  return {
    read: (ids, packsAt) => {
      if (packsAt !== seen) reader.renew()
      seen = packsAt
      const last = `end-${randomBytes(16).toString('hex')}`
      const question = [...ids, last].map((line) => `${line}\n`).join('')
      return reader.ask(question, `${last} missing\n`, { bytes: OUTPUT_BYTES_MAX, deadlineMs: ANSWER_MS })
    },
  }
}
