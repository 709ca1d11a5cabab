// What every part of the git workspaces works with.
import type { BoundedMap } from '../../../core/values/bounded-map.ts'
import type { CommitId } from '../../../core/values/id.ts'
import type { Patch } from '../../workspace.ts'
import type { Git } from '../command/git.ts'
import type { LongLivedGit } from '../command/long-lived-git.ts'
import type { ObjectReader } from '../command/object-reader.ts'
import type { Harvests, IndexedTrees } from '../known/known-folders.ts'
import type { KnownTrees } from '../known/known-trees.ts'
import type { MirrorState } from '../known/mirror-state.ts'
import type { Objects } from '../objects/objects.ts'
import type { Person } from './commits.ts'
import type { FastPath } from './fast-path.ts'
import type { HarvestLimits } from './harvest-limits.ts'
import type { Layout } from './layout.ts'
import type { KnownNotes } from './notes.ts'
import type { ProcessRegistry } from './process-registry.ts'
import type { UserRepository } from './user-repository.ts'

export interface GitContext {
  readonly git: Git
  readonly paths: Layout
  readonly objects: Objects
  readonly owners: ProcessRegistry
  readonly user: UserRepository
  readonly identity: Identity
  readonly limits: HarvestLimits
  /** Ignored files of the user's checkout that are copied into the folders. */
  readonly copy: readonly string[]
  /** `all-but-branch`: the user's checkout has the build branch checked out, and follows it by itself. */
  readonly mirrors: 'all' | 'all-but-branch'
  readonly now: () => number
  /** This disk keeps names and modes as git writes them; a disk that ignores case does not. */
  readonly isPlainDisk: boolean
  readonly fast: FastPath
  readonly trees: KnownTrees
  readonly indexes: IndexedTrees
  readonly harvests: Harvests
  /** Bases of pins and merged trees; only pins.ts knows its keys. */
  readonly bases: BoundedMap<string, CommitId>
  readonly notes: KnownNotes
  readonly mirrorState: MirrorState
  readonly reader: ObjectReader
  readonly differ: LongLivedGit
  readonly lastDiff: BoundedMap<string, Patch>
}

/** The author and committer, from the user's settings. */
export interface Identity {
  readonly author: Person
  readonly committer: Person
  /** Settings to sign with, as git's `key=value`; null where commits are not signed. */
  readonly signing: readonly string[] | null
  /** The user's git has no name or no address. */
  readonly isMadeUp: boolean
}
