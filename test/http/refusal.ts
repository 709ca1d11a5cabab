import { expect } from 'vitest'
import { RequestRefused } from '../../src/index.ts'

/** What was refused, and why. */
export function refusal(asked: Promise<unknown>): Promise<RequestRefused> {
  return asked.then(
    () => expect.fail('it was not refused'),
    (error: unknown) => (error instanceof RequestRefused ? error : expect.fail(String(error))),
  )
}
