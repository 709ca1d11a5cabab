// Agents call the task commands many times in a session, and string-width takes longer to load than a command to run: only
// a table that is not plain ASCII loads it.
import { alignColumns, withHead } from '../align-columns.ts'

export async function taskTable(head: readonly string[], rows: readonly (readonly string[])[]): Promise<string> {
  const isAscii = rows.every((row) => row.every((cell) => /^[ -~]*$/.test(cell)))
  if (!isAscii) return (await import('../table.ts')).table(head, rows)
  return alignColumns(withHead(head, rows), (text) => text.length)
}
