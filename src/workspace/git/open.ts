// Opens the workspaces of a repository with git, and makes whatever is missing.
import { mkdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { RalphError, refuse } from '../../core/error/error.ts'
import { BoundedMap } from '../../core/values/bounded-map.ts'
import { errnoOf } from '../../system/errno.ts'
import type { Workspaces } from '../workspace.ts'
import { fastPath } from './fast/fast-path.ts'
import { gitAlone } from './repository/fast-path.ts'
import { admit } from './merge/admission.ts'
import { adopt, holds } from './harvest/adopt.ts'
import { headOf } from './repository/branch.ts'
import { checkout, readOnlyCheckout } from './pool/checkouts.ts'
import { startCheckoutChanges } from './mirror/checkout-changes.ts'
import { clean } from './pool/clean.ts'
import { mergeTrees, mergeWith } from './merge/merge-trees.ts'
import { diff, startDiffer } from './tree/diff.ts'
import { editTree } from './tree/edit-tree.ts'
import { ensureRepository, isPlainDisk, writeExcludes } from './repository/engine-repository.ts'
import { agentFolders } from './pool/folders.ts'
import { startGit } from './command/git.ts'
import { openObjectReader } from './command/object-reader.ts'
import { Harvests, IndexedTrees } from './known/known-folders.ts'
import { KnownTrees } from './known/known-trees.ts'
import { MirrorState } from './known/mirror-state.ts'
import { requireVersion } from './command/git-version.ts'
import { treeOf } from './repository/commit-trees.ts'
import type { GitContext } from './repository/git-context.ts'
import { HARVEST_LIMITS, type HarvestLimits } from './repository/harvest-limits.ts'
import { storeByGit } from './objects/objects.ts'
import { workInPlace } from './in-place/in-place.ts'
import { commitToBranch } from './merge/commit-to-branch.ts'
import { NOTES_REF, layoutOf } from './repository/layout.ts'
import { filesIn, filesWith } from './tree/look-into-tree.ts'
import { history, putBack } from './merge/history.ts'
import { newKnownNotes, noteOn } from './repository/notes.ts'
import { startMirror } from './mirror/mirror.ts'
import { registerProcess } from './repository/process-registry.ts'
import { listPins } from './repository/pins.ts'
import { openPool } from './agent-folder/folder-place.ts'
import { restore } from './tree/restore.ts'
import { startBuild, takeHead } from './merge/start-build.ts'
import { alter, missing, read, withFilesOf } from './tree/trees.ts'
import { undo } from './merge/undo.ts'
import { formatOf, identityOf, localExcludes, readSettings, type UserRepository } from './repository/user-repository.ts'
import type { Environment } from '../../core/values/environment.ts'

const BASES_MAX = 1_000

export interface GitWorkspaceOptions {
  /** The folder of all state: `ralph/` in the common git dir. Made if it is missing. */
  readonly stateFolder: string
  /** Where agents and checks work; by default the state folder. */
  readonly folders?: string
  readonly user: UserRepository
  /** The user's environment, through which git finds the user's own settings. */
  readonly env: Environment
  /** From ralph.toml: ignored files to copy, relative to the checkout. */
  readonly copy?: readonly string[]
  /** The agent works in the user's own checkout; `ours`: files that Ralph writes there itself. */
  readonly inPlace?: { readonly ours: readonly string[] }
  readonly limits?: Partial<HarvestLimits>
  readonly now?: () => number
  /** False: git does everything. */
  readonly isFast?: boolean
}

export async function openGitWorkspaces(options: GitWorkspaceOptions): Promise<Workspaces> {
  return refusingDiskFaults(options.stateFolder, async () => {
    const context = await contextFor(options)
    const { inPlace } = options
    const apart = workspacesOn(context)
    const parts = inPlace === undefined ? apart : await workInPlace(context, apart, inPlace.ours)
    return refusing(options.stateFolder, parts)
  })
}

async function contextFor(options: GitWorkspaceOptions): Promise<GitContext> {
  const { user, env, copy = [], limits = {}, now = Date.now, isFast = true } = options
  const git = startGit(env)
  const fast = isFast ? fastPath : gitAlone
  const state = await madeFolder(options.stateFolder)
  const paths = layoutOf(state, options.folders === undefined ? state : await madeFolder(options.folders))
  await requireVersion(git, user.commonDir)
  const settings = await readSettings(git, user)
  const format = formatOf(settings)
  await ensureRepository(git, paths, user.commonDir, format)
  await writeExcludes(paths, await localExcludes(user, settings, env))
  return {
    git,
    paths,
    objects: { folder: paths.objects, format, store: fast.storeObjects(paths.objects) ?? storeByGit(git, paths.repo) },
    owners: await registerProcess(paths.owners),
    user,
    identity: identityOf(settings, env),
    limits: { ...HARVEST_LIMITS, ...limits },
    copy,
    mirrors: 'all',
    now,
    isPlainDisk: await isPlainDisk(paths),
    fast,
    trees: new KnownTrees(),
    indexes: new IndexedTrees(),
    harvests: new Harvests(),
    bases: new BoundedMap(BASES_MAX),
    notes: newKnownNotes(),
    mirrorState: new MirrorState(NOTES_REF),
    reader: openObjectReader(git, paths.repo),
    differ: startDiffer(git, paths.repo),
    // Each tree is verified and then reviewed, which asks the same question twice.
    lastDiff: new BoundedMap(1),
  }
}

/** By its real path, which is the one that git and the system report. */
async function madeFolder(path: string): Promise<string> {
  await mkdir(path, { recursive: true })
  return realpath(path)
}

function workspacesOn(context: GitContext): Workspaces {
  const { pools: folders } = context.paths
  const pools = {
    workspaces: openPool(folders.workspaces, context.owners),
    checkouts: openPool(folders.checkouts, context.owners),
    loans: openPool(folders.loans, context.owners),
  }
  return {
    ...agentFolders(context, pools.workspaces),
    admit: () => admit(context),
    startBuild: (build) => startBuild(context, build),
    takeHead: () => takeHead(context),
    head: (build) => headOf(context, build),
    checkout: (tree, keep = []) => checkout(context, pools.checkouts, tree, keep),
    readOnlyCheckout: (tree) => readOnlyCheckout(context, pools.loans, tree),
    treeOf: (commit) => treeOf(context, commit),
    missing: (tree, paths) => missing(context, tree, paths),
    read: (tree, files) => read(context, tree, files),
    withFilesOf: (tree, other, files) => withFilesOf(context, tree, other, files),
    alter: (tree, contents) => alter(context, tree, contents),
    edited: (tree, edit) => editTree(context, tree, edit),
    files: (tree) => filesIn(context, tree),
    filesWith: (tree, words) => filesWith(context, tree, words),
    diff: (from, to) => diff(context, from, to),
    history: (build, from, since) => history(context, build, from, since),
    putBack: (build, from, to) => putBack(context, build, from, to),
    mergeTrees: (build, base, tree) => mergeTrees(context, build, base, tree),
    undo: (build, commit) => undo(context, build, commit),
    mergeWith: (build, commit) => mergeWith(context, build, commit),
    commitToBranch: (build, onto, tree, message, note, how = {}) =>
      commitToBranch(context, { build, onto, tree, message, note, how }),
    holds: (commit, ref) => holds(context, commit, ref),
    noteOn: (commit) => noteOn(context, commit),
    pins: () => listPins(context),
    restore: (ref, folder) => restore(context, ref, folder),
    adopt: (from, mark) => adopt(context, pools.workspaces, from, mark),
    mirror: startMirror(context),
    checkoutChanges: startCheckoutChanges(context),
    clean: (keep, mode) => clean(context, pools, keep, mode),
  }
}

/** The same methods; each reports disk faults as `refusingDiskFaults` does. */
function refusing(path: string, workspaces: Workspaces): Workspaces {
  return new Proxy(workspaces, {
    get: (target, name, receiver) => {
      const method: unknown = Reflect.get(target, name, receiver)
      if (typeof method !== 'function') return method
      return (...args: readonly unknown[]): Promise<unknown> =>
        refusingDiskFaults(path, async () => Reflect.apply(method, target, args))
    },
  })
}

/** Turns a disk fault into a refusal with a sentence. */
async function refusingDiskFaults<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    const errno = errnoOf(error)
    if (error instanceof RalphError || errno === 'UNKNOWN') throw error
    const where = error instanceof Error && 'path' in error ? String(error.path) : join(path, '')
    if (errno === 'ENOSPC' || errno === 'EDQUOT') throw refuse('GIT_DISK_FULL', { path: where }, error)
    throw refuse('FILE_UNWRITABLE', { path: where, reason: errno }, error)
  }
}
