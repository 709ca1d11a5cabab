// Reads ralph.toml: its values, and the line of each key.
import { isUtf8 } from 'node:buffer'
import type { Stats } from 'node:fs'
import { lstat, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { refuse, type RalphError } from '../../core/error/error.ts'
import { faultCode, faultWords } from './fault.ts'
import { tomlPositions } from './toml-positions.ts'

export const CONFIG_FILE = 'ralph.toml'

// A hand-written file has a few kB; one of this size is a mistake, and parsing it would be slow.
const FILE_BYTES_MAX = 1024 * 1024

export type Table = Readonly<Record<string, unknown>>

export interface TomlFile {
  readonly table: Table
  /** Dotted key → line, in the order of the text. */
  readonly lines: ReadonlyMap<string, number>
}

/** null where there is no file. */
export async function readTomlFile(folder: string): Promise<TomlFile | null> {
  const path = join(folder, CONFIG_FILE)
  const found = await statOf(path)
  if (found === null) return null
  if (!found.isFile()) throw bad('it is not a regular file, move it away or make it one')
  if (found.size > FILE_BYTES_MAX) throw bad(`it has ${found.size} bytes, the most is ${FILE_BYTES_MAX}`)
  const bytes = await readFile(path).catch((error: unknown) => {
    throw unreadable(error)
  })
  return parseToml(decodeText(bytes))
}

async function statOf(path: string): Promise<Stats | null> {
  try {
    return await stat(path)
  } catch (error) {
    if (faultCode(error) !== 'ENOENT') throw unreadable(error)
  }
  const link = await lstat(path).catch(() => null)
  if (link !== null) throw bad('it is a link to a file that is not there, mend or delete it')
  return null
}

function decodeText(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8')
  // No UTF-8 sequence contains the byte of a line end, so each line can be checked alone.
  let line = 1
  for (let start = 0; start < bytes.length; line++) {
    const end = bytes.indexOf(0x0a, start) + 1 || bytes.length
    if (!isUtf8(bytes.subarray(start, end))) break
    start = end
  }
  throw bad('not UTF-8 text, save the file as UTF-8', line)
}

async function parseToml(text: string): Promise<TomlFile> {
  // Loading takes 12 ms, so it waits until there is a file.
  const { parse, TomlError } = await import('smol-toml')
  try {
    return { table: parse(text), lines: tomlPositions(text) }
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    throw bad(syntaxProblem(error.message), error.line)
  }
}

/** The parser's message has a title before it and a picture of the position after it. */
function syntaxProblem(message: string): string {
  const problem = (message.split('\n')[0] ?? '').replace(/^Invalid TOML document: /, '')
  if (problem.startsWith('trying to redefine')) return 'this key or table is already there above, keep one of them'
  return `not valid TOML: ${problem}`
}

function bad(problem: string, line?: number): RalphError {
  return refuse('CONFIG_BAD', { where: line === undefined ? CONFIG_FILE : lineOrigin(line), problem })
}

function unreadable(error: unknown): RalphError {
  return refuse('CONFIG_BAD', { where: CONFIG_FILE, problem: `cannot be read: ${faultWords(error)}` }, error)
}

export function lineOrigin(line: number): string {
  return `${CONFIG_FILE} line ${line}`
}
