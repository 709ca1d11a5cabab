// Searches the files of a project for a model. It searches for plain text and ignores case, because a pattern could
// be written to run for ever.
import { readdirSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isGitName } from '../../core/patch/patch-paths.ts'
import { insideFolder } from './repo-path.ts'
import { readPlain } from './repo-read.ts'

const MATCHES_MAX = 100
const LINE_SHOWN_MAX = 240
/** Files that are looked into, and bytes of one. */
const FILES_MAX = 20_000
const FILE_BYTES_MAX = 1024 * 1024

const made = new Set(['node_modules', '.venv', 'venv', 'target', '__pycache__', 'dist', 'coverage'])

export function repoSearch(folder: string, text: string, under: string): string {
  if (text.trim() === '') throw new Error('the text to search for is empty')
  const root = insideFolder(folder, '.')
  const sought = text.toLowerCase()
  const found: string[] = []
  let files = 0
  for (const path of filesUnder(insideFolder(folder, under))) {
    files += 1
    if (files > FILES_MAX || found.length > MATCHES_MAX) break
    const name = relative(root, path)
    for (const [at, line] of linesOf(folder, name).entries())
      if (line.toLowerCase().includes(sought)) found.push(`${name}:${at + 1}: ${line.trim().slice(0, LINE_SHOWN_MAX)}`)
  }
  if (found.length === 0) return `nothing holds ${JSON.stringify(text)}`
  const isMore = found.length > MATCHES_MAX ? ['… and more; search for something rarer, or in a folder'] : []
  return [...found.slice(0, MATCHES_MAX), ...isMore].join('\n')
}

/** Links are not followed. */
function* filesUnder(path: string): Generator<string> {
  if (!statSync(path).isDirectory()) return yield path
  const open = [path]
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const entries = readdirSync(folder, { withFileTypes: true }).toSorted((one, other) =>
      one.name < other.name ? -1 : 1,
    )
    for (const entry of entries) {
      if (entry.isDirectory() && !made.has(entry.name) && !isGitName(entry.name)) open.push(join(folder, entry.name))
      if (entry.isFile() && statSync(join(folder, entry.name)).size <= FILE_BYTES_MAX) yield join(folder, entry.name)
    }
  }
}

function linesOf(folder: string, name: string): readonly string[] {
  try {
    return (readPlain(folder, name) ?? '').split('\n')
  } catch {
    return []
  }
}
