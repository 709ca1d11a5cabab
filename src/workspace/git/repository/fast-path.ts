// Work that the engine can do without git, whose every process takes some 4 ms. Git can do all of it too: a null answer
// means that git does the work.
import type { CommitId, TreeId } from '../../../core/values/id.ts'
import type { ObjectContent, Objects, StoreObject } from '../objects/objects.ts'
import type { TreePaths } from '../objects/tree-paths.ts'
import type { GitContext } from './git-context.ts'
import type { RefMove } from './refs.ts'

export interface FastPath {
  /** Makes the folder hold the tree; answers with everything else in it. */
  readonly sync: (
    context: GitContext,
    place: Place,
    paths: TreePaths,
    keep: ReadonlySet<string> | undefined,
  ) => Promise<readonly UntrackedFile[] | null>
  /** What an agent changed in the folder. */
  readonly findChanges: (context: GitContext, place: Place) => Promise<Changes | null>
  /** Files of the folder's tree whose content is another now, or that are gone; in Latin-1. */
  readonly changedFiles: (context: GitContext, place: Place) => Promise<readonly string[] | null>
  /** The folder's tree with these changes. Await `written` before anything names the tree. */
  readonly gather: (
    context: GitContext,
    place: Place,
    removed: readonly string[],
    taken: readonly TakenFile[],
  ) => Promise<{ readonly tree: TreeId; readonly written: Promise<unknown> } | null>
  readonly storeObjects: (folder: string) => StoreObject | null
  /** The object's content matches its name. */
  readonly readObject: (objects: Objects, id: string) => ObjectContent | null
  /** `elsewhere`: one of them is not at its expected commit, and none was moved. */
  readonly moveRefs: (repo: string, moves: readonly RefMove[]) => Promise<'moved' | 'elsewhere' | null>
  readonly writeRef: (repo: string, name: string, commit: CommitId) => Promise<'written' | null>
  /** Brings these refs into the user's repository; `mirrored`: where this process left the user's refs before. */
  readonly mirror: (
    context: GitContext,
    names: readonly string[],
    mirrored: ReadonlyMap<string, CommitId>,
  ) => Promise<readonly RefMove[] | null>
}

/** Leaves everything to git. */
export const gitAlone: FastPath = {
  sync: () => Promise.resolve(null),
  findChanges: () => Promise.resolve(null),
  changedFiles: () => Promise.resolve(null),
  gather: () => Promise.resolve(null),
  storeObjects: () => null,
  readObject: () => null,
  moveRefs: () => Promise.resolve(null),
  writeRef: () => Promise.resolve(null),
  mirror: () => Promise.resolve(null),
}

/** A folder, and the git dir with the engine's private index of it, which only the engine reads and writes. */
export interface Place {
  readonly folder: string
  readonly gitDir: string
}

export interface UntrackedFile {
  /** Relative to the folder, in Latin-1 (see tree-paths.ts). The topmost one: nothing below it is listed. */
  readonly path: string
  /** A file or folder that may stay where git ignores it; not a pipe, a socket, a git dir, or a link. */
  readonly plain: boolean
}

/** Paths as Latin-1 text (see tree-paths.ts). A nested repository is an untracked path that ends in `/`. */
export interface Changes {
  readonly modified: readonly string[]
  readonly deleted: readonly string[]
  readonly untracked: readonly string[]
  /** Folders that could not be read. */
  readonly unreadable: readonly string[]
  /** There was more than could be listed. */
  readonly cut: boolean
}

export interface TakenFile {
  /** In Latin-1. */
  readonly path: string
  readonly bytes: number
  readonly mode: '100644' | '100755' | '120000'
  readonly isNew: boolean
}
