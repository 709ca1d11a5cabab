// The file name of a transcript. Ids may contain anything; the file name contains only letters, digits, - and _.
import { join } from 'node:path'
import { sha256 } from '../system/hash.ts'

/** File systems take 255 bytes; an id of 128 characters may need 1,536. */
const PART_LENGTH_MAX = 200
/** Hexadecimal digits that tell cut names apart. */
const DIGEST_LENGTH = 32

/**
 * Each part between slashes is a folder, the last one the file. Different names give different paths: all else is
 * percent-encoded, also dots, so no part is `..` and no folder ends like a file.
 */
export function transcriptPath(folder: string, name: string): string {
  return `${join(folder, ...name.split('/').map(encoded))}.jsonl`
}

function encoded(part: string): string {
  const safe = [...Buffer.from(part)]
    .map((byte) => (isPlain(byte) ? String.fromCharCode(byte) : escaped(byte)))
    .join('')
  // No other part is a lone percent sign.
  if (safe === '') return '%'
  if (safe.length <= PART_LENGTH_MAX) return safe
  const digest = sha256(part).slice(0, DIGEST_LENGTH)
  return `${safe.slice(0, PART_LENGTH_MAX - DIGEST_LENGTH - 1)}~${digest}`
}

function isPlain(byte: number): boolean {
  return /[A-Za-z0-9_-]/.test(String.fromCharCode(byte))
}

function escaped(byte: number): string {
  return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
}
