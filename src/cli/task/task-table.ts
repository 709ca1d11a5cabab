// Agents call the task commands many times in a session, and string-width takes longer to load than a command to run: only
// a table that is not plain ASCII loads it.
import { aligned, withHead } from '../aligned.ts'

export async function taskTable(head: readonly string[], rows: readonly (readonly string[])[]): Promise<string> {
  const isAscii = rows.every((row) => row.every((cell) => /^[ -~]*$/.test(cell)))
  if (!isAscii) return (await import('../table.ts')).table(head, rows)
  return aligned(withHead(head, rows), (text) => text.length)
}
