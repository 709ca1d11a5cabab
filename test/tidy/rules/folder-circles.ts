// Of two sibling folders at most one imports the other, directly or through a third. The files directly in a folder
// compose its subfolders, so they may import all of them and be imported by all.
import { posix } from 'node:path'
import { importsOf } from '../imports.ts'
import { type SourceFile, type Violation, isProduct } from '../source.ts'

interface Arrow {
  readonly from: string
  readonly to: string
  /** The file that draws it. */
  readonly path: string
}

export function folderCircles(files: readonly SourceFile[]): Violation[] {
  const arrows = files.filter(isProduct).flatMap(arrowsOf)
  const targets = Map.groupBy(arrows, ({ from }) => from)
  const reaches = (from: string, to: string): boolean => {
    const seen = new Set([from])
    for (const folder of seen) for (const arrow of targets.get(folder) ?? []) seen.add(arrow.to)
    return seen.has(to)
  }
  return arrows
    .filter(({ from, to }) => reaches(to, from))
    .map(({ from, to, path }) => ({
      path,
      line: 1,
      sentence: `${from} and ${to} know each other; move what both need into a folder below them`,
    }))
}

function arrowsOf(file: SourceFile): Arrow[] {
  const found = importsOf(file).flatMap(({ specifier }) => {
    if (specifier === null || !specifier.startsWith('.')) return []
    const arrow = siblings(file.path, posix.join(posix.dirname(file.path), specifier))
    return arrow === null ? [] : [{ ...arrow, path: file.path }]
  })
  return [...new Map(found.map((arrow) => [arrow.to, arrow])).values()]
}

/** The two folders, side by side, in which one file of a room sees another. */
function siblings(path: string, target: string): Omit<Arrow, 'path'> | null {
  const [one, other] = [posix.dirname(path).split('/'), posix.dirname(target).split('/')]
  const split = one.findIndex((folder, depth) => folder !== other[depth])
  if (split === -1 || other[split] === undefined) return null
  return { from: one.slice(0, split + 1).join('/'), to: other.slice(0, split + 1).join('/') }
}
