// Pages of a session's transcript.
import type { FileHandle } from 'node:fs/promises'
import type { TranscriptPage } from '../contract/lists.ts'
import { openSessionFile, type TranscriptSource } from './transcript-file.ts'

/** Bytes read for one page; a longer line is left out. */
const PAGE_BYTES = 1024 * 1024

/** From a byte on. An incomplete line is left for the next page. */
export async function readTranscript(
  servedRepo: TranscriptSource,
  name: string,
  after: number,
  limit: number,
): Promise<TranscriptPage> {
  const file = await openSessionFile(servedRepo, name)
  if (file === null) return { events: [], next: null }
  try {
    return await pageOf(file, after, limit)
  } finally {
    await file.close()
  }
}

async function pageOf(file: FileHandle, after: number, limit: number): Promise<TranscriptPage> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(PAGE_BYTES), 0, PAGE_BYTES, after)
  const { size } = await file.stat()
  const events: TranscriptPage['events'] = []
  let at = 0
  for (let end = buffer.indexOf(0x0a); end !== -1 && end < bytesRead && events.length < limit;) {
    const event = parseLine(buffer.toString('utf8', at, end))
    if (event !== null) events.push(event)
    at = end + 1
    end = buffer.indexOf(0x0a, at)
  }
  if (at === 0 && bytesRead === PAGE_BYTES) at = (await lineEnd(file, after + PAGE_BYTES)) - after
  return { events, next: after + at < size && at > 0 ? after + at : null }
}

/** The end of a line that began on an earlier page. */
async function lineEnd(file: FileHandle, from: number): Promise<number> {
  for (let at = from; ;) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(PAGE_BYTES), 0, PAGE_BYTES, at)
    const end = buffer.subarray(0, bytesRead).indexOf(0x0a)
    if (end !== -1 || bytesRead === 0) return at + end + 1
    at += bytesRead
  }
}

function parseLine(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}
