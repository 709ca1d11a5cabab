// Tree objects of git: lines of mode, name and id, in git's own order. Names are Latin-1 text, one character per byte.
import { type ObjectFormat, type Objects, type Writing, startObject } from './objects.ts'

export interface TreeLine {
  /** Octal and without a leading zero, as in the object: 100644, 100755, 120000, 40000, 160000. */
  readonly mode: string
  readonly id: string
}

export type TreeLines = ReadonlyMap<string, TreeLine>

export function startTree(objects: Objects, lines: TreeLines): Writing {
  return startObject(objects, 'tree', treeBytes(lines))
}

export function treeBytes(lines: TreeLines): Buffer {
  const sorted = [...lines].sort(([one, { mode }], [other, { mode: otherMode }]) =>
    sortName(one, mode) < sortName(other, otherMode) ? -1 : 1,
  )
  return Buffer.concat(sorted.flatMap(([name, line]) => lineBytes(name, line)))
}

function lineBytes(name: string, { mode, id }: TreeLine): Buffer[] {
  return [Buffer.from(`${mode} ${name}\0`, 'latin1'), Buffer.from(id, 'hex')]
}

/** Git sorts a folder as if its name ended in `/`. */
function sortName(name: string, mode: string): string {
  return mode === '40000' ? `${name}/` : name
}

/**
 * A whole tree as Latin-1 text, one character per byte. Text, because a small Buffer keeps the 64 kB block that it is a
 * part of.
 */
export type TreeText = string

/** Adds the line to the tree, or replaces the line of that name; a file stays a file, a folder a folder. */
export function treeWith(tree: TreeText, format: ObjectFormat, name: string, line: TreeLine): TreeText {
  const { start, end } = placeIn(tree, format, name, line.mode)
  return tree.slice(0, start) + Buffer.concat(lineBytes(name, line)).toString('latin1') + tree.slice(end)
}

export function hasFolder(tree: TreeText, format: ObjectFormat, name: string): boolean {
  const { start, end } = placeIn(tree, format, name, '40000')
  return start < end
}

/** The position of the line with this name; empty where the line would go. */
function placeIn(tree: TreeText, format: ObjectFormat, name: string, mode: string): { start: number; end: number } {
  const idBytes = format === 'sha1' ? 20 : 32
  const wanted = sortName(name, mode)
  for (let start = 0; start < tree.length;) {
    const space = tree.indexOf(' ', start)
    const nameEnd = tree.indexOf('\0', space)
    const its = sortName(tree.slice(space + 1, nameEnd), tree.slice(start, space))
    const end = nameEnd + 1 + idBytes
    if (its >= wanted) return { start, end: its === wanted ? end : start }
    start = end
  }
  return { start: tree.length, end: tree.length }
}
