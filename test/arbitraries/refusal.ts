import { type ErrorCode, RalphError } from '../../src/core/error/error.ts'

/** The refusal of a call, or null. Other errors are thrown. */
export function refused(call: () => unknown): readonly [code: ErrorCode, message: string] | null {
  try {
    call()
    return null
  } catch (error) {
    if (error instanceof RalphError) return [error.code, error.message]
    throw error
  }
}
