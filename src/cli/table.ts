// Tables for a terminal. The task commands have their own (task/task-table.ts).
import width from 'string-width'
import { alignColumns, withHead } from './align-columns.ts'

/** The columns that a text takes on a terminal. */
export { width }

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return alignColumns(withHead(head, rows), width)
}

/** A table without a head. */
export function columns(lines: readonly (readonly string[])[]): string {
  return alignColumns(lines, width)
}
