// Programs that work in a repository for a person: git, and what else they have.
import { refuse } from '../core/error.ts'
import { outputText } from '../process/captured.ts'
import { run } from '../process/spawn.ts'

export interface RepositoryPlace {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
}

export interface Said {
  readonly code: number | null
  /** Without the end of the last line. */
  readonly stdout: string
  readonly stderr: string
}

const LIMIT_MS = 60_000
/** A note with the names of some thousand tests. */
const KEPT = { headBytes: 16 * 1024 * 1024, tailBytes: 64 * 1024 }

/** Whatever it exits with is an answer. */
export async function callProgram(
  { folder, env }: RepositoryPlace,
  argv: readonly [program: string, ...args: string[]],
  limitMs = LIMIT_MS,
): Promise<Said> {
  const ended = await run({ argv, cwd: folder, env, deadlineMs: limitMs, trust: 'tool', keep: KEPT })
  if (ended.how === 'notStarted') throw refuse('PROGRAM_MISSING', { program: argv[0] })
  const stderr = outputText(ended.stderr).trim()
  return { code: ended.code, stdout: outputText(ended.stdout).trimEnd(), stderr: stderr || ended.how }
}

/** What it printed; what it could not do is refused. */
export async function plainGit(
  folder: string,
  env: RepositoryPlace['env'],
  ...args: readonly string[]
): Promise<string> {
  const { code, stdout, stderr } = await callProgram({ folder, env }, ['git', ...args])
  if (code !== 0) throw refuse('GIT_FAILED', { verb: args[0] ?? '', reason: stderr })
  return stdout
}
