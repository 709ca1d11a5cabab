// Commits and trees of the engine's repository that this process has read or written. Each saves a process of git (3 ms).
import { BoundedMap } from '../../../core/values/bounded-map.ts'
import type { CommitId, TreeId } from '../../../core/values/id.ts'
import type { TreePaths } from '../objects/tree-paths.ts'

const COMMITS_MAX = 1_000
const TREES_MAX = 6
/** Of all trees together: 50,000 take some 9 MB, and a tree made from another shares most of them with it. */
const PATHS_MAX = 150_000

export class KnownTrees {
  readonly #trees = new BoundedMap<CommitId, TreeId>(COMMITS_MAX)
  readonly #paths = new Map<TreeId, TreePaths>()

  of(commit: CommitId): TreeId | undefined {
    return this.#trees.get(commit)
  }

  addCommit(commit: CommitId, tree: TreeId): void {
    this.#trees.set(commit, tree)
  }

  paths(tree: TreeId | undefined): TreePaths | undefined {
    return tree === undefined ? undefined : this.#paths.get(tree)
  }

  addPaths(tree: TreeId, paths: TreePaths): void {
    this.#paths.delete(tree)
    this.#paths.set(tree, paths)
    const sizes = [...this.#paths].map(([one, its]) => ({ one, size: sizeOf(its) }))
    let total = sizes.reduce((sum, { size }) => sum + size, 0)
    for (const { one, size } of sizes) {
      if (total <= PATHS_MAX && this.#paths.size <= TREES_MAX) return
      this.#paths.delete(one)
      total -= size
    }
  }
}

function sizeOf(paths: TreePaths): number {
  return [...paths.values()].reduce((sum, { size }) => sum + size, 0)
}
