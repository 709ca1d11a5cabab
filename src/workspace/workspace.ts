// Workspaces: the folders in which agents work and checks run, and the way of a patch into the build branch.
//
// The engine has a bare repository of its own. An agent gets a folder with a throw-away git dir that borrows the engine's
// objects. The engine reads the folder with its own git dir and a private index, so nothing in the agent's git dir ever runs.
// Checks run in another folder, which no agent writes and which is byte-identical to the tree under judgement.
import type { BuildId, CommitId, TaskId, TreeId } from '../core/values/id.ts'
import type { TreeChange, TreeEdit } from '../core/patch/tree-edit.ts'

export interface Workspaces extends AgentFolders, Checkouts, Trees, BuildBranch, Pins, UserCheckout {
  /** Removes folders, pins and caches that no unfinished build needs; with `dry` it only lists them. */
  clean(keep: readonly BuildId[], mode: 'dry' | 'remove'): Promise<Removal[]>
}

/** The folders in which agents work. */
export interface AgentFolders {
  /**
   * The folder of a task: its present one, else a pooled one that is changed to hold `start` (null: the tree of the branch's
   * head). `fresh`: its content is exactly the start tree, with a new git dir.
   */
  acquire(build: BuildId, task: TaskId, start: TreeId | null, mode: 'keep' | 'fresh'): Promise<Workspace>
  /**
   * Gives the folder to another task while an agent works in it. With a `start` the folder is changed to hold that tree;
   * null leaves it as it is. `keep`: the content of the folder that the task had before takes precedence.
   */
  handOver(workspace: Workspace, task: TaskId, start: TreeId | null, mode: 'keep' | 'fresh'): Promise<Workspace>
  /** The folder that a task has now; null where it has none. */
  find(build: BuildId, task: TaskId): Promise<Workspace | null>
  /**
   * The commit that a tree of this task is based on, also where the task has no folder any more. It is never a guess: on a
   * later commit the tree would undo everything merged between the two.
   */
  baseOf(build: BuildId, task: TaskId, tree: TreeId): Promise<CommitId>
  /** Gives the folder back to the pool and pins unharvested work first. A task may have none. */
  release(workspace: Workspace): Promise<void>
  /** Reads the folder as a tree and pins it under `refs/ralph/attempts/…`. */
  harvest(workspace: Workspace, mark: AttemptMark): Promise<Harvest>
  /** Moves the base of a task's work: after a refused merge, the next attempt works on the new head. */
  rebase(workspace: Workspace, base: CommitId, tree: TreeId): Promise<Workspace>
  /**
   * Takes the user's own fix: the content of a folder, or a commit or branch of the user's repository. The tree is based on
   * the same commit as the task's own work, whatever the fix was made on.
   */
  adopt(from: { readonly folder: string } | { readonly ref: string }, mark: AttemptMark): Promise<Harvest>
}

/** Folders that hold exactly a tree, for checks and for roles that only read. */
export interface Checkouts {
  /**
   * A folder that holds exactly this tree and that no agent ever writes; the caller frees it. `keep`: paths in it, such as
   * `node_modules`, that stay as the last use of the folder left them.
   */
  checkout(tree: TreeId, keep?: readonly string[]): Promise<Checkout>
  /** A folder for a role that only reads; no check ever runs in it. */
  readOnlyCheckout(tree: TreeId): Promise<ReadOnlyCheckout>
}

