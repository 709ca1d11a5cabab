// Reads a file, or lists a folder, for a model.
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { isGitName } from '../../core/patch/patch-paths.ts'
import { insideFolder } from './repo-path.ts'

/** Of a file at most so much is looked at, and of what is wanted so much shown, in bytes. */
const FILE_BYTES_MAX = 8 * 1024 * 1024
const SHOWN_MAX = 60_000
const LINES_DEFAULT = 1_000
const ENTRIES_MAX = 500

export interface Reading {
  readonly path: string
  /** From 1. */
  readonly fromLine: number
  readonly lines: number | null
}

export function repoRead(folder: string, { path, fromLine, lines }: Reading): string {
  const text = readPlain(folder, path)
  if (text === null) return listFolder(folder, path)
  const all = text.split('\n')
  if (all.at(-1) === '') all.pop()
  const from = Math.max(1, fromLine)
  const wanted = all.slice(from - 1, from - 1 + (lines ?? LINES_DEFAULT))
  const { shown, count } = fitted(wanted)
  const rest = from - 1 + count < all.length ? `; read on from line ${from + count}` : ''
  return `${path}, lines ${count === 0 ? 0 : from} to ${from - 1 + count} of ${all.length}${rest}:\n${shown}`
}

function fitted(lines: readonly string[]): { readonly shown: string; readonly count: number } {
  const shown: string[] = []
  let left = SHOWN_MAX
  for (const line of lines) {
    left -= line.length + 1
    if (left < 0) break
    shown.push(line)
  }
  // One line alone may be too long for all.
  if (shown.length === 0 && lines[0] !== undefined) return { shown: `${lines[0].slice(0, SHOWN_MAX)}…`, count: 1 }
  return { shown: shown.join('\n'), count: shown.length }
}

/** Null: it is a folder. Throws a sentence for the model. */
export function readPlain(folder: string, path: string): string | null {
  const real = insideFolder(folder, path)
  const file = openSync(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const stats = fstatSync(file)
    if (stats.isDirectory()) return null
    if (!stats.isFile()) throw new Error(`${path} is no file`)
    if (stats.size > FILE_BYTES_MAX) throw new Error(`${path} has ${stats.size} bytes, too many to read`)
    const buffer = Buffer.alloc(stats.size)
    const bytes = buffer.subarray(0, readSync(file, buffer, 0, stats.size, 0))
    if (bytes.subarray(0, 8000).includes(0)) throw new Error(`${path} is not text`)
    return bytes.toString('utf8')
  } finally {
    closeSync(file)
  }
}

function listFolder(folder: string, path: string): string {
  const entries = readdirSync(insideFolder(folder, path), { withFileTypes: true })
    .filter(({ name }) => !isGitName(name))
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    .toSorted()
  const more = entries.length - ENTRIES_MAX
  return [...entries.slice(0, ENTRIES_MAX), ...(more > 0 ? [`… and ${more} more`] : [])].join('\n')
}
