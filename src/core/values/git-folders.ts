// The folders that a call of git works with, as environment variables. Where a variable is missing, git searches:
// upwards from its working folder, or by a file in the git dir. An agent may control both.
import type { Environment } from './environment.ts'

export interface GitFolders {
  readonly gitDir: string
  /** The folder of refs, objects and settings; the git dir itself unless it is one of several. */
  readonly commonDir?: string
  /** Absent for a call that touches no files. */
  readonly workTree?: string
  /** Absent: the index of the git dir. */
  readonly indexFile?: string
}

export function gitVariables({ gitDir, commonDir, workTree, indexFile }: GitFolders): Record<string, string> {
  return {
    GIT_DIR: gitDir,
    // Git takes a named common dir for a sign of several checkouts, and no longer sees that a repository is bare.
    ...(commonDir === undefined || commonDir === gitDir ? {} : { GIT_COMMON_DIR: commonDir }),
    GIT_OBJECT_DIRECTORY: `${commonDir ?? gitDir}/objects`,
    GIT_INDEX_FILE: indexFile ?? `${gitDir}/index`,
    ...(workTree === undefined ? {} : { GIT_WORK_TREE: workTree }),
  }
}

/** The variables of `git rev-parse --local-env-vars`, except for settings. */
const OF_ONE_REPOSITORY =
  /^GIT_(DIR|COMMON_DIR|WORK_TREE|IMPLICIT_WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|GRAFT_FILE|SHALLOW_FILE|NO_REPLACE_OBJECTS|REPLACE_REF_BASE|PREFIX|INTERNAL_SUPER_PREFIX|NAMESPACE|QUARANTINE_PATH|CEILING_DIRECTORIES|DISCOVERY_ACROSS_FILESYSTEM)$/

/** For programs that must work like the caller's own: signing, login and access to remotes stay as they are. */
export function withoutRepository(environment: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !OF_ONE_REPOSITORY.test(name)))
}

/**
 * The caller's variables may name another repository (a hook that runs Ralph sets GIT_DIR); only the places of settings
 * stay.
 */
export function withoutGit(environment: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined &&
        (!entry[0].startsWith('GIT_') || /^GIT_CONFIG_(GLOBAL|SYSTEM|NOSYSTEM)$/.test(entry[0])),
    ),
  )
}
