// The protocol between our own programs and their adapters: one JSON object per line.
import { type AgentEvent, NOTHING_USED, type Reader, type Result, type Usage } from '../agent.ts'

export type ProgramRecord = AgentEvent | ({ readonly type: 'result' } & Result)

export function recordLine(record: ProgramRecord): string {
  return `${JSON.stringify(record)}\n`
}

/** `parse`: null where a line is no record; then it is shown as `others`. */
export function recordReader(parse: (text: string) => ProgramRecord | null, others: 'text' | 'log'): Reader {
  let used: Usage = NOTHING_USED
  let result: Result | null = null
  return {
    usage: () => used,
    result: () => result,
    line: (text) => {
      const record = parse(text)
      if (record === null) return text === '' ? [] : [{ type: others, text }]
      if (record.type === 'result') {
        result ??= record
        return []
      }
      if (record.type === 'usage') used = record.usage
      return [record]
    },
  }
}
