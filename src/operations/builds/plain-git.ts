// Runs git and other programs in a repository on behalf of a person.
import { findRepository, worktreeOf } from '../../config/paths/repository.ts'
import { damagedObject } from '../../core/error/damaged-object.ts'
import { refuse } from '../../core/error/error.ts'
import { type GitFolders, gitVariables, withoutRepository } from '../../core/values/git-folders.ts'
import { outputText } from '../../system/process/head-tail-buffer.ts'
import { run } from '../../system/process/spawn.ts'
import type { Environment } from '../../core/values/environment.ts'

/** A repository that was found once. No later call searches for it from a folder whose content anybody may control. */
export interface RepositoryPlace extends GitFolders {
  readonly folder: string
  readonly commonDir: string
  readonly env: Readonly<Record<string, string>>
}

/** The repository that contains `folder`, or the one that the environment names. */
export function placeAt(folder: string, environment: Environment): RepositoryPlace {
  const repository = findRepository(folder, environment)
  const workTree = worktreeOf(repository, environment)
  const own = Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  return {
    ...repository,
    folder: workTree ?? folder,
    ...(workTree === null ? {} : { workTree }),
    env: Object.fromEntries(own),
  }
}

export interface ProgramOutput {
  readonly code: number | null
  /** Without the last line ending. */
  readonly stdout: string
  readonly stderr: string
}

const LIMIT_MS = 60_000
/** Enough for a note with the names of some thousand tests. */
const KEPT = { headBytes: 16 * 1024 * 1024, tailBytes: 64 * 1024 }

/** Any exit code is an answer. */
export async function callProgram(
  place: RepositoryPlace,
  argv: readonly [program: string, ...args: string[]],
  limitMs = LIMIT_MS,
): Promise<ProgramOutput> {
  // Otherwise git would read a replacement object instead of the commit.
  const env = { ...withoutRepository(place.env), ...gitVariables(place), GIT_NO_REPLACE_OBJECTS: '1' }
  const ended = await run({ argv, cwd: place.folder, env, deadlineMs: limitMs, trust: 'tool', keep: KEPT })
  if (ended.how === 'notStarted') throw refuse('PROGRAM_MISSING', { program: argv[0] })
  const stderr = outputText(ended.stderr).trim()
  return { code: ended.code, stdout: outputText(ended.stdout).trimEnd(), stderr: stderr || ended.how }
}

/** Any exit code is an answer. */
export function askGit(place: RepositoryPlace, args: readonly string[], limitMs = LIMIT_MS): Promise<ProgramOutput> {
  return callProgram(place, ['git', ...args], limitMs)
}

/** Returns the output; refuses if git fails. */
export async function plainGit(place: RepositoryPlace, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await askGit(place, args)
  const damaged = code === 0 ? null : damagedObject(stderr)
  if (damaged !== null) throw refuse('OBJECT_DAMAGED', { object: damaged, where: place.commonDir })
  if (code !== 0) throw refuse('GIT_FAILED', { verb: args[0] ?? '', reason: stderr })
  return stdout
}
