// The result of a finished task, as an agent writes it.
import { refuse } from '../error/error.ts'
import type { TaskResult } from './task.ts'

export function taskResult(json: string): TaskResult {
  const value = parseResult(json)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refuse('RESULT_BAD')
  if (!('commit' in value)) throw refuse('RESULT_WITHOUT_COMMIT')
  return value as TaskResult
}

function parseResult(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw refuse('RESULT_BAD')
  }
}
