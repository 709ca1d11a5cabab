// What all parts of this room stand on.
import type { BuildId, CommitId, TreeId } from '../../../core/values/id.ts'
import type { Patch } from '../../workspace.ts'
import type { Person } from './commits.ts'
import type { Git } from '../command/git.ts'
import type { FastPath } from './fast-path.ts'
import type { HarvestLimits } from './harvest-limits.ts'
import { requireIntact } from './intact.ts'
import type { Layout } from './layout.ts'
import type { NotesMemory } from './notes.ts'
import type { Objects } from '../objects/objects.ts'
import type { ProcessRegistry } from './process-registry.ts'
import type { LongLivedGit } from '../command/long-lived-git.ts'
import { type TreePaths, misnamed, readTreePaths } from '../objects/tree-paths.ts'
import type { UserRepository } from './user-repository.ts'

export interface GitContext {
  readonly git: Git
  readonly paths: Layout
  readonly objects: Objects
  readonly owners: ProcessRegistry
  readonly user: UserRepository
  readonly identity: Identity
  readonly limits: HarvestLimits
  /** Ignored files of the user's checkout that the folders get too. */
  readonly copy: readonly string[]
  /** `all-but-branch`: the build branch is checked out in the user's checkout, which follows it by itself. */
  readonly mirrors: 'all' | 'all-but-branch'
  readonly now: () => number
  /** Names and modes on this disk are what git takes them for; not so where it ignores case. */
  readonly isPlainDisk: boolean
  readonly fast: FastPath
  readonly memory: Memory
}

/** Who commits, by the user's settings. */
export interface Identity {
  readonly author: Person
  readonly committer: Person
  /** Settings to sign with, as git's `key=value`; null where nothing is to be signed. */
  readonly signing: readonly string[] | null
  /** The user has told git no name or no address. */
  readonly isMadeUp: boolean
}

/** What git would tell again, kept to save a process (3 ms) each. */
export interface Memory {
  readonly trees: Map<CommitId, TreeId>
  readonly paths: Map<TreeId, TreePaths>
  /** The tree in a private index, by its git dir; only of folders that this process holds, so nobody else changes it. */
  readonly indexes: Map<string, TreeId>
  /** The tree that was last taken out of a folder, by its private git dir; the index there may be older. */
  readonly taken: Map<string, TreeId>
  /** The commit that a tree stands on, by what names the tree (see pins.ts). */
  readonly bases: Map<string, CommitId>
  /** The difference that was asked for last, by its two trees. */
  readonly diffs: Map<string, Patch>
  /** The commits an agent had made when its folder was last read, by folder. */
  readonly agentCommits: Map<string, string>
  /** Folders whose content is pinned, as long as no agent is let in again. */
  readonly harvested: Set<string>
  /** Refs that this process has moved and not brought to the user yet. */
  readonly unmirrored: Set<string>
  /** Commits of a build, by their refs, that the user's repository has with all that they hold. */
  readonly mirrored: Map<BuildId, Map<string, CommitId>>
  notes: NotesMemory | null
  /** A git that tells differences. */
  differ: LongLivedGit | null
  /** A git that prints objects, and the time of the folder of packs that it has seen. */
  reader: { readonly git: LongLivedGit; readonly packsAt: number } | null
}

export function newMemory(): Memory {
  return {
    trees: new Map(),
    paths: new Map(),
    indexes: new Map(),
    taken: new Map(),
    bases: new Map(),
    diffs: new Map(),
    agentCommits: new Map(),
    harvested: new Set(),
    unmirrored: new Set(),
    mirrored: new Map(),
    notes: null,
    differ: null,
    reader: null,
  }
}

const REMEMBERED_COMMITS_MAX = 1_000
const REMEMBERED_TREES_MAX = 6
/** Of all remembered trees together; 50,000 take some 9 MB, and a tree made from another shares most of them with it. */
const REMEMBERED_PATHS_MAX = 150_000

export async function treeOf(context: GitContext, commit: CommitId): Promise<TreeId> {
  const known = context.memory.trees.get(commit)
  if (known !== undefined) return known
  const { stdout } = await context.git.engine(
    ['rev-parse', '--verify', '--quiet', '--end-of-options', `${commit}^{tree}`],
    {
      gitDir: context.paths.repo,
    },
  )
  return rememberTree(context, commit, stdout.toString().trim() as TreeId)
}

export function rememberTree({ memory }: GitContext, commit: CommitId, tree: TreeId): TreeId {
  remember(memory.trees, commit, tree, REMEMBERED_COMMITS_MAX)
  return tree
}

/** As the ids of the tree and its folders say, also where somebody has overwritten the objects. */
export async function pathsOf(context: GitContext, tree: TreeId): Promise<TreePaths> {
  const { git, paths, memory, objects } = context
  const known = memory.paths.get(tree)
  if (known !== undefined) return known
  const read = await readTreePaths(git, paths.repo, tree)
  await requireIntact(context, misnamed(read, tree, objects.format))
  rememberPaths(memory, tree, read)
  return read
}

export function rememberPaths(memory: Memory, tree: TreeId, paths: TreePaths): void {
  memory.paths.delete(tree)
  memory.paths.set(tree, paths)
  const sizes = [...memory.paths].map(([one, its]) => ({
    one,
    size: [...its.values()].reduce((sum, { size }) => sum + size, 0),
  }))
  let total = sizes.reduce((sum, { size }) => sum + size, 0)
  for (const { one, size } of sizes) {
    if (total <= REMEMBERED_PATHS_MAX && memory.paths.size <= REMEMBERED_TREES_MAX) return
    memory.paths.delete(one)
    total -= size
  }
}

export function rememberBase({ memory }: GitContext, key: string, base: CommitId): void {
  remember(memory.bases, key, base, REMEMBERED_COMMITS_MAX)
}

export function remember<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, limit: number): void {
  map.set(key, value)
  for (const oldest of map.keys()) {
    if (map.size <= limit) return
    map.delete(oldest)
  }
}
