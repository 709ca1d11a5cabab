// The transcript of a session, as JSON lines in a file: `{"at":"2026-11-15T04:11:00.000Z","type":"text",…}`.
//
// Each line is written before the next event is read, so a killed engine loses none, and an agent that prints faster than
// the disk writes has to wait. A session that starts again continues in the same file.
import { closeSync, fstatSync, fsync, mkdirSync, openSync, readSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { refuse } from '../core/error/error.ts'
import { errnoOf } from '../system/errno.ts'
import type { AgentEvent } from './agent.ts'
import { transcriptPath } from './transcript-path.ts'

/** Bytes per file, with all sessions in it. */
export const TRANSCRIPT_BYTES_MAX = 64 * 1024 * 1024
/** Bytes kept free for the line that says so. */
const NOTE_BYTES = 256

export interface Transcripts {
  readonly open: (name: string) => Transcript
}

export interface Transcript {
  readonly path: string
  /** Never throws: what cannot be written (no space) is left out, with all that follows. */
  readonly write: (event: AgentEvent) => void
  /** When it is on the disk. */
  readonly close: () => Promise<void>
}

export function openTranscripts(folder: string, now: () => number): Transcripts {
  return {
    open: (name) => {
      const path = transcriptPath(folder, name)
      try {
        return startTranscript(path, now)
      } catch (error) {
        throw refuse('FILE_UNWRITABLE', { path, reason: errnoOf(error) }, error)
      }
    },
  }
}

function startTranscript(path: string, now: () => number): Transcript {
  // Agents print secrets: only their user may read this.
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const file = openSync(path, 'a+', 0o600)
  let size = fstatSync(file).size
  let isOpen = true
  let isFull = size > TRANSCRIPT_BYTES_MAX - NOTE_BYTES
  const append = (text: string): void => {
    try {
      size += writeAll(file, Buffer.from(text))
    } catch {
      isFull = true
    }
  }
  if (isTorn(file, size)) append('\n')
  return {
    path,
    write: (event) => {
      if (isFull || !isOpen) return
      const text = line(event, now())
      if (size + Buffer.byteLength(text) <= TRANSCRIPT_BYTES_MAX - NOTE_BYTES) return append(text)
      append(line({ type: 'log', text: 'The transcript ends here: it has reached its limit of 64 MiB.' }, now()))
      isFull = true
    },
    close: async () => {
      if (!isOpen) return
      isOpen = false
      // Not worth a failed session: the lines are with the system.
      await promisify(fsync)(file).catch(() => {})
      closeSync(file)
    },
  }
}

function line(event: AgentEvent, at: number): string {
  return `${JSON.stringify({ at: new Date(at).toISOString(), ...event })}\n`
}

function writeAll(file: number, bytes: Uint8Array): number {
  for (let rest = bytes; rest.length > 0;) rest = rest.subarray(writeSync(file, rest))
  return bytes.length
}

/** The last line has no end: whoever wrote it was stopped in the middle. */
function isTorn(file: number, size: number): boolean {
  const last = Buffer.alloc(1)
  return size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a
}
