// Apart from files.ts, whose modules would load with every task command.
import { readdirSync } from 'node:fs'

/** None also where the folder cannot be read. */
export function readableNames(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}
