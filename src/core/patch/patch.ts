// Reads a unified diff: the files that it touches, and the lines in them, by number.
//
//   diff --git a/x b/y ── rename, mode, binary … ── @@ -1,2 +1,3 @@ ── lines
//
// Lines without an unchanged one between them form a block: the removed lines, and the lines that replace them.

export interface PatchLine {
  /** A removed line counts in the old file, an added one in the new. */
  readonly number: number
  readonly text: string
}

export interface Block {
  readonly removed: readonly PatchLine[]
  readonly added: readonly PatchLine[]
  /** The line in the new file, also where nothing was added. */
  readonly at: number
}

export interface PatchedFile {
  readonly path: string
  /** Git shows no lines of it: it contains a null byte, or an attribute calls it binary. */
  readonly isBinary: boolean
  readonly blocks: readonly Block[]
}

/** Files without a line of text, such as renamed, empty or binary ones, have no blocks. */
export function readPatch(diff: string): PatchedFile[] {
  const reader = startReading()
  for (let start = 0; start < diff.length;) {
    const end = diff.indexOf('\n', start)
    reader.line(end === -1 ? diff.slice(start) : diff.slice(start, end))
    start = end === -1 ? diff.length : end + 1
  }
  return reader.files()
}

interface OpenBlock {
  removed: PatchLine[]
  added: PatchLine[]
  at: number
}

interface OpenFile {
  path: string
  isBinary: boolean
  blocks: OpenBlock[]
}

/** The lines that the hunk still announces, and the number of the next line. */
interface Hunk {
  oldLine: number
  newLine: number
  oldLeft: number
  newLeft: number
  block: OpenBlock | null
}

const ofHunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/

function startReading(): { line(text: string): void; files(): PatchedFile[] } {
  const files: OpenFile[] = []
  let file: OpenFile | null = null
  let hunk: Hunk | null = null
  return {
    line: (text) => {
      if (file !== null && hunk !== null && hunk.oldLeft + hunk.newLeft > 0) return takeLine(file, hunk, text)
      hunk = null
      if (text.startsWith('diff --git ')) {
        file = { path: pathOfHeader(text), isBinary: false, blocks: [] }
        files.push(file)
        return
      }
      if (file === null) return
      const [, oldLine, oldCount = '1', newLine, newCount = '1'] = ofHunk.exec(text) ?? []
      if (newLine !== undefined)
        hunk = {
          oldLine: Number(oldLine),
          newLine: Number(newLine),
          oldLeft: Number(oldCount),
          newLeft: Number(newCount),
          block: null,
        }
      else if (/^(?:Binary files |GIT binary patch$)/.test(text)) file.isBinary = true
      else file.path = pathInLine(text) ?? file.path
    },
    files: () => files,
  }
}

function takeLine(file: OpenFile, hunk: Hunk, text: string): void {
  const sign = text[0]
  if (sign === '\\') return
  if (sign === '-' || sign === '+') {
    if (hunk.block === null) {
      hunk.block = { removed: [], added: [], at: hunk.newLine }
      file.blocks.push(hunk.block)
    }
    if (sign === '-') {
      hunk.block.removed.push({ number: hunk.oldLine, text: text.slice(1) })
      hunk.oldLine += 1
      hunk.oldLeft -= 1
    } else {
      hunk.block.added.push({ number: hunk.newLine, text: text.slice(1) })
      hunk.newLine += 1
      hunk.newLeft -= 1
    }
    return
  }
  hunk.block = null
  hunk.oldLine += 1
  hunk.newLine += 1
  hunk.oldLeft -= 1
  hunk.newLeft -= 1
}

/** The new path, or the old one for a deleted file; null where the line names none. */
function pathInLine(text: string): string | null {
  const [, label, rest] = /^(---|\+\+\+|rename to|copy to) (.+)$/.exec(text) ?? []
  if (rest === undefined || rest === '/dev/null') return null
  const path = unquotedName(rest.replace(/\t$/, ''))
  return label === '---' || label === '+++' ? path.replace(/^[ab]\//, '') : path
}

/** `diff --git a/x b/x`: reliable where both are the same, which is where no other line names the file. */
function pathOfHeader(text: string): string {
  const rest = text.slice('diff --git '.length)
  const quoted = /^"(?:[^"\\]|\\.)*" ("(?:[^"\\]|\\.)*")$/.exec(rest)?.[1]
  if (quoted !== undefined) return unquotedName(quoted).replace(/^b\//, '')
  return rest.slice(Math.floor(rest.length / 2) + 1).replace(/^b\//, '')
}

const escapes: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 }

/** Git quotes names with special characters like C does, byte by byte. */
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
