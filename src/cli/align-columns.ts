export type Width = (text: string) => number

/** Columns as wide as their widest cell, two spaces between them. */
export function alignColumns(lines: readonly (readonly string[])[], width: Width): string {
  const widths = (lines[0] ?? []).map((_, column) =>
    lines.reduce((widest, line) => Math.max(widest, width(line[column] ?? '')), 0),
  )
  const pad = (cell: string, column: number): string =>
    cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - width(cell)))
  return lines.map((line) => `${line.map(pad).join('  ').trimEnd()}\n`).join('')
}

/** The lines of a table with a head. An empty cell is a dash. */
export function withHead(head: readonly string[], rows: readonly (readonly string[])[]): (readonly string[])[] {
  return [head, ...rows.map((row) => row.map((cell) => (cell === '' ? '-' : cell)))]
}
