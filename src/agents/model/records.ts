// Reads the output of a session's program. An empty line only shows that it is alive. A line that is not a record
// comes from Node itself.
import { writeSync } from 'node:fs'
import type { Reader } from '../agent.ts'
import { type ProgramRecord, recordReader } from '../shared/records.ts'

export const ALIVE = '\n'

const STDOUT = 1

/** Writes at once and in order; stops where the reader is gone. */
export function print(text: string): void {
  for (let rest = Buffer.from(text); rest.length > 0;) {
    try {
      rest = rest.subarray(writeSync(STDOUT, rest))
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) process.exit(1)
    }
  }
}

export const modelReader = (): Reader => recordReader(parseJson, 'log')

/** Our own program writes the records, so a look at their beginning is enough. */
function parseJson(text: string): ProgramRecord | null {
  if (!text.startsWith('{"type":"')) return null
  try {
    return JSON.parse(text) as ProgramRecord
  } catch {
    return null
  }
}
