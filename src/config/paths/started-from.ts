// A build that works in place has its own branch checked out; its tasks belong to the branch that it was started from.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Repository } from './repository.ts'

export function startedFrom(repository: Repository, branch: string): string | null {
  try {
    return readFileSync(noteOf(repository, branch), 'utf8').trim() || null
  } catch {
    return null
  }
}

export function rememberStart(repository: Repository, branch: string, from: string): void {
  const path = noteOf(repository, branch)
  const beside = `${path}.${process.pid}`
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(beside, `${from}\n`)
  renameSync(beside, path)
}

function noteOf({ commonDir }: Repository, branch: string): string {
  return join(commonDir, 'ralph', 'in-place', 'branches', encodeURIComponent(branch))
}
