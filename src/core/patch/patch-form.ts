// Whether a text is a unified diff at all, and how it writes paths. Its error messages let the author fix the diff: git
// itself only reports a line number and "corrupt patch".
import { type Answer, bad } from '../values/json-answer.ts'
import { type HunkHeader, readHunkHeader, unquotedName } from './diff-scan.ts'
import { pathProblem } from './patch-paths.ts'

export interface DiffForm {
  /** 1: paths start with `a/` and `b/`; 0: they do not. */
  readonly strip: 0 | 1
}

const INSTEAD = 'or answer with whole files instead: {"files": [{"path", "content"}]}'
const named = /^(?:---|\+\+\+|(?:rename|copy) (?:from|to)) (.+)$/

export function readForm(diff: string): Answer<DiffForm> {
  if (diff.includes('\0')) return bad('the diff holds NUL characters; a patch may hold text only')
  const lines = diff.split('\n')
  if (lines.at(-1) === '') lines.pop()
  const names: string[] = []
  let files = 0
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? ''
    const hunk = readHunkHeader(line)
    if (hunk !== null) {
      if (files === 0) return bad(`the hunk in line ${at + 1} of the diff has no --- and +++ lines before it; add them`)
      const end = hunkEnd(lines, at, hunk)
      if (!end.ok) return end
      at = end.value
      continue
    }
    const problem = lineProblem(line, at + 1)
    if (problem !== null) return bad(problem)
    if (/^(?:diff --git |\+\+\+ )/.test(line)) files += 1
    const name = nameIn(line)
    if (name !== null) names.push(name)
    at += 1
  }
  if (files === 0) return bad(`there is no unified diff in it: --- and +++ lines are missing; add them, ${INSTEAD}`)
  return stripOf(names)
}

/** The line after the hunk; its numbers have to be those of its lines. */
function hunkEnd(lines: readonly string[], head: number, { oldCount, newCount }: HunkHeader): Answer<number> {
  let [oldLines, newLines, at] = [0, 0, head + 1]
  for (; at < lines.length; at += 1) {
    const sign = lines[at]?.charAt(0) ?? ''
    if (sign === '\\') continue
    const isOver = oldLines >= oldCount && newLines >= newCount
    const isPart = sign === '+' || sign === '-' || sign === ' ' || sign === '' || lines[at] === '\r'
    if (!isPart || (isOver && isHeader(lines, at))) break
    // Git's signature below a patch, and blank lines there, belong to no hunk.
    if (isOver && (lines[at] === '-- ' || lines.slice(at).every((line) => line.trim() === ''))) break
    if (sign !== '+') oldLines += 1
    if (sign !== '-') newLines += 1
  }
  if (oldLines === oldCount && newLines === newCount) return { ok: true, value: at }
  return bad(
    `the hunk in line ${head + 1} of the diff says ${oldCount} old and ${newCount} new lines, but has ${oldLines} and ${newLines}; correct its numbers, ${INSTEAD}`,
  )
}

/** `--- a/x` may also be a removed line; followed by `+++ ` it is not. */
function isHeader(lines: readonly string[], at: number): boolean {
  return lines[at]?.startsWith('--- ') === true && lines[at + 1]?.startsWith('+++ ') === true
}

function lineProblem(line: string, number: number): string | null {
  if (/^(?:GIT binary patch|Binary files .* differ)\r?$/.test(line))
    return `line ${number} of the diff begins a binary change; a patch may hold text only`
  if (/^(?:\*\*\* |<<<<<<< )/.test(line))
    return `line ${number} of the diff (${JSON.stringify(line.slice(0, 40))}) is of another format; write a unified diff, ${INSTEAD}`
  if (line.startsWith('@@')) return `line ${number} of the diff is no hunk header; write it as @@ -1,3 +1,4 @@`
  if (/^(?:---|\+\+\+|diff --git) .*\r$/.test(line))
    return 'the lines of the diff itself end with CRLF; write it with LF'
  return null
}

function nameIn(line: string): string | null {
  const name = named.exec(line)?.[1]?.replace(/\t.*$/, '')
  return name === undefined || name === '/dev/null' ? null : unquotedName(name)
}

function stripOf(names: readonly string[]): Answer<DiffForm> {
  const prefixed = names.filter((name) => /^[ab]\//.test(name))
  // The paths of renames and copies never have the prefix.
  const strip = prefixed.length > 0 || names.length === 0 ? 1 : 0
  const problem = names.map((name) => pathProblem(strip === 1 ? name.replace(/^[ab]\//, '') : name)).find(Boolean)
  return problem === undefined ? { ok: true, value: { strip } } : bad(problem ?? '')
}
