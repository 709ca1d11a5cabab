// What this process knows of the folders that it holds. No other process changes their private git dirs meanwhile, so
// the answers hold until another process takes the folder.
import { BoundedMap } from '../../../core/values/bounded-map.ts'
import type { TreeId } from '../../../core/values/id.ts'

/** A process holds a folder for each task that it runs, and one for each check. */
const FOLDERS_MAX = 1_000

interface PrivateGitDir {
  readonly gitDir: string
}

/** The tree in the private index of a folder. */
export class IndexedTrees {
  readonly #trees = new BoundedMap<string, TreeId>(FOLDERS_MAX)

  of({ gitDir }: PrivateGitDir): TreeId | undefined {
    return this.#trees.get(gitDir)
  }

  set({ gitDir }: PrivateGitDir, tree: TreeId): void {
    this.#trees.set(gitDir, tree)
  }

  forget({ gitDir }: PrivateGitDir): void {
    this.#trees.delete(gitDir)
  }
}

interface LastHarvest {
  /** The tree of the last harvest; the private index may be older. */
  readonly tree?: TreeId
  /** No agent has worked in it since. */
  readonly isPinned?: boolean
  /** The commits that the agent had made, as one text. */
  readonly agentCommits?: string
}

/** The last harvest of a folder. */
export class Harvests {
  readonly #folders = new BoundedMap<string, LastHarvest>(FOLDERS_MAX)

  of(folder: string): LastHarvest {
    return this.#folders.get(folder) ?? {}
  }

  record(folder: string, harvested: LastHarvest): void {
    this.#folders.set(folder, { ...this.of(folder), ...harvested })
  }

  forget(folder: string): void {
    this.#folders.delete(folder)
  }
}
