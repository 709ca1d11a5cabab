// The text of a commit object.
import type { CommitId, TreeId } from '../../../core/values/id.ts'
import { type ObjectFormat, type Objects, type Writing, objectFile, startObject } from '../objects/objects.ts'

export interface Person {
  readonly name: string
  readonly email: string
}

export interface Commit {
  readonly tree: TreeId
  readonly parents: readonly CommitId[]
  readonly author: Person
  readonly committer: Person
  /** Milliseconds since 1970. */
  readonly at: number
  readonly message: string
}

/** The author of commits that nobody wrote by hand: pins and merged trees. */
export const RALPH: Person = { name: 'Ralph', email: 'ralph@localhost' }

export async function writeCommit(objects: Objects, commit: Commit): Promise<CommitId> {
  const { id, written } = startCommit(objects, commit)
  await written
  return id as CommitId
}

export function startCommit(objects: Objects, commit: Commit): Writing {
  return startObject(objects, 'commit', commitText(commit))
}

/** The file of a commit object, for an object folder that is made anew. */
export function commitObject(format: ObjectFormat, commit: Commit): { readonly id: string; readonly bytes: Buffer } {
  return objectFile(format, 'commit', commitText(commit))
}

function commitText({ tree, parents, author, committer, at, message }: Commit): string {
  const time = gitTime(at)
  return [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${personText(author)} ${time}`,
    `committer ${personText(committer)} ${time}`,
    '',
    withLineEnd(message),
  ].join('\n')
}

/** Seconds since 1970 and the offset of this machine's time zone, as git writes them. */
export function gitTime(at: number): string {
  const minutes = -new Date(at).getTimezoneOffset()
  const clock = Math.floor(Math.abs(minutes) / 60) * 100 + (Math.abs(minutes) % 60)
  return `${Math.floor(at / 1000)} ${minutes < 0 ? '-' : '+'}${String(clock).padStart(4, '0')}`
}

/** Git drops these characters from names, too: they would break the line. */
function personText({ name, email }: Person): string {
  return `${name.replaceAll(/[<>\0\n]/g, '')} <${email.replaceAll(/[<>\0\n]/g, '')}>`
}

function withLineEnd(message: string): string {
  return `${message.replaceAll('\0', '').trimEnd()}\n`
}
