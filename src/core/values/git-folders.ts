// Which folders a call of git works with, as the variables that say so. Where one is not said, git looks for it: from the
// folder it is started in upwards, or by what a file in the git dir says. Both may be the work of an agent.
import type { Environment } from './environment.ts'

export interface GitFolders {
  readonly gitDir: string
  /** Where refs, objects and settings are; the git dir itself where that is not one of several. */
  readonly commonDir?: string
  /** None for a call that touches no files. */
  readonly workTree?: string
  /** The git dir's own where it is not said. */
  readonly indexFile?: string
}

export function gitVariables({ gitDir, commonDir, workTree, indexFile }: GitFolders): Record<string, string> {
  return {
    GIT_DIR: gitDir,
    // Git takes a common dir that is named for a sign of several checkouts, and no longer sees that a repository is bare.
    ...(commonDir === undefined || commonDir === gitDir ? {} : { GIT_COMMON_DIR: commonDir }),
    GIT_OBJECT_DIRECTORY: `${commonDir ?? gitDir}/objects`,
    GIT_INDEX_FILE: indexFile ?? `${gitDir}/index`,
    ...(workTree === undefined ? {} : { GIT_WORK_TREE: workTree }),
  }
}

/** What `git rev-parse --local-env-vars` names, but for settings. */
const OF_ONE_REPOSITORY =
  /^GIT_(DIR|COMMON_DIR|WORK_TREE|IMPLICIT_WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|GRAFT_FILE|SHALLOW_FILE|NO_REPLACE_OBJECTS|REPLACE_REF_BASE|PREFIX|INTERNAL_SUPER_PREFIX|NAMESPACE|QUARANTINE_PATH|CEILING_DIRECTORIES|DISCOVERY_ACROSS_FILESYSTEM)$/

/** For programs that are to work as the caller's own do: how to sign, to log in and to reach a remote stays as it is. */
export function withoutRepository(environment: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !OF_ONE_REPOSITORY.test(name)))
}

/** Variables of the caller speak of another repository (a hook that runs us sets GIT_DIR), except where settings are. */
export function withoutGit(environment: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined &&
        (!entry[0].startsWith('GIT_') || /^GIT_CONFIG_(GLOBAL|SYSTEM|NOSYSTEM)$/.test(entry[0])),
    ),
  )
}
