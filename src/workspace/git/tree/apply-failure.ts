// Explains why git did not apply a diff, so its author can write a better one.
import type { TreeId } from '../../../core/values/id.ts'
import { pathProblem, shownPath } from '../../../core/patch/patch-paths.ts'
import type { GitContext } from '../repository/git-context.ts'
import { read } from './trees.ts'

/** Lines before and after the place of a hunk: enough to write it again. */
const LINES_AROUND = 12
const LINE_LENGTH_MAX = 200
const FAULTS_TOLD_MAX = 3

export async function applyWords(context: GitContext, tree: TreeId, stderr: string): Promise<string> {
  const lines = stderr.split('\n').flatMap((line) => /^(?:error|fatal): (.*)$/.exec(line)?.[1] ?? [])
  const said: string[] = []
  for (const line of lines) {
    const words = await wordsFor(context, tree, line)
    if (words !== null && !said.includes(words)) said.push(words)
  }
  if (said.length === 0)
    return 'git does not take the diff; answer with whole files instead: {"files": [{"path", "content"}]}'
  return said.slice(0, FAULTS_TOLD_MAX).join('; ')
}

/** Null where another line has said it. */
async function wordsFor(context: GitContext, tree: TreeId, line: string): Promise<string | null> {
  const misfit = /^patch failed: (.*):(\d+)$/.exec(line)
  if (misfit !== null) return misfitWords(context, tree, misfit[1] ?? '', Number(misfit[2]))
  if (line.endsWith(': patch does not apply') || line.startsWith('unable to add cache entry')) return null
  const missing = /^(.*): (?:does not exist in index|No such file or directory)$/.exec(line)?.[1]
  if (missing !== undefined)
    return `${shownPath(missing)} is not in the project, so it cannot be changed; to make it, write --- /dev/null before it`
  const there = /^(.*): already exists in (?:index|working directory)$/.exec(line)?.[1]
  if (there !== undefined) return `${shownPath(there)} is there already; change it instead of making it`
  const invalid = /^invalid path '(.*)'$/s.exec(line)?.[1]
  if (invalid !== undefined) return pathProblem(invalid) ?? `${shownPath(invalid)} is no path that a patch may name`
  const beyond = /^affected file '(.*)' is beyond a symbolic link$/s.exec(line)?.[1]
  if (beyond !== undefined) return `${shownPath(beyond)} lies behind a symbolic link; change the file that it leads to`
  const both = /^'(.*)' appears as both a file and as a directory$/s.exec(line)?.[1]
  if (both !== undefined) return `${shownPath(both)} would be a file where there is a folder, or the other way round`
  return `git does not take the diff (${line.slice(0, LINE_LENGTH_MAX)}); answer with whole files instead`
}

/** With the present lines, so the next try need not guess. */
async function misfitWords(context: GitContext, tree: TreeId, path: string, at: number): Promise<string> {
  const what = `the hunk for ${shownPath(path)} at line ${at} does not fit the file as it is now`
  const text = (await read(context, tree, [path])).get(path)
  if (text === undefined) return `${what}; read it again`
  const crlf = text.includes('\r\n') ? ' (it has CRLF line ends)' : ''
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  const from = Math.max(1, Math.min(at, lines.length) - LINES_AROUND)
  const to = Math.min(lines.length, at + LINES_AROUND)
  const shown = lines.slice(from - 1, to).map((line) => line.replace(/\r$/, '').slice(0, LINE_LENGTH_MAX))
  return `${what}${crlf}; its lines ${from} to ${to} of ${lines.length} are:\n${shown.join('\n')}\n`
}
