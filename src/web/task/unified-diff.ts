// A unified diff as the page draws it: files, and their lines with both numbers.
import { scanDiff } from '../../core/patch/diff-scan.ts'

export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed' | 'gap'
  readonly before: number | null
  readonly after: number | null
  readonly text: string
}

export interface DiffFile {
  readonly path: string
  readonly added: number
  readonly removed: number
  /** What git says instead of lines: renamed, binary, a new mode. */
  readonly notes: readonly string[]
  readonly lines: readonly DiffLine[]
}

const ofNote = /^(new file|deleted file|old mode|new mode|rename (?:from|to)|copy (?:from|to)|Binary files|similarity)/

interface OpenFile {
  path: string
  added: number
  removed: number
  notes: string[]
  lines: DiffLine[]
}

export function readDiff(diff: string): DiffFile[] {
  const files: OpenFile[] = []
  let file: OpenFile = openFile('')
  let before = 0
  scanDiff(diff, {
    file: (path) => {
      file = openFile(path)
      files.push(file)
    },
    path: (path) => {
      file.path = path
    },
    note: (text) => {
      if (ofNote.test(text)) file.notes.push(text)
    },
    hunk: ({ oldLine, heading }) => {
      before = oldLine
      file.lines.push({ kind: 'gap', before: null, after: null, text: heading })
    },
    line: (kind, text, number) => {
      if (kind === 'same') file.lines.push({ kind, before: before++, after: number, text })
      if (kind === 'added') {
        file.added += 1
        file.lines.push({ kind, before: null, after: number, text })
      }
      if (kind === 'removed') {
        file.removed += 1
        file.lines.push({ kind, before: number, after: null, text })
        before = number + 1
      }
    },
  })
  return files
}

function openFile(path: string): OpenFile {
  return { path, added: 0, removed: 0, notes: [], lines: [] }
}
