// Refs of the engine's repository. Reading one reads a file; a ref that several processes move is compared and swapped
// under git's own lock.
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { CommitId } from '../../../core/values/id.ts'
import { readIfThere } from '../../../system/files.ts'
import type { Git } from '../command/git.ts'
import { failureOf, lockIn } from '../command/git-failure.ts'
import type { FastPath } from './fast-path.ts'
import { type LockSeen, breakLock, isSameLock, seeLock } from '../command/stale-lock.ts'

/** Git waits one second each time; after these rounds somebody really holds it. */
const ROUNDS_MAX = 10

export async function readRef(repo: string, name: string): Promise<CommitId | null> {
  const loose = (await readIfThere(join(repo, name)))?.trim()
  if (loose !== undefined && isId(loose)) return loose as CommitId
  const packed = await readIfThere(join(repo, 'packed-refs'))
  const id = packed
    ?.split('\n')
    .find((line) => line.endsWith(` ${name}`))
    ?.split(' ')[0]
  return id !== undefined && isId(id) ? (id as CommitId) : null
}

function isId(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text)
}

interface RefContext {
  readonly git: Git
  readonly fast: Pick<FastPath, 'moveRefs' | 'writeRef'>
  readonly paths: { readonly repo: string }
}

/** For a ref that has one writer at a time, and whose new commit contains the old one. */
export async function writeRef(
  { git, fast, paths: { repo } }: RefContext,
  name: string,
  commit: CommitId,
): Promise<void> {
  if ((await fast.writeRef(repo, name, commit)) === null) await updateRefs(git, repo, `update ${name}\0${commit}\0\0`)
}

export interface RefMove {
  readonly name: string
  readonly to: CommitId
  /** The expected commit; null where the ref must not exist. */
  readonly from: CommitId | null
}

/**
 * Moves all of them or none: false where one is elsewhere by now. Each move is atomic and they happen in this order, so
 * a crash leaves the later ones unmoved.
 */
export async function moveRefs(
  { git, fast, paths: { repo } }: RefContext,
  moves: readonly RefMove[],
): Promise<boolean> {
  const quick = await fast.moveRefs(repo, moves)
  if (quick === 'elsewhere' || (quick === null && !(await updateRefs(git, repo, refMoves(moves))))) return false
  await Promise.all(moves.map(({ name }) => flushFolder(dirname(join(repo, name)))))
  return true
}

export async function deleteRefs({ git, paths }: RefContext, names: readonly string[]): Promise<void> {
  if (names.length > 0) await updateRefs(git, paths.repo, deletions(names))
}

/** The input of `git update-ref -z --stdin`, as are the deletions. */
export function refMoves(moves: readonly RefMove[]): string {
  return moves.map(({ name, to, from }) => `update ${name}\0${to}\0${from ?? '0'.repeat(to.length)}\0`).join('')
}

export function deletions(names: readonly string[]): string {
  return names.map((name) => `delete ${name}\0\0`).join('')
}

async function updateRefs(git: Git, repo: string, input: string): Promise<boolean> {
  let seen: LockSeen | null = null
  for (let round = 1; ; round += 1) {
    const { code, stderr } = await git.engine(['update-ref', '-z', '--stdin'], { gitDir: repo, input, answers: [128] })
    if (code === 0) return true
    const path = lockIn(stderr)
    if (path === null && /but expected|already exists|unable to resolve reference/.test(stderr)) return false
    if (path === null || round === ROUNDS_MAX) throw failureOf('update-ref', repo, stderr, `exit code ${code}`)
    const now = await seeLock(path)
    if (now !== null && seen !== null && isSameLock(now, seen)) await breakLock(now)
    seen = now
  }
}

/** Git flushes the content of a ref, but not its folder. */
async function flushFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
