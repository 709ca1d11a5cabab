// Git in a repository of which nothing is to be feared, such as one that Ralph has just made.
import { refuse } from '../core/error.ts'
import { outputText } from '../process/captured.ts'
import { run } from '../process/spawn.ts'

const LIMIT_MS = 60_000
/** A note with the names of some thousand tests. */
const KEPT = { headBytes: 16 * 1024 * 1024, tailBytes: 64 * 1024 }

/** What it printed, without the end of the last line. */
export async function plainGit(
  cwd: string,
  env: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<string> {
  const ended = await run({ argv: ['git', ...args], cwd, env, deadlineMs: LIMIT_MS, trust: 'tool', keep: KEPT })
  if (ended.how === 'notStarted') throw refuse('GIT_NOT_STARTED', { problem: 'install git, and see that PATH has it' })
  if (ended.code !== 0)
    throw refuse('GIT_FAILED', { verb: args[0] ?? '', reason: outputText(ended.stderr).trim() || ended.how })
  return outputText(ended.stdout).trimEnd()
}
