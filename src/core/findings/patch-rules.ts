// What a patch may change. The rules judge the real changes, as git reports them after applying the patch to a copy:
// the patch's own claims decide nothing.
import { matches } from './patch-findings.ts'
import { pathProblem, shownPath } from '../patch/patch-paths.ts'
import type { TreeChange } from '../patch/tree-edit.ts'

export interface PatchPolicy {
  /** Patterns of paths that the implementer may not touch. */
  readonly protectedPaths: readonly string[]
  readonly filesMax: number
}

/** More would only hide the first. */
const PROBLEMS_SHOWN_MAX = 5

/** Empty: the patch is accepted. */
export function patchProblems(changes: readonly TreeChange[], policy: PatchPolicy): string[] {
  const many =
    changes.length > policy.filesMax
      ? [
          `it changes ${changes.length} files, more than the ${policy.filesMax} allowed at once (limits.files_per_patch); make a smaller change now and the rest in the next iteration`,
        ]
      : []
  return [...many, ...changes.flatMap((change) => changeProblem(change, policy) ?? [])]
}

function changeProblem({ path, oldMode, newMode, isBinary }: TreeChange, policy: PatchPolicy): string | null {
  const badPath = pathProblem(path)
  if (badPath !== null) return badPath
  const name = shownPath(path)
  const pattern = policy.protectedPaths.find((one) => isProtected(path, one))
  if (pattern !== undefined) return `${name} is protected (protect.paths has ${pattern}); leave it as it is`
  if (newMode === '120000') return `${name} would be a symbolic link; write a plain file`
  if (newMode === '160000' || oldMode === '160000')
    return `${name} would change a repository inside the project; leave it as it is`
  if (oldMode === '120000') return `${name} is a symbolic link; change the file that it leads to`
  if (!['000000', '100644', '100755'].includes(newMode)) return `${name} would be no plain file; write one`
  if (isBinary) return `${name} is not text; a patch may hold text only`
  return null
}

/** Ignores case: a disk may take both for the same. */
function isProtected(path: string, pattern: string): boolean {
  return matches(path, pattern) || matches(path.toLowerCase(), pattern.toLowerCase())
}

/** A file with LF must not get CRLF, and the other way round: every line would change, or no later patch would fit. */
export function lineEndProblem(path: string, before: string, after: string): string | null {
  const [was, is] = [lineEndsOf(before), lineEndsOf(after)]
  if (was === null || is === null || is === was || was === 'mixed') return null
  return `${shownPath(path)} has ${was} line ends, and the patch brings ${is === 'mixed' ? 'others' : is}; keep ${was}`
}

function lineEndsOf(text: string): 'LF' | 'CRLF' | 'mixed' | null {
  const all = text.split('\n').length - 1
  if (all === 0) return null
  const crlf = text.split('\r\n').length - 1
  if (crlf === 0) return 'LF'
  return crlf === all ? 'CRLF' : 'mixed'
}

/** One sentence for any number of problems. */
export function patchRefusal(problems: readonly string[]): string {
  const more = problems.length - PROBLEMS_SHOWN_MAX
  const told = problems.slice(0, PROBLEMS_SHOWN_MAX).join('; ')
  return `the patch was not applied: ${told}${more > 0 ? `; and ${more} more of this kind` : ''}`
}
