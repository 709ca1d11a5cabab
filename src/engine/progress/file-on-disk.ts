// A file that a person may be saving at this very moment: reads it whole, and replaces it without losing their changes.
//
// The replacement is written to a second file and renamed over the first, so that everybody sees the old text or the
// new one, whole. Three things protect a person's save:
//   - an unknown text that was written a moment ago may be incomplete, so the reader waits;
//   - right before the rename the file is compared byte for byte, with nothing in between but the system call;
//   - right after it the old file, which is still open, is read again: a save at that moment went into it.
// Still possible: an editor renames its own file over this one within those microseconds.
import { closeSync, constants, fstatSync, openSync, readSync, renameSync } from 'node:fs'
import { open, realpath, stat, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { RalphError, refuse } from '../../core/error/error.ts'

/** A plan of 10,000 tasks has about 1 MB. */
export const FILE_BYTES_MAX = 4 * 1024 * 1024
/** Editors save faster than this; an older text is whole. */
const QUIET_MS = 100
/** 5 s. A file that somebody saves without a pause for longer is read as it is, and written later. */
const ROUNDS_MAX = 50
/** An older draft belongs to a process that died. */
const DRAFT_STALE_MS = 10_000

export interface FileOnDisk {
  readonly text: string
  readonly bytes: Buffer
  readonly mode: number
  /** Milliseconds since 1970. */
  readonly writtenAt: number
  /** When anything about the file changed last; unlike `writtenAt`, nobody can set it back. */
  readonly changedAt: number
}

export async function readWhole(path: string, links: 'followed' | 'refused' = 'followed'): Promise<FileOnDisk> {
  // Without O_NONBLOCK, opening a pipe in the file's place would block.
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | (links === 'refused' ? constants.O_NOFOLLOW : 0)
  const file = await open(path, flags).catch((error: unknown) => {
    throw refuse('FILE_UNREADABLE', { path, reason: faultWords(error) }, error)
  })
  try {
    return contentOf(file.fd, path)
  } finally {
    await file.close()
  }
}

/**
 * Reads the file as soon as nobody is saving it. `known`: a text that was read or written before and needs no waiting.
 */
export async function readQuiet(path: string, known: string | null): Promise<FileOnDisk> {
  for (let round = 0; ; round += 1) {
    // Some editors move the old file away before they write the new one.
    const file = await readWhole(path).catch((error: unknown) => {
      if (round === 0 && known !== null && error instanceof RalphError && error.code === 'FILE_UNREADABLE') return null
      throw error
    })
    const rest = file === null ? QUIET_MS : untilQuiet(file.writtenAt)
    if (file !== null && (file.text === known || rest === 0 || round === ROUNDS_MAX)) return file
    await sleep(rest)
  }
}

/** How long until the file counts as quiet. A time in the future comes from another machine's clock. */
function untilQuiet(writtenAt: number): number {
  const age = Date.now() - writtenAt
  return age < 0 || age >= QUIET_MS ? 0 : QUIET_MS - age
}

export interface FileEdit {
  /** The text that was edited in the end. */
  readonly from: string
  readonly to: string
  /** When that text was changed last, before the edit. */
  readonly changedAt: number
}

/** Calls `edit` again for whatever a person saves meanwhile. Where it returns null, the file stays as it is. */
export async function editFile(
  path: string,
  known: string | null,
  edit: (text: string) => string | null,
): Promise<FileEdit | null> {
  const real = await realpath(path).catch((error: unknown) => {
    throw refuse('FILE_UNREADABLE', { path, reason: faultWords(error) }, error)
  })
  let source = await readQuiet(real, known)
  let onDisk = source.bytes
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    // What somebody saved into the old file during the replacement must come back in any case.
    const to = edit(source.text) ?? (onDisk === source.bytes ? null : source.text)
    if (to === null) return null
    const bytes = Buffer.from(to)
    if (bytes.equals(onDisk)) return { from: source.text, to, changedAt: source.changedAt }
    const end = await replace(real, onDisk, bytes, source.mode)
    if (end === 'replaced') return { from: source.text, to, changedAt: source.changedAt }
    source = end === 'changed' ? await readQuiet(real, known) : end
    onDisk = end === 'changed' ? source.bytes : bytes
  }
  throw refuse('FILE_UNWRITABLE', { path, reason: 'it keeps changing' })
}

