// Reads the output of the player. A scenario may print anything, so a line that is not a record is shown as it is.
import { type Failure, FAILURE_KINDS, type Reader, type Usage } from '../agent.ts'
import { type ProgramRecord, recordReader } from '../shared/records.ts'

export const playerReader = (): Reader => recordReader(parseJson, 'text')

/** Null: no record of ours. */
function parseJson(text: string): ProgramRecord | null {
  // Most lines of a flood end here.
  if (!text.startsWith('{"type":"')) return null
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value as UnknownFields) ? (value as ProgramRecord) : null
  } catch {
    return null
  }
}

interface UnknownFields {
  readonly [name: string]: unknown
}

function isRecord(value: UnknownFields): boolean {
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
