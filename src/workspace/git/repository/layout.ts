// The paths in the state folder, and the names of the refs.
//
//   repo.git/                     the engine's bare repository: the truth
//   owners/<token>.json           the processes that hold a folder
//   workspaces/<n>/               agents' folders   ┐ each with <n>.git/, the engine's private index of it,
//   checkouts/<n>/                folders of checks ├ and one file that says who has it:
//   loans/<n>/                    for reading roles ┘ <n>.free.json or <n>.held.<token>.json
import { join } from 'node:path'
import type { BuildId, CommitId, TaskId, TreeId } from '../../../core/values/id.ts'
import type { AttemptMark } from '../../workspace.ts'
import { sha256 } from '../../../system/hash.ts'

export interface Layout {
  readonly state: string
  readonly repo: string
  readonly objects: string
  readonly owners: string
  readonly pools: Readonly<Record<PoolName, string>>
}

export const POOLS = ['workspaces', 'checkouts', 'loans'] as const
export type PoolName = (typeof POOLS)[number]

/** `folders`: where agents and checks work. Jest and Metro ignore projects below a folder `.git`. */
export function layoutOf(state: string, folders: string): Layout {
  const repo = join(state, 'repo.git')
  return {
    state,
    repo,
    objects: join(repo, 'objects'),
    owners: join(state, 'owners'),
    pools: {
      workspaces: join(folders, 'workspaces'),
      checkouts: join(folders, 'checkouts'),
      loans: join(folders, 'loans'),
    },
  }
}

export const NOTES_REF = 'refs/notes/ralph'
export const PINS = 'refs/ralph/attempts/'
const BASES = 'refs/ralph/bases/'
export const COMBINED = 'refs/ralph/combined/'
/** Foreign commits on a build branch. */
export const FOREIGN = 'refs/ralph/foreign/'

/** Each build has a branch below this name, so no branch can have the name itself. */
export const BRANCHES = 'ralph'

export function branchName(build: BuildId): string {
  return `${BRANCHES}/${encodeId(build)}`
}

export function branchRef(build: BuildId): string {
  return `refs/heads/${branchName(build)}`
}

/** The commit that a build started on. */
export function baseRef(build: BuildId): string {
  return `${BASES}${encodeId(build)}`
}

/** A merged tree; its parent is the head that it was merged with. */
export function combinedRef(build: BuildId, tree: TreeId): string {
  return `${COMBINED}${encodeId(build)}/${tree}`
}

export function foreignRef(build: BuildId, commit: CommitId): string {
  return `${FOREIGN}${encodeId(build)}/${commit.slice(0, 16)}`
}

export function taskPins(build: BuildId, task: TaskId): string {
  return `${PINS}${encodeId(build)}/${encodeId(task)}/`
}

export function pinRef({ build, task, attempt, iteration }: AttemptMark): string {
  return `${taskPins(build, task)}${attempt}/${iteration}`
}

/** A file name holds 255 bytes, and git adds `.lock`. */
const ENCODED_BYTES_MAX = 200

/**
 * Any id as one part of a ref name: percent-encoded, since git allows neither `..` nor `.lock` nor `@{` nor a space. A
 * long id ends in a digest after `%-`, which no encoding yields, so ids stay distinct.
 */
export function encodeId(id: string): string {
  const whole = [...Buffer.from(id, 'utf8')].map(asPart).join('')
  if (whole !== '' && whole.length <= ENCODED_BYTES_MAX) return whole
  const digest = sha256(id).slice(0, 32)
  return `${whole.slice(0, ENCODED_BYTES_MAX - 34)}%-${digest}`
}

/** For people; a shortened one stays as it is. */
export function decodeId(part: string): string {
  return part.includes('%-') ? part : decodeURIComponent(part)
}

function asPart(byte: number): string {
  const character = String.fromCharCode(byte)
  return /[A-Za-z0-9_-]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
}
