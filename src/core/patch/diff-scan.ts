// Reads a unified diff line by line, as git writes it. What follows the hunk header is content for as many lines as the
// header counts, so a removed line `-- x` is not taken for the header `--- x`.
//
//   diff --git a/x b/y ── rename, mode, binary … ── @@ -1,2 +1,3 @@ ── lines

export interface DiffVisitor {
  /** A file begins. Its header is ambiguous where the file is renamed; `path` follows then. */
  readonly file: (path: string) => void
  readonly path: (path: string) => void
  /** A line between the header of a file and its first hunk that names no path to read or write. */
  readonly note: (text: string) => void
  readonly hunk: (header: HunkHeader) => void
  /** `number`: in the old file for a removed line, else in the new one. */
  readonly line: (kind: DiffLineKind, text: string, number: number) => void
}

export type DiffLineKind = 'same' | 'added' | 'removed'

export interface HunkHeader {
  readonly oldLine: number
  readonly oldCount: number
  readonly newLine: number
  readonly newCount: number
  /** The function or section that git names after the numbers. */
  readonly heading: string
}

const hunkHeader = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@([^]*)$/

export function readHunkHeader(text: string): HunkHeader | null {
  const [, oldLine, oldCount = '1', newLine, newCount = '1', heading = ''] = hunkHeader.exec(text) ?? []
  if (newLine === undefined) return null
  return {
    oldLine: Number(oldLine),
    oldCount: Number(oldCount),
    newLine: Number(newLine),
    newCount: Number(newCount),
    heading: heading.trim(),
  }
}

export function scanDiff(diff: string, visitor: DiffVisitor): void {
  const scan: Scan = { visitor, isInFile: false, hunk: null }
  for (let start = 0; start < diff.length;) {
    const end = diff.indexOf('\n', start)
    takeText(scan, end === -1 ? diff.slice(start) : diff.slice(start, end))
    start = end === -1 ? diff.length : end + 1
  }
}

interface Scan {
  readonly visitor: DiffVisitor
  isInFile: boolean
  hunk: OpenHunk | null
}

/** The numbers of the next lines, and how many lines are still to come. */
interface OpenHunk {
  oldLine: number
  newLine: number
  oldLeft: number
  newLeft: number
}

function takeText(scan: Scan, text: string): void {
  const { visitor, hunk } = scan
  if (hunk !== null && hunk.oldLeft + hunk.newLeft > 0) return takeContent(visitor, hunk, text)
  scan.hunk = null
  if (text.startsWith('diff --git ')) {
    scan.isInFile = true
    return visitor.file(pathOfHeader(text))
  }
  if (!scan.isInFile) return
  const header = readHunkHeader(text)
  if (header !== null) {
    const { oldLine, newLine, oldCount, newCount } = header
    scan.hunk = { oldLine, newLine, oldLeft: oldCount, newLeft: newCount }
    return visitor.hunk(header)
  }
  const path = pathInLine(text)
  if (path !== null) visitor.path(path)
  if (!/^(?:---|\+\+\+) /.test(text)) visitor.note(text)
}

function takeContent({ line }: DiffVisitor, hunk: OpenHunk, text: string): void {
  const sign = text[0]
  if (sign === '\\') return
  if (sign === '-') line('removed', text.slice(1), hunk.oldLine)
  else line(sign === '+' ? 'added' : 'same', text.slice(1), hunk.newLine)
  if (sign !== '+') {
    hunk.oldLine += 1
    hunk.oldLeft -= 1
  }
  if (sign !== '-') {
    hunk.newLine += 1
    hunk.newLeft -= 1
  }
}

/** The new path, or of a deleted file the old one; null where the line names none. */
function pathInLine(text: string): string | null {
  const [, label, rest] = /^(---|\+\+\+|rename to|copy to) (.+)$/.exec(text) ?? []
  if (rest === undefined || rest === '/dev/null') return null
  const path = unquotedName(rest.replace(/\t$/, ''))
  return label === '---' || label === '+++' ? path.replace(/^[ab]\//, '') : path
}

/** `diff --git a/x b/x`: good where both are the same, which is where no other line names the file. */
function pathOfHeader(text: string): string {
  const rest = text.slice('diff --git '.length)
  const quoted = /^"(?:[^"\\]|\\.)*" ("(?:[^"\\]|\\.)*")$/.exec(rest)?.[1]
  if (quoted !== undefined) return unquotedName(quoted).replace(/^b\//, '')
  return rest.slice(Math.floor(rest.length / 2) + 1).replace(/^b\//, '')
}

const escapes: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 }

/** Git quotes names with special characters as C does, byte by byte. */
export function unquotedName(text: string): string {
  if (!text.startsWith('"') || !text.endsWith('"')) return text
  const encoded = text
    .slice(1, -1)
    .replaceAll(/\\([0-7]{3}|.)|[^\\]/gsu, (all: string, escaped: string | undefined) => {
      if (escaped === undefined) return encodeURIComponent(all)
      const byte = escapes[escaped] ?? Number.parseInt(escaped, 8)
      return `%${byte.toString(16).padStart(2, '0')}`
    })
  try {
    return decodeURIComponent(encoded)
  } catch {
    return text.slice(1, -1)
  }
}
