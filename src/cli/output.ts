// Results go to stdout, everything else to stderr. Written synchronously: loading Node's streams for one line would cost
// a short command more than its work.
import { writeSync } from 'node:fs'
import { refuse } from '../core/error/error.ts'

export function print(text: string): void {
  const failure = writeAll(1, text)
  if (failure === null || isCode(failure, 'EPIPE')) return
  const reason = failure instanceof Error ? failure.message : String(failure)
  throw refuse('FILE_UNWRITABLE', { path: 'the answer to stdout', reason }, failure)
}

/** If even this fails, only the exit code reports the error. */
export function printError(text: string): void {
  writeAll(2, text)
}

export function printJson(value: unknown): void {
  print(`${JSON.stringify(value)}\n`)
}

/** Returns the error; EPIPE means that the reader is gone, as with `| head`. */
function writeAll(fd: 1 | 2, text: string): unknown {
  let bytes = Buffer.from(text)
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(fd, bytes))
    } catch (error) {
      if (!isCode(error, 'EAGAIN')) return error
      waitAMillisecond()
    }
  }
  return null
}

/** A full pipe answers EAGAIN when its other end made it non-blocking. */
function waitAMillisecond(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
