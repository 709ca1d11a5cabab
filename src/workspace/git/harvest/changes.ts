// The differences between a folder and the engine's private index of it, found by git. Git enters no nested repository:
// a monitor configured in one would run.
import type { GitContext } from '../repository/git-context.ts'
import { insideOf } from '../agent-folder/sync.ts'
import type { Place, Changes } from '../repository/fast-path.ts'

/** Some 500,000 paths; the limit of files is far below. */
const LIST_BYTES_MAX = 32 * 1024 * 1024

const STATUS = ['status', '--porcelain=v2', '-z', '--untracked-files=all', '--ignore-submodules=all', '--no-renames']

export async function findChanges(context: GitContext, place: Place): Promise<Changes> {
  const answer = await context.git.engine(STATUS, { ...insideOf(context, place), outputBytes: LIST_BYTES_MAX })
  const lines = answer.stdout.toString('latin1').split('\0')
  const modified: string[] = []
  const deleted: string[] = []
  const untracked: string[] = []
  for (const line of lines) {
    if (line.startsWith('? ')) untracked.push(line.slice(2))
    // `1 XY sub mH mI mW hH hI path`: Y compares the folder with the index.
    if (!line.startsWith('1 ')) continue
    const how = line.charAt(3)
    if (how === 'D') deleted.push(pathIn(line))
    else if (how !== '.') modified.push(pathIn(line))
  }
  // Git cuts a very long path in its message, so the end is missing.
  const unreadable = [...answer.stderr.matchAll(/could not open directory '(.*?)(?:\/?':|$)/gm)]
  return { modified, deleted, untracked, unreadable: unreadable.map(([, path = '']) => path), cut: answer.cut }
}

const DIFF = ['diff', '--name-only', '-z', '--no-renames', '--no-ext-diff', '--ignore-submodules=all']

/** Files of the index whose content in the folder is another, or that are gone. Git reads only those with other times. */
export async function changedFilesByGit(context: GitContext, place: Place): Promise<readonly string[]> {
  const answer = await context.git.engine(DIFF, { ...insideOf(context, place), outputBytes: LIST_BYTES_MAX })
  return answer.stdout.toString('latin1').split('\0').filter(Boolean)
}

function pathIn(line: string): string {
  let at = 0
  for (let field = 0; field < 8; field += 1) at = line.indexOf(' ', at) + 1
  return line.slice(at)
}

export function isUnchanged({ modified, deleted, untracked, unreadable, cut }: Changes): boolean {
  return !cut && [modified, deleted, untracked, unreadable].every((list) => list.length === 0)
}
