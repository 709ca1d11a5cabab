// Writes the output of a played agent, synchronously and in order, so that nothing from before a crash is lost.
import { writeSync } from 'node:fs'
import { errnoOf } from '../../system/errno.ts'
import type { AgentEvent, Failure } from '../agent.ts'
import { recordLine } from '../shared/records.ts'

export interface Voice {
  readonly event: (event: AgentEvent) => void
  readonly finalMessage: (text: string) => void
  readonly failure: (failure: Failure) => void
  /** Past all forms: floods, torn records, bad bytes. */
  readonly raw: (bytes: Uint8Array) => void
}

export function recordVoice(): Voice {
  const record = (line: string): void => print(Buffer.from(line))
  return {
    event: (event) => record(recordLine(event)),
    finalMessage: (finalMessage) => record(recordLine({ type: 'result', finalMessage })),
    failure: (failure) => record(recordLine({ type: 'result', failure })),
    raw: print,
  }
}

const STDOUT = 1

/** Where nobody reads any more there is nothing left to say. */
export function print(bytes: Uint8Array): void {
  for (let rest = bytes; rest.length > 0;) {
    try {
      rest = rest.subarray(writeSync(STDOUT, rest))
    } catch (error) {
      if (errnoOf(error) !== 'EAGAIN') process.exit(1)
    }
  }
}
