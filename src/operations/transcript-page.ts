// What an agent said and did, page by page, from the file that its session left.
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { refuse } from '../core/error.ts'
import type { BuildId } from '../core/id.ts'
import type { IterationRecord } from '../core/keepsake.ts'
import { type BuildDesk, buildNamed } from './builds.ts'
import type { TranscriptPage } from './contract/lists.ts'

/** Bytes that are read for one page; a longer line is left out. */
const PAGE_BYTES = 1024 * 1024

/** `b_1.login.2.1`: the id of a task may have dots too. */
export function iterationName(build: BuildId, { task, attempt, iteration }: IterationRecord): string {
  return `${build}.${task}.${attempt}.${iteration}`
}

export async function findIteration(desk: BuildDesk, name: string): Promise<IterationRecord> {
  const build = await buildNamed(desk, name.slice(0, Math.max(0, name.indexOf('.'))))
  const records = build === null ? [] : await desk.store.builds.keepsakes(build.id, 'iteration')
  const found = records.find((record) => build !== null && iterationName(build.id, record) === name)
  if (found === undefined) throw refuse('ITERATION_NOT_FOUND', { id: name })
  return found
}

/** From a byte on. A line that is not whole yet is left for the next page. */
export async function readTranscript(
  desk: BuildDesk,
  name: string,
  after: number,
  limit: number,
): Promise<TranscriptPage> {
  const { transcript } = await findIteration(desk, name)
  const file = await open(transcript, constants.O_RDONLY | constants.O_NOFOLLOW).catch((error: unknown) => {
    throw refuse('TRANSCRIPT_GONE', { id: name }, error)
  })
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
    const event = parsed(buffer.toString('utf8', at, end))
    if (event !== null) events.push(event)
    at = end + 1
    end = buffer.indexOf(0x0a, at)
  }
  if (at === 0 && bytesRead === PAGE_BYTES) at = (await lineEnd(file, after + PAGE_BYTES)) - after
  return { events, next: after + at < size && at > 0 ? after + at : null }
}

/** Where the line ends that began on an earlier page. */
async function lineEnd(file: FileHandle, from: number): Promise<number> {
  for (let at = from; ;) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(PAGE_BYTES), 0, PAGE_BYTES, at)
    const end = buffer.subarray(0, bytesRead).indexOf(0x0a)
    if (end !== -1 || bytesRead === 0) return at + end + 1
    at += bytesRead
  }
}

function parsed(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}
