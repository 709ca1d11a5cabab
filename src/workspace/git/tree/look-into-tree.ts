// Lists and searches the files of a tree, to choose which ones to show.
import type { TreeId } from '../../../core/values/id.ts'
import type { GitContext } from '../repository/git-context.ts'

/** 20,000 paths and more; the rest is left out. */
const LIST_BYTES_MAX = 2 * 1024 * 1024

/** Plain files only. */
export async function filesIn({ git, paths }: GitContext, tree: TreeId): Promise<string[]> {
  const { stdout } = await git.engine(['ls-tree', '-r', '-z', '--full-tree', '--end-of-options', tree], {
    gitDir: paths.repo,
    outputBytes: LIST_BYTES_MAX,
  })
  const whole = stdout.subarray(0, stdout.lastIndexOf(0) + 1).toString('utf8')
  return whole.split('\0').flatMap((line) => (line.startsWith('100') ? [line.slice(line.indexOf('\t') + 1)] : []))
}

const SEARCH_DEADLINE_MS = 20_000

/** How many of the words each text file contains, ignoring case; files without any are left out. */
export async function filesWith(
  context: GitContext,
  tree: TreeId,
  words: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  for (const word of words) {
    const { stdout } = await context.git.engine(
      ['grep', '-I', '-i', '-l', '-z', '--full-name', '-F', '-e', word, tree],
      { gitDir: context.paths.repo, answers: [1], outputBytes: LIST_BYTES_MAX, deadlineMs: SEARCH_DEADLINE_MS },
    )
    const whole = stdout.subarray(0, stdout.lastIndexOf(0) + 1).toString('utf8')
    for (const line of whole.split('\0').filter(Boolean)) {
      const path = line.slice(line.indexOf(':') + 1)
      counts.set(path, (counts.get(path) ?? 0) + 1)
    }
  }
  return counts
}
