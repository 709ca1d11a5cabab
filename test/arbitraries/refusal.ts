import { type ErrorCode, RalphError } from '../../src/core/error/error.ts'

/** What a call is refused with; null where it is not. Any other error goes through. */
export function refused(call: () => unknown): readonly [code: ErrorCode, message: string] | null {
  try {
    call()
    return null
  } catch (error) {
    if (error instanceof RalphError) return [error.code, error.message]
    throw error
  }
}
