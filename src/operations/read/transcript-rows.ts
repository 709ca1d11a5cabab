// A transcript for scrolling: an outline of its rows, any range of them, and a search. The file may have 64 MiB, but a
// reader never gets more than it draws.
import type { FileHandle } from 'node:fs/promises'
import { cutToLength } from '../../core/values/text-bounds.ts'
import type { TranscriptFound, TranscriptOutline, TranscriptRow } from '../contract/task-detail.ts'
import { openSessionFile, type TranscriptSource } from './transcript-file.ts'

const CHUNK_BYTES = 1024 * 1024
const ROWS_PER_MARK = 100
const FOUND_MAX = 1_000
/** Events are cut far below this when they are written. */
const LINE_BYTES_MAX = 1024 * 1024

/** Continues from the reader's outline, so that it costs only what has come since. */
export async function outlineTranscript(
  servedRepo: TranscriptSource,
  name: string,
  known: { readonly from: number; readonly rows: number },
): Promise<TranscriptOutline> {
  const before = { rows: known.rows, bytes: known.from, marks: [] }
  return inTranscript(servedRepo, name, before, async (file) => {
    const marks: number[] = []
    let { rows, bytes }: { rows: number; bytes: number } = before
    for await (const { byte, end } of linesOf(file, bytes)) {
      if (rows % ROWS_PER_MARK === 0) marks.push(byte)
      ;[rows, bytes] = [rows + 1, end]
    }
    return { rows, bytes, marks }
  })
}

/** From the row that begins at `from`; each with the first `length` characters of its text. */
export async function readRows(
  servedRepo: TranscriptSource,
  name: string,
  { from, limit, length }: { readonly from: number; readonly limit: number; readonly length: number },
): Promise<TranscriptRow[]> {
  return inTranscript(servedRepo, name, [], async (file) => {
    const rows: TranscriptRow[] = []
    for await (const { byte, text } of linesOf(file, from)) {
      rows.push(rowOf(byte, text(), length))
      if (rows.length === limit) break
    }
    return rows
  })
}

/** Rows that contain the text, ignoring case. */
export async function searchTranscript(
  servedRepo: TranscriptSource,
  name: string,
  wanted: string,
): Promise<TranscriptFound> {
  const needle = wanted.toLowerCase()
  // As written in the file, to skip most lines without parsing them.
  const written = JSON.stringify(needle).slice(1, -1)
  return inTranscript(servedRepo, name, { rows: [], isWhole: true }, async (file) => {
    const rows: number[] = []
    let number = 0
    for await (const { text } of linesOf(file, 0)) {
      const line = text()
      if (line.toLowerCase().includes(written) && holds(rowOf(0, line, Infinity), needle)) rows.push(number)
      if (rows.length > FOUND_MAX) return { rows: rows.slice(0, FOUND_MAX), isWhole: false }
      number += 1
    }
    return { rows, isWhole: true }
  })
}

function holds({ text, tool }: TranscriptRow, needle: string): boolean {
  return text.toLowerCase().includes(needle) || (tool ?? '').toLowerCase().includes(needle)
}

/** `none`: the answer for a session that has just begun. */
async function inTranscript<T>(
  servedRepo: TranscriptSource,
  name: string,
  none: T,
  work: (file: FileHandle) => Promise<T>,
): Promise<T> {
  const file = await openSessionFile(servedRepo, name)
  if (file === null) return none
  try {
    return await work(file)
  } finally {
    await file.close()
  }
}

interface Line {
  readonly byte: number
  readonly end: number
  readonly text: () => string
}

/** Whole lines only: the last one may still be incomplete. */
async function* linesOf(file: FileHandle, from: number): AsyncGenerator<Line> {
  let rest = Buffer.alloc(0)
  for (let at = from; ;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, at)
    if (bytesRead === 0) return
    const chunk =
      rest.length === 0 ? buffer.subarray(0, bytesRead) : Buffer.concat([rest, buffer.subarray(0, bytesRead)])
    const first = at - rest.length
    let start = 0
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, start)) {
      const [begin, until] = [start, end]
      yield { byte: first + begin, end: first + end + 1, text: () => chunk.toString('utf8', begin, until) }
      start = end + 1
    }
    rest = chunk.subarray(start)
    at += bytesRead
  }
}

const TYPES = ['text', 'thinking', 'log', 'toolUse', 'toolResult', 'usage'] as const

function rowOf(byte: number, line: string, length: number): TranscriptRow {
  const event = parseLine(line)
  const type = TYPES.find((name) => name === event['type']) ?? 'unknown'
  const content = [event['text'], event['input'], event['output']].find((one) => typeof one === 'string')
  const text = content ?? (event['usage'] === undefined ? line : JSON.stringify(event['usage']))
  return {
    at: typeof event['at'] === 'string' ? event['at'] : null,
    type,
    tool: typeof event['tool'] === 'string' ? event['tool'] : null,
    isError: event['isError'] === true,
    text: cutToLength(text, length),
    length: text.length,
    byte,
  }
}

function parseLine(line: string): Record<string, unknown> {
  if (line.length > LINE_BYTES_MAX) return {}
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
