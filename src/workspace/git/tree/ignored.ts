// Which paths git ignores.
import type { GitAnswer, GitCall } from '../command/git.ts'

type Ask = (args: readonly string[], call: GitCall) => Promise<GitAnswer>

/** `ask`: git as the engine or as the user. Paths in Latin-1 (see tree-paths.ts), relative to the work tree. */
export async function ignoredAmong(ask: Ask, call: GitCall, paths: readonly string[]): Promise<Set<string>> {
  if (paths.length === 0) return new Set()
  const { stdout } = await ask(['check-ignore', '-z', '--stdin'], {
    ...call,
    // With `./` before it, git takes no name for a pattern; this command refuses the option for that.
    input: Buffer.from(paths.map((path) => `./${path}\0`).join(''), 'latin1'),
    env: { GIT_LITERAL_PATHSPECS: '0' },
    answers: [1],
  })
  const lines = stdout.toString('latin1').split('\0')
  return new Set(lines.map((line) => line.replace(/^\.\//, '')))
}
