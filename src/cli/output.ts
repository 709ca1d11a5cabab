// Results go to stdout, everything else to stderr. Written synchronously: loading Node's streams for one line would cost
// a short command more than its work.
import { writeSync } from 'node:fs'

export function print(text: string): void {
  writeAll(1, text)
}

export function printError(text: string): void {
  writeAll(2, text)
}

export function printJson(value: unknown): void {
  print(`${JSON.stringify(value)}\n`)
}

function writeAll(fd: 1 | 2, text: string): void {
  let bytes = Buffer.from(text)
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(fd, bytes))
    } catch (error) {
      if (!isCode(error, 'EAGAIN')) {
        // The reader went away, as with `| head`: nobody is left to tell.
        if (isCode(error, 'EPIPE')) process.exit(0)
        throw error
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    }
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
