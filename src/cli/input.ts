// Reads stdin to its end.
import { readSync } from 'node:fs'
import { refuse } from '../core/error/error.ts'
import { printError } from './output.ts'

const MIB = 1024 * 1024
const INPUT_MAX_BYTES = 64 * MIB
const CHUNK_BYTES = 64 * 1024

/** `what` is its name in messages: `the plan on stdin`. */
export async function readInput(what: string): Promise<string> {
  const { isatty } = await import('node:tty')
  if (isatty(0)) printError(`Reading ${what}; end it with Ctrl+D.\n`)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat([...chunks()]))
  } catch (error) {
    throw refuse('FILE_UNREADABLE', { path: what, reason: reasonOf(error) }, error)
  }
}

function* chunks(): Generator<Buffer> {
  for (let total = 0; ;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
    const length = readPatiently(chunk)
    if (length === 0) return
    total += length
    if (total > INPUT_MAX_BYTES) throw new Error(`it is larger than ${INPUT_MAX_BYTES / MIB} MiB`)
    yield chunk.subarray(0, length)
  }
}

/** An empty pipe answers EAGAIN when its other end made it non-blocking. */
function readPatiently(chunk: Buffer): number {
  for (;;) {
    try {
      return readSync(0, chunk)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof TypeError) return 'it is not valid UTF-8'
  return error instanceof Error ? error.message : String(error)
}
