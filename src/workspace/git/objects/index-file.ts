// Git's index in its plain form (version 2), read and written without git: the entry of the tree at each path, and the
// times, inode and size of the file when it last matched.
import { createHash } from 'node:crypto'
import { type BigIntStats, closeSync, constants, fstatSync, openSync, writeFileSync } from 'node:fs'
import type { ObjectFormat } from './objects.ts'

export interface IndexEntry {
  /** In Latin-1 (see tree-paths.ts). */
  readonly path: string
  /** Octal, as in a tree: 100644, 100755, 120000, 160000. */
  readonly mode: string
  readonly id: string
  /** The stat data of the file, see `lookOf`. */
  readonly look: Buffer
}

/** Of a file, in git's order: times of change and of content, device, inode, mode, owner, group, size; four bytes each. */
const LOOK_BYTES = 40
const HEADER_BYTES = 12
const VERSION = 2
/** Assume-valid, extended, the stage of a conflict. */
const ODD_FLAGS = 0xf000
const NAME_LENGTH_MAX = 0xfff

/** Null where only git can read it: another version, other entries, or a torn file. */
export function readIndex(bytes: Buffer, format: ObjectFormat): IndexEntry[] | null {
  const idBytes = idBytesOf(format)
  const end = bytes.length - idBytes
  if (end < HEADER_BYTES || bytes.toString('latin1', 0, 4) !== 'DIRC' || bytes.readUInt32BE(4) !== VERSION) return null
  if (!createHash(format).update(bytes.subarray(0, end)).digest().equals(bytes.subarray(end))) return null
  const entries: IndexEntry[] = []
  let at = HEADER_BYTES
  for (let left = bytes.readUInt32BE(8); left > 0; left -= 1) {
    const idAt = at + LOOK_BYTES
    const nameAt = idAt + idBytes + 2
    const nameEnd = bytes.indexOf(0, nameAt)
    if ((bytes.readUInt16BE(nameAt - 2) & ODD_FLAGS) !== 0 || nameEnd < 0 || nameEnd >= end) return null
    entries.push({
      path: bytes.toString('latin1', nameAt, nameEnd),
      mode: bytes.readUInt32BE(at + MODE_AT).toString(8),
      id: bytes.toString('hex', idAt, idAt + idBytes),
      look: bytes.subarray(at, idAt),
    })
    at += entryBytes(nameEnd - at)
  }
  return areOptional(bytes.subarray(at, end)) ? entries : null
}

/** Entries in any order. */
export function indexBytes(entries: readonly IndexEntry[], format: ObjectFormat): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  header.write('DIRC', 'latin1')
  header.writeUInt32BE(VERSION, 4)
  header.writeUInt32BE(entries.length, 8)
  const sorted = [...entries].sort((one, other) => (one.path < other.path ? -1 : 1))
  const body = Buffer.concat([header, ...sorted.map((entry) => bytesOf(entry, format))])
  return Buffer.concat([body, createHash(format).update(body).digest()])
}

function bytesOf({ path, id, look }: IndexEntry, format: ObjectFormat): Buffer {
  const nameAt = LOOK_BYTES + idBytesOf(format) + 2
  const bytes = Buffer.alloc(entryBytes(nameAt + path.length))
  look.copy(bytes)
  bytes.write(id, LOOK_BYTES, 'hex')
  bytes.writeUInt16BE(Math.min(path.length, NAME_LENGTH_MAX), nameAt - 2)
  bytes.write(path, nameAt, 'latin1')
  return bytes
}

/** At least one NUL ends the name; more fill it up to a multiple of eight bytes. */
function entryBytes(length: number): number {
  return (length + 8) & ~7
}

function idBytesOf(format: ObjectFormat): number {
  return format === 'sha1' ? 20 : 32
}

/** Git may ignore an extension whose name starts with a capital letter. */
function areOptional(extensions: Buffer): boolean {
  for (let at = 0; at < extensions.length; at += 8 + extensions.readUInt32BE(at + 4)) {
    const first = extensions[at] ?? 0
    if (first < 0x41 || first > 0x5a || extensions.length - at < 8) return false
  }
  return true
}

const CONTENT_TIME_AT = 8
const MODE_AT = 24

/** The stat data that git records of a file: every write changes it. */
export function lookOf(stats: BigIntStats, mode: string): Buffer {
  const look = Buffer.alloc(LOOK_BYTES)
  const numbers = [
    stats.ctimeNs / BILLION,
    stats.ctimeNs % BILLION,
    stats.mtimeNs / BILLION,
    stats.mtimeNs % BILLION,
    stats.dev,
    stats.ino,
    BigInt(`0o${mode}`),
    stats.uid,
    stats.gid,
    stats.size,
  ]
  for (const [at, number] of numbers.entries()) look.writeUInt32BE(Number(BigInt.asUintN(32, number)), 4 * at)
  return look
}

const BILLION = 1_000_000_000n

/** The later of the two times of a file, in whole seconds. */
export function secondOf(look: Buffer): number {
  return Math.max(look.readUInt32BE(0), look.readUInt32BE(CONTENT_TIME_AT))
}

/** The present second by the clock of the disk. */
export function secondOnDisk(path: string): number {
  const file = openSync(path, constants.O_WRONLY | constants.O_CREAT, 0o644)
  try {
    writeFileSync(file, '.')
    return Math.floor(fstatSync(file).mtimeMs / 1000)
  } finally {
    closeSync(file)
  }
}
