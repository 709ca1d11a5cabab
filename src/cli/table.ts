/** Columns as wide as their widest cell, two spaces between them; an empty cell is a dash. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return columns([head, ...rows.map((row) => row.map((cell) => (cell === '' ? '-' : cell)))])
}

/** The same without a head. */
export function columns(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, column) =>
    lines.reduce((widest, line) => Math.max(widest, width(line[column] ?? '')), 0),
  )
  return lines
    .map((line) => `${line.map((cell, column) => padded(cell, widths[column] ?? 0)).join('  ')}`.trimEnd())
    .join('\n')
    .concat('\n')
}

function padded(cell: string, columns: number): string {
  return cell + ' '.repeat(columns - width(cell))
}

// Letters that a terminal draws two columns wide (East Asian, emoji), and marks that it draws onto the letter before.
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u
const unseen = /[\p{Mn}\p{Me}\p{Cf}]/u

/** The columns a text takes on a terminal, near enough. */
export function width(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length
  let columns = 0
  for (const letter of text) columns += unseen.test(letter) ? 0 : wide.test(letter) ? 2 : 1
  return columns
}
