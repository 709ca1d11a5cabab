// The files that a diff changes, and the lines that it takes away and adds, by number.
import { scanDiff } from './diff-scan.ts'

export interface PatchLine {
  /** In the old file for a removed line, in the new file for an added one. */
  readonly number: number
  readonly text: string
}

/** Changed lines without an unchanged line between them. */
export interface Block {
  readonly removed: readonly PatchLine[]
  readonly added: readonly PatchLine[]
  /** The line in the new file where the block stands, also where nothing was added. */
  readonly at: number
}

export interface PatchedFile {
  readonly path: string
  /** Git shows no lines of it: it contains a null byte, or an attribute calls it binary. */
  readonly isBinary: boolean
  readonly blocks: readonly Block[]
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

/** Files without a line of text, such as renamed, empty or binary ones, have no blocks. */
export function readPatch(diff: string): PatchedFile[] {
  const files: OpenFile[] = []
  let file: OpenFile = { path: '', isBinary: false, blocks: [] }
  let block: OpenBlock | null = null
  let newLine = 0
  scanDiff(diff, {
    file: (path) => {
      file = { path, isBinary: false, blocks: [] }
      files.push(file)
    },
    path: (path) => {
      file.path = path
    },
    note: (text) => {
      if (/^(?:Binary files |GIT binary patch$)/.test(text)) file.isBinary = true
    },
    hunk: (header) => {
      block = null
      newLine = header.newLine
    },
    line: (kind, text, number) => {
      if (kind !== 'removed') newLine = number + 1
      if (kind === 'same') {
        block = null
        return
      }
      if (block === null) {
        block = { removed: [], added: [], at: kind === 'added' ? number : newLine }
        file.blocks.push(block)
      }
      block[kind].push({ number, text })
    },
  })
  return files
}
