import type { CommitId } from '../values/id.ts'

/** Setup and checks on the tree that a build starts or resumes from, before any agent starts. */
export type BaselineFact =
  /** An intent. `on`: the name of the commit, `HEAD` or the build branch. */
  | { readonly type: 'baselineStarted'; readonly commit: CommitId; readonly on: string }
  /** `red`: the red checks; tasks may exist to fix them. */
  | {
      readonly type: 'baselineDone'
      readonly commit: CommitId
      readonly summary: string
      readonly red: readonly string[]
    }
  /** No task could be verified, so no agent starts, and the build is paused until a person has fixed it. */
  | { readonly type: 'baselineFailed'; readonly commit: CommitId; readonly error: string; readonly fix: string }
