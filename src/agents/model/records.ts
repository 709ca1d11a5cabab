// How the program of a session talks to its adapter: one JSON object per line. An empty line only says that it is alive.
import { writeSync } from 'node:fs'
import { type AgentEvent, NOTHING_USED, type Reader, type Result, type Usage } from '../agent.ts'

type ModelRecord = AgentEvent | ({ readonly type: 'result' } & Result)

export const ALIVE = '\n'

export function recordLine(record: ModelRecord): string {
  return `${JSON.stringify(record)}\n`
}

const STDOUT = 1

/** Written at once and in order; where nobody reads any more there is nothing left to say. */
export function print(text: string): void {
  for (let rest = Buffer.from(text); rest.length > 0;) {
    try {
      rest = rest.subarray(writeSync(STDOUT, rest))
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) process.exit(1)
    }
  }
}

export function recordReader(): Reader {
  let used: Usage = NOTHING_USED
  let result: Result | null = null
  return {
    usage: () => used,
    result: () => result,
    line: (text) => {
      const record = parsed(text)
      // What is no record of ours is a word of Node's own.
      if (record === null) return text === '' ? [] : [{ type: 'log', text }]
      if (record.type === 'result') {
        result ??= record
        return []
      }
      if (record.type === 'usage') used = record.usage
      return [record]
    },
  }
}

/** Who writes them is our own program: only what is no record at all is told from them. */
function parsed(text: string): ModelRecord | null {
  if (!text.startsWith('{"type":"')) return null
  try {
    return JSON.parse(text) as ModelRecord
  } catch {
    return null
  }
}
