// Reads git's error output: will the command work in a minute, or is something broken?
import { damagedObject } from '../../../core/error/damaged-object.ts'
import { type RalphError, refuse } from '../../../core/error/error.ts'

const full = /No space left on device|Disk quota exceeded|file system full/i
const locked = /Unable to create '(.+\.lock)': File exists|could not lock config file/
const damaged =
  /(?:missing|corrupt|bad|broken|invalid)\b.*\b(?:object|blob|tree|commit|packfile|pack|loose)|unable to (?:read|unpack|find) [0-9a-f]{40,64}|(?:object|pack).* (?:is corrupt|cannot be accessed)|inflate: data stream error|unable to read (?:tree|blob|sha1 file)|could not (?:read|parse) [0-9a-f]{40,64}/i

export function failureOf(verb: string, gitDir: string, stderr: string, how: string): RalphError {
  const reason = firstWords(stderr) ?? how
  if (full.test(stderr)) return refuse('GIT_DISK_FULL', { path: gitDir })
  if (locked.test(stderr)) return refuse('GIT_LOCKED', { path: lockIn(stderr) ?? gitDir })
  const object = damagedObject(stderr)
  if (object !== null) return refuse('OBJECT_DAMAGED', { object, where: gitDir })
  if (damaged.test(stderr)) return refuse('GIT_DAMAGED', { path: gitDir, reason })
  return refuse('GIT_FAILED', { verb, reason })
}

/** The lock file in the way; null where there was none. */
export function lockIn(words: string): string | null {
  return locked.exec(words)?.[1] ?? null
}

/** The first line that says what is wrong, cut to fit into a sentence. */
function firstWords(stderr: string): string | null {
  const lines = stderr.split('\n').map((line) => line.trim())
  const line = lines.find((text) => /^(fatal|error): /.test(text)) ?? lines.find((text) => text !== '')
  return line?.replace(/^(fatal|error): /, '').slice(0, 300) ?? null
}
