// How the player talks to its adapter: one JSON object per line. A line that is none is shown as it is.
import {
  type AgentEvent,
  type Failure,
  FAILURE_KINDS,
  NOTHING_USED,
  type Reader,
  type Result,
  type Usage,
} from '../agent.ts'

export type PlayerRecord = AgentEvent | ({ readonly type: 'result' } & Result)

export function recordLine(record: PlayerRecord): string {
  return `${JSON.stringify(record)}\n`
}

export function recordReader(): Reader {
  let used: Usage = NOTHING_USED
  let result: Result | null = null
  return {
    usage: () => used,
    result: () => result,
    line: (text) => {
      const record = parsed(text)
      if (record === null) return text === '' ? [] : [{ type: 'text', text }]
      if (record.type === 'result') {
        result ??= record
        return []
      }
      if (record.type === 'usage') used = record.usage
      return [record]
    },
  }
}

/** Null: no record of ours. */
function parsed(text: string): PlayerRecord | null {
  // Most lines of a flood end here.
  if (!text.startsWith('{"type":"')) return null
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value as Written) ? (value as PlayerRecord) : null
  } catch {
    return null
  }
}

interface Written {
  readonly [name: string]: unknown
}

function isRecord(value: Written): boolean {
  switch (value['type']) {
    case 'text':
    case 'thinking':
    case 'log':
      return isText(value['text'])
    case 'toolUse':
      return isText(value['tool']) && isText(value['input'])
    case 'toolResult':
      return isText(value['tool']) && isText(value['output']) && typeof value['isError'] === 'boolean'
    case 'usage':
      return isUsage(value['usage'])
    case 'result':
      return isText(value['finalMessage']) || isFailure(value['failure'])
    default:
      return false
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isUsage(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { inputTokens, outputTokens, costUsd } = value as Usage
  const isCost = costUsd === null || typeof costUsd === 'number'
  return typeof inputTokens === 'number' && typeof outputTokens === 'number' && isCost
}

function isFailure(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { kind, sentence, until } = value as Failure
  return FAILURE_KINDS.includes(kind) && isText(sentence) && (until === null || typeof until === 'number')
}