/** Trees of the engine's repository. */
export interface Trees {
  treeOf(commit: CommitId): Promise<TreeId>
  /** The paths that the tree does not have. */
  missing(tree: TreeId, paths: readonly string[]): Promise<string[]>
  /** The texts of those files that the tree has; none longer than 1 MiB. */
  read(tree: TreeId, files: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** A tree with these files as the other tree has them, and without those that the other does not have. */
  withFilesOf(tree: TreeId, other: TreeId, files: readonly string[]): Promise<TreeId>
  /** A tree with the content of some files replaced. */
  alter(tree: TreeId, contents: ReadonlyMap<string, string>): Promise<TreeId>
  /** A tree with an edit applied. The edit may come from anywhere: only git objects are written. */
  edited(tree: TreeId, edit: TreeEdit): Promise<EditedTree>
  /** The paths of the plain files of a tree; of a very large tree, the first 2 MiB. */
  files(tree: TreeId): Promise<readonly string[]>
  /** How many of the words each text file of a tree contains, ignoring case; files without any are left out. */
  filesWith(tree: TreeId, words: readonly string[]): Promise<ReadonlyMap<string, number>>
  diff(from: TreeId, to: TreeId): Promise<Patch>
}

/** The branch of a build, from its start to its last commit. */
export interface BuildBranch {
  /** Refuses where a new build could not work; called before anything is made for a build. */
  admit(): Promise<void>
  /** Copies the user's HEAD and makes the build branch on it; a build that has a branch keeps it. */
  startBuild(build: BuildId): Promise<BuildStart>
  /** Copies the user's HEAD without a build, for callers that only look at the project. */
  takeHead(): Promise<Version & Pick<BuildStart, 'isDirty'>>
  head(build: BuildId): Promise<Version>
  /** Commits from `from` down to `since`, without it, newest first; null: down to the start of the build. */
  history(build: BuildId, from: CommitId, since: CommitId | null): Promise<BranchCommit[]>
  /**
   * Moves the branch back by compare-and-swap; null where it moved meanwhile. Commits that only `from` reaches stay under
   * the ref in the answer; its name is null where there are none.
   */
  putBack(build: BuildId, from: CommitId, to: CommitId): Promise<{ readonly ref: string | null } | null>
  /** Puts `tree`, made on `base`, on top of the branch's head: unchanged where the head is `base`, else merged. */
  mergeTrees(build: BuildId, base: CommitId, tree: TreeId): Promise<MergedTrees>
  /** The branch without the changes of one of its commits; `moved` is false where none of them is left. */
  undo(build: BuildId, commit: CommitId): Promise<MergedTrees>
  /** Merges a commit of the user's repository; `moved` is false where the branch contains it already. */
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
  /**
   * Whether the history of `commit` holds a commit or branch of the user's repository; `unknown`: there is none of that
   * name.
   */
  holds(commit: CommitId, ref: string): Promise<boolean | 'unknown'>
  /** The note that `commitToBranch` wrote on a commit; null where there is none. */
  noteOn(commit: CommitId): Promise<string | null>
}

/** Pinned work: everything that agents made. */
export interface Pins {
  /** Newest first. */
  pins(): Promise<Pin[]>
  /** Writes a pinned tree into a new folder. */
  restore(ref: string, folder: string): Promise<void>
}

/** The user's own repository and checkout. */
export interface UserCheckout {
  /** Brings branch, notes and pins into the user's repository; joins calls that come while one runs. Never fails. */
  mirror(build: BuildId): Promise<Mirrored>
  /**
   * Changes in the user's checkout since the last call: branches and tags that are not ours, and tracked files other than
   * `ours`, which Ralph writes there itself. The first call reports nothing.
   */
  checkoutChanges(ours: readonly string[]): Promise<CheckoutChanges>
}

export interface BuildStart extends Version {
  /** The user's branch; null where HEAD is detached. */
  readonly baseBranch: string | null
  /** The user's checkout has changes that HEAD, and so the build, does not have. */
  readonly isDirty: boolean
  /** What Ralph did to the user's checkout, and how to undo it; absent where it did nothing. */
  readonly moved?: string
  /** Sentences for the user: git knows no name, submodules stay empty, files are not copied. */
  readonly notes: readonly string[]
}

export interface Version {
  readonly commit: CommitId
  readonly tree: TreeId
}

export interface LandingWays {
  /** A second parent: the commit that was merged in. */
  readonly also?: CommitId
  /** Called with the commit before the branch moves; the branch waits, and stays where the answer is false. */
  readonly intend?: (commit: CommitId) => Promise<boolean>
}

export interface BranchCommit extends Version {
  /** The first parent. */
  readonly parent: CommitId
  readonly message: string
}

export interface Workspace {
  readonly folder: string
  readonly build: BuildId
  readonly task: TaskId
  /** The commit that the work in it is based on. */
  readonly base: CommitId
  /** The folder is the user's own checkout, in which people and other loops leave files, too. */
  readonly isShared?: boolean
  /** Variables for the programs that work in it. */
  readonly env?: Readonly<Record<string, string>>
}

export interface AttemptMark {
  readonly build: BuildId
  readonly task: TaskId
  readonly attempt: number
  readonly iteration: number
}

/** Not taken: the folder holds a nested repository, a device or too much; the reason says what to do. */
export type Harvest =
  | { readonly taken: true; readonly tree: TreeId }
  | { readonly taken: false; readonly reason: string }

/** `reason`: what is wrong with the edit, for its author. */
export type EditedTree =
  | { readonly ok: true; readonly tree: TreeId; readonly changes: readonly TreeChange[] }
  | { readonly ok: false; readonly reason: string }

export interface Checkout {
  readonly folder: string
  readonly tree: TreeId
  /** Files of the tree whose content in the folder is another now, or that are gone. Other files are not looked at. */
  readonly changedFiles: () => Promise<readonly string[]>
  /** Gives these files the content of the tree again. */
  readonly restoreFiles: (paths: readonly string[]) => Promise<void>
  readonly free: () => void
}

export interface ReadOnlyCheckout {
  readonly folder: string
  /** Lists what the reader changed although it may only read; the folder is made anew for the next reader. */
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
