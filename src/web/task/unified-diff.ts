// A unified diff as it is drawn: files, and their lines with both numbers.

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
  /** What git prints instead of lines: renamed, binary, a new mode. */
  readonly notes: readonly string[]
  readonly lines: readonly DiffLine[]
}

const ofHunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)$/
const ofNote = /^(new file|deleted file|old mode|new mode|rename (?:from|to)|copy (?:from|to)|Binary files|similarity)/

interface Open {
  path: string
  added: number
  removed: number
  before: number
  after: number
  isInHunk: boolean
  notes: string[]
  lines: DiffLine[]
}

export function readDiff(diff: string): DiffFile[] {
  const files: Open[] = []
  let file: Open | null = null
  for (const line of diff.split('\n')) {
    if (line.startsWith('diff --git ')) {
      file = {
        path: pathIn(line),
        added: 0,
        removed: 0,
        before: 0,
        after: 0,
        isInHunk: false,
        notes: [],
        lines: [],
      }
      files.push(file)
    } else if (file !== null) takeLine(file, line)
  }
  return files
}

function takeLine(file: Open, line: string): void {
  const hunk = ofHunk.exec(line)
  if (hunk !== null) {
    file.isInHunk = true
    file.before = Number(hunk[1])
    file.after = Number(hunk[2])
    file.lines.push({ kind: 'gap', before: null, after: null, text: (hunk[3] ?? '').trim() })
  } else if (!file.isInHunk) {
    if (ofNote.test(line)) file.notes.push(line)
  } else if (line.startsWith('+')) {
    file.added += 1
    file.lines.push({ kind: 'added', before: null, after: file.after++, text: line.slice(1) })
  } else if (line.startsWith('-')) {
    file.removed += 1
    file.lines.push({ kind: 'removed', before: file.before++, after: null, text: line.slice(1) })
  } else if (line.startsWith(' ')) {
    file.lines.push({ kind: 'same', before: file.before++, after: file.after++, text: line.slice(1) })
  }
}

/** `diff --git a/x b/x`: both halves are the same but where the file was renamed. */
function pathIn(line: string): string {
  const names = line.slice('diff --git '.length)
  const half = names.slice((names.length + 1) / 2)
  const after =
    names.startsWith('a/') && names.slice(2, (names.length - 1) / 2) === half.slice(2)
      ? half
      : names.slice(names.lastIndexOf(' b/') + 1)
  return after.replace(/^"?b\//, '').replace(/"$/, '')
}
