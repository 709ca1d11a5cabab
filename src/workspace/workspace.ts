// Workspaces: where agents work, where checks run, and how what was made enters the build branch.
//
// The engine has a bare repository of its own. An agent gets a folder with a throw-away git dir that borrows its objects;
// the engine reads the folder with its own git dir and a private index, so nothing in the agent's git dir is ever run.
// Checks run in another folder that no agent writes, made byte-identical to the tree that is judged.
import type { BuildId, CommitId, TaskId, TreeId } from '../core/values/id.ts'
import type { TreeChange, TreeEdit } from '../core/patch/tree-edit.ts'

export interface Workspaces {
  /** Refused where a new build could not work; asked before anything is made for one. */
  admit(): Promise<void>
  /** Takes over the user's HEAD and makes the build branch on it; a build that has its branch keeps it. */
  startBuild(build: BuildId): Promise<BuildStart>
  /** Takes over the user's HEAD without a build on it: for who only looks at the project. */
  takeHead(): Promise<Version & Pick<BuildStart, 'isDirty'>>
  /** Where the build branch stands. */
  head(build: BuildId): Promise<Version>
  /**
   * The folder of a task: the one it has, else a pooled one made to hold `start` (null: the tree of the branch's head) by
   * changing only what differs. `fresh`: its content is exactly the start tree, with a new git dir.
   */
  acquire(build: BuildId, task: TaskId, start: TreeId | null, mode: 'keep' | 'fresh'): Promise<Workspace>
  /**
   * The folder becomes another task's while an agent works in it, and stays where it is. With a `start` it is made to hold
   * that; null: it is left as it is. `keep`: what lies in the folder that the task had before comes first.
   */
  handOver(workspace: Workspace, task: TaskId, start: TreeId | null, mode: 'keep' | 'fresh'): Promise<Workspace>
  /** The folder that a task has now; null where it has none. */
  find(build: BuildId, task: TaskId): Promise<Workspace | null>
  /**
   * The commit that a tree of this task stands on, also where the task has no folder any more. Never a guess: on a later
   * commit the tree would undo what was merged between the two.
   */
  baseOf(build: BuildId, task: TaskId, tree: TreeId): Promise<CommitId>
  /** Gives the folder back to the pool; what in it was not harvested is pinned first. A task without one is fine. */
  release(workspace: Workspace): Promise<void>
  /** Reads what the folder holds now, as a tree, and pins it under `refs/ralph/attempts/…`. */
  harvest(workspace: Workspace, mark: AttemptMark): Promise<Harvest>
  /**
   * A folder that holds exactly this tree and that no agent ever writes. Ask for it to be freed when done. `keep`: paths in
   * it, such as `node_modules`, that stay as the last use of the folder left them.
   */
  checkout(tree: TreeId, keep?: readonly string[]): Promise<Checkout>
  /** A folder for a role that only reads, never one that checks run in. */
  readOnlyCheckout(tree: TreeId): Promise<ReadOnlyCheckout>
  treeOf(commit: CommitId): Promise<TreeId>
  /** Those of the paths that a tree does not have. */
  missing(tree: TreeId, paths: readonly string[]): Promise<string[]>
  /** The text of those of the files that a tree has; none longer than 1 MiB. */
  read(tree: TreeId, files: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** A tree with these files as another tree has them, or without those that it does not have. */
  withFilesOf(tree: TreeId, other: TreeId, files: readonly string[]): Promise<TreeId>
  /** A tree with some files' content replaced. */
  alter(tree: TreeId, contents: ReadonlyMap<string, string>): Promise<TreeId>
  /** A tree with an edit applied to it, wherever the edit came from: nothing but objects of git is written. */
  edited(tree: TreeId, edit: TreeEdit): Promise<EditedTree>
  /** The paths of the plain files of a tree; of a very large one the first 2 MiB. */
  files(tree: TreeId): Promise<readonly string[]>
  /** How many of the words each text file of a tree holds, in whatever case; a file without any is left out. */
  filesWith(tree: TreeId, words: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** What changed between two trees. */
  diff(from: TreeId, to: TreeId): Promise<Patch>
  /** From a commit of a build branch down to `since` without it, newest first; null: to what the build started on. */
  history(build: BuildId, from: CommitId, since: CommitId | null): Promise<BranchCommit[]>
  /**
   * Moves the branch from where it should not be to where it should, by compare-and-swap; null where it moved meanwhile.
   * What is only reachable from `from` is kept under the ref that is named; its name is null where there is nothing.
   */
  putBack(build: BuildId, from: CommitId, to: CommitId): Promise<{ readonly ref: string | null } | null>
  /** Puts `tree`, made on `base`, on top of the branch's head: unchanged if the head is `base`, else merged. */
  mergeTrees(build: BuildId, base: CommitId, tree: TreeId): Promise<MergedTrees>
  /** The branch without what a commit of it changed; `moved` is false where nothing of that is left. */
  undo(build: BuildId, commit: CommitId): Promise<MergedTrees>
  /** Puts the branch together with a commit of the user's repository; `moved` is false where it has that already. */
  mergeWith(build: BuildId, commit: CommitId): Promise<MergedTrees>
  /** Commits `tree` on `onto` and moves the branch there by compare-and-swap; null where the branch moved meanwhile. */
  commitToBranch(
    build: BuildId,
    onto: CommitId,
    tree: TreeId,
    message: string,
    note: string,
    how?: LandingWays,
  ): Promise<Version | null>
  /** What was noted on a commit when it landed; null where nothing was. */
  noteOn(commit: CommitId): Promise<string | null>
  /** The base a task's work stands on moves: after a merge that was refused, its next attempt works on the new head. */
  rebase(workspace: Workspace, base: CommitId, tree: TreeId): Promise<Workspace>
  /** Work that is pinned, newest first. */
  pins(): Promise<Pin[]>
  /** Writes a pinned tree into a new folder. */
  restore(ref: string, folder: string): Promise<void>
  /**
   * Takes the user's own fix: the content of a folder, or a commit or branch of the user's repository. The tree stands on
   * what the task's own work stands on, whatever the fix was made on.
   */
  adopt(from: { readonly folder: string } | { readonly ref: string }, mark: AttemptMark): Promise<Harvest>
  /** Brings branch, notes and pins into the user's repository; calls while one runs are joined into one. Never fails. */
  mirror(build: BuildId): Promise<Mirrored>
  /**
   * What changed in the user's checkout since this was last asked: branches and tags that are not ours, and tracked files
   * but for `ours`, those that Ralph writes there itself. The first call only looks.
   */
  checkoutChanges(ours: readonly string[]): Promise<CheckoutChanges>
  /** Removes folders, pins and caches that no unfinished build needs; what it would remove, with `dry`. */
  clean(keep: readonly BuildId[], mode: 'dry' | 'remove'): Promise<Removal[]>
}

export interface BuildStart extends Version {
  /** The user's branch; null where HEAD is detached. */
  readonly baseBranch: string | null
  /** The user's checkout has changes that HEAD, and so the build, does not have. */
  readonly isDirty: boolean
  /** What was done to the user's checkout, and how to undo it; left out where nothing was. */
  readonly moved?: string
  /** What the user should know, a sentence each: a name that git does not know, submodules, files that are not copied. */
  readonly notes: readonly string[]
}

export interface Version {
  readonly commit: CommitId
  readonly tree: TreeId
}

export interface LandingWays {
  /** A second parent, for what was merged in. */
  readonly also?: CommitId
  /** Told the commit before the branch moves, which waits for it; false: the branch does not move. */
  readonly intend?: (commit: CommitId) => Promise<boolean>
}

export interface BranchCommit extends Version {
  /** The first one. */
  readonly parent: CommitId
  readonly message: string
}

export interface Workspace {
  readonly folder: string
  readonly build: BuildId
  readonly task: TaskId
  /** The commit that the work in it stands on. */
  readonly base: CommitId
  /** The user's own checkout: people and other loops leave files there, too. */
  readonly isShared?: boolean
  /** Variables for whoever works in it. */
  readonly env?: Readonly<Record<string, string>>
}

export interface AttemptMark {
  readonly build: BuildId
  readonly task: TaskId
  readonly attempt: number
  readonly iteration: number
}

/** Refused: the folder holds what must not be taken (a nested repository, a device, too much); the reason says what to do. */
export type Harvest =
  | { readonly taken: true; readonly tree: TreeId }
  | { readonly taken: false; readonly reason: string }

/** `reason`: what is wrong with the edit, in words for who wrote it. */
export type EditedTree =
  | { readonly ok: true; readonly tree: TreeId; readonly changes: readonly TreeChange[] }
  | { readonly ok: false; readonly reason: string }

export interface Checkout {
  readonly folder: string
  readonly tree: TreeId
  readonly free: () => void
}

export interface ReadOnlyCheckout {
  readonly folder: string
  /** Says what the reader changed although it may only read; the folder is made anew for the next one. */
  readonly giveBack: () => Promise<readonly string[]>
}

export interface Patch {
  readonly diff: string
  readonly files: readonly ChangedFile[]
  /** False where the diff is longer than 64 MiB and was cut. */
  readonly isWhole: boolean
}

export interface ChangedFile {
  readonly path: string
  readonly change: 'added' | 'modified' | 'deleted' | 'renamed'
  /** The old path of a renamed file. */
  readonly from?: string
}

export type MergedTrees =
  | { readonly is: 'clean'; readonly head: CommitId; readonly tree: TreeId; readonly moved: boolean }
  /** `tree` holds both sides with conflict markers, for the next attempt to work on. */
  | { readonly is: 'conflict'; readonly head: CommitId; readonly tree: TreeId; readonly paths: readonly string[] }

export interface Pin extends AttemptMark {
  readonly ref: string
  readonly commit: CommitId
  readonly at: number
}

export type Mirrored = { readonly done: true } | { readonly done: false; readonly reason: string }

/** Names of refs, `HEAD` among them, and paths from the root of the checkout. */
export interface CheckoutChanges {
  readonly refs: readonly string[]
  readonly paths: readonly string[]
}

export interface Removal {
  readonly what: string
  readonly bytes: number
}