/** Returns a file: what somebody saved into the old one during the replacement. */
async function replace(
  path: string,
  expected: Buffer,
  bytes: Buffer,
  mode: number,
): Promise<'replaced' | 'changed' | FileOnDisk> {
  const draft = join(dirname(path), `.${basename(path)}.ralph-draft`)
  try {
    if (!(await writeDraft(draft, bytes, mode))) return 'changed'
    const old = renameIfSame(draft, path, expected)
    if (old === null) {
      await unlink(draft)
      return 'changed'
    }
    await syncFolder(dirname(path))
    return await savedInto(old, path, expected)
  } catch (error) {
    if (error instanceof RalphError) throw error
    await unlink(draft).catch(() => {})
    throw refuse('FILE_UNWRITABLE', { path, reason: faultWords(error) }, error)
  }
}

/** False: another process is preparing its own draft. */
async function writeDraft(draft: string, bytes: Buffer, mode: number): Promise<boolean> {
  const file = await open(draft, 'wx', 0o600).catch((error: unknown) => {
    if (faultCode(error) === 'EEXIST') return null
    throw error
  })
  if (file === null) {
    const left = await stat(draft).catch(() => null)
    if (left !== null && Date.now() - left.mtimeMs > DRAFT_STALE_MS) await unlink(draft).catch(() => {})
    else await sleep(QUIET_MS)
    return false
  }
  try {
    await file.writeFile(bytes)
    await file.chmod(mode)
    await file.sync()
  } finally {
    await file.close()
  }
  return true
}

/**
 * Returns the old file, open; null where it is not the expected one. Synchronous, so that nothing else of this process
 * runs in between.
 */
function renameIfSame(draft: string, path: string, expected: Buffer): number | null {
  const old = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    if (bytesOf(old).equals(expected)) {
      renameSync(draft, path)
      return old
    }
  } catch (error) {
    closeSync(old)
    throw error
  }
  closeSync(old)
  return null
}

async function savedInto(old: number, path: string, expected: Buffer): Promise<'replaced' | FileOnDisk> {
  try {
    if (bytesOf(old).equals(expected)) return 'replaced'
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const rest = untilQuiet(fstatSync(old).mtimeMs)
      if (rest === 0) break
      await sleep(rest)
    }
    return contentOf(old, path)
  } finally {
    closeSync(old)
  }
}

function contentOf(file: number, path: string): FileOnDisk {
  const found = fstatSync(file)
  if (!found.isFile()) throw refuse('FILE_UNREADABLE', { path, reason: 'it is not a plain file' })
  if (found.size > FILE_BYTES_MAX) {
    const [size, limit] = [found.size, FILE_BYTES_MAX].map((bytes) => (bytes / 1024 / 1024).toFixed(1))
    const problem = `${path} has ${size} MB and a plan has at most ${limit}; move what is no plan elsewhere`
    throw refuse('PROGRESS_FILE_BAD', { problem })
  }
  const bytes = bytesOf(file)
  const text = bytes.toString('utf8')
  // A text that does not encode to the same bytes could not be kept byte for byte.
  if (!Buffer.from(text).equals(bytes))
    throw refuse('PROGRESS_FILE_BAD', { problem: `${path} is not UTF-8 text; save it as UTF-8` })
  return { text, bytes, mode: found.mode & 0o7777, writtenAt: found.mtimeMs, changedAt: Math.ceil(found.ctimeMs) }
}

/** Reads from the beginning, wherever the last read ended. */
function bytesOf(file: number): Buffer {
  const bytes = Buffer.alloc(Math.min(fstatSync(file).size, FILE_BYTES_MAX) + 1)
  let end = 0
  for (let read = -1; read !== 0 && end < bytes.length; end += read)
    read = readSync(file, bytes, end, bytes.length - end, end)
  return bytes.subarray(0, end)
}

/** Makes the new name survive a power cut. Where folders cannot be synced, the file is still whole. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => null)
  await folder?.sync().catch(() => {})
  await folder?.close()
}

const words: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
  ELOOP: 'its links go in a circle',
  ENOSPC: 'no space left',
  EROFS: 'the file system is read-only',
}

function faultWords(error: unknown): string {
  const code = faultCode(error)
  return code === null ? String(error) : (words[code] ?? code)
}

function faultCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
}
