// Paths that a patch may name: files of the project and nothing else, on any file system that the project may move to.
import { SCRATCHPAD_FILE, SCRATCHPADS_FOLDER } from '../session/scratchpad.ts'

/** UTF-16 units, from the root of the project. */
const PATH_LENGTH_MAX = 1024
const DEPTH_MAX = 64

/** The problem of a path and its fix; null: none. */
export function pathProblem(path: string): string | null {
  const name = shownPath(path)
  if (path === '') return 'a path is empty; name a file of the project'
  if (path.length > PATH_LENGTH_MAX) return `the path ${name} is longer than ${PATH_LENGTH_MAX} characters; shorten it`
  if (/\p{Cc}/u.test(path)) return `the path ${name} holds control characters; rename it`
  if (!path.isWellFormed()) return `the path ${name} is not UTF-8; rename it`
  if (/^(?:\/|~|[a-z]:)/i.test(path)) return `${name} is no path inside the project; name it from the project's root on`
  if (path.includes('\\')) return `${name} holds a backslash; part folders with /`
  const parts = path.split('/')
  if (parts.includes('..')) return `${name} leads out of the project; name files inside of it only`
  if (parts.includes('.') || parts.includes('')) return `${name} is no plain path; write it without . and //`
  if (parts.length > DEPTH_MAX) return `${name} lies more than ${DEPTH_MAX} folders deep; move it up`
  if (parts.some(isGitName)) return `${name} lies in a git folder, which nobody may change; leave it out`
  if (isScratchpad(path)) return `${name} is the scratchpad and no part of a patch; say it in notes instead`
  return null
}

/** Characters that HFS+ ignores when it compares names. */
const ignoredByHfs = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/gu

/** Includes names that some file system takes for the same: any case, `git~1`, `.git.`, `.git::$INDEX_ALLOCATION`. */
export function isGitName(part: string): boolean {
  const seen = part.replaceAll(ignoredByHfs, '').split(':', 1)[0] ?? ''
  return /^(?:\.git|git~\d+)[. ]*$/i.test(seen)
}

function isScratchpad(path: string): boolean {
  return path === SCRATCHPAD_FILE || `${path}/`.startsWith(`${SCRATCHPADS_FOLDER}/`)
}

const SHOWN_MAX = 200

/** For a sentence on one line. */
export function shownPath(path: string): string {
  const plain = /^[\w./@+-]+$/.test(path) ? path : JSON.stringify(path.toWellFormed())
  return plain.length > SHOWN_MAX ? `${plain.slice(0, SHOWN_MAX)}…` : plain
}
