// Tree objects of git: lines of mode, name and id, in git's own order. Names are Latin-1 text, one character per byte.
import { type ObjectFormat, type Objects, type Writing, startObject } from './objects.ts'

export interface TreeLine {
  /** Octal and without a leading zero, as in the object: 100644, 100755, 120000, 40000, 160000. */
  readonly mode: string
  readonly id: string
}

export type TreeLines = ReadonlyMap<string, TreeLine>

export function startTree(objects: Objects, lines: TreeLines): Writing {
  const sorted = [...lines].sort(([one, { mode }], [other, { mode: otherMode }]) =>
    sortName(one, mode) < sortName(other, otherMode) ? -1 : 1,
  )
  const parts = sorted.map(([name, { mode, id }]) =>
    Buffer.concat([Buffer.from(`${mode} ${name}\0`, 'latin1'), Buffer.from(id, 'hex')]),
  )
  return startObject(objects, 'tree', Buffer.concat(parts))
}

/** Git sorts a folder as if its name ended in `/`. */
function sortName(name: string, mode: string): string {
  return mode === '40000' ? `${name}/` : name
}

export function readTreeLines(bytes: Buffer, format: ObjectFormat): Map<string, TreeLine> {
  const idBytes = format === 'sha1' ? 20 : 32
  const lines = new Map<string, TreeLine>()
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(0, at)
    const [mode = '', name = ''] = bytes.subarray(at, end).toString('latin1').split(/ (.*)/s)
    lines.set(name, { mode, id: bytes.subarray(end + 1, end + 1 + idBytes).toString('hex') })
    at = end + 1 + idBytes
  }
  return lines
}
