// The notes of one iteration for the next: four short texts under fixed headings, at most 8 KiB.
//
// Only a line that is exactly one of the four headings divides the file; other headings belong to their text. A line of
// a text that starts like one of the four is written with a `\` before it, which the reader removes.
import { cutToBytes, utf8Length } from '../values/text-bounds.ts'

/** In the agent's folder; never part of a patch. */
export const SCRATCHPAD_FILE = '.ralph-scratchpad.md'
/** In a user's own checkout: one file for each loop, by its agent id. */
export const SCRATCHPADS_FOLDER = '.ralph/scratchpads'
export const FIRST_ITERATION = 'First iteration - no previous work'

/** Bytes of UTF-8. */
export const SCRATCHPAD_BYTES_MAX = 8_192

/** Bytes reserved for the note about the cut. */
const CUT_NOTE_BYTES = 48

export interface ScratchpadText {
  readonly done: string
  readonly testStatus: string
  readonly nextStep: string
  readonly blockers: string
}

interface Scratchpad extends ScratchpadText {
  /** Null where an agent wrote the file itself without the title. */
  readonly iteration: number | null
}

const headings = {
  done: '## Done this iteration',
  testStatus: '## Test status',
  nextStep: '## Next step',
  blockers: '## Blockers',
} as const satisfies Record<keyof ScratchpadText, string>

const fields = ['done', 'testStatus', 'nextStep', 'blockers'] as const satisfies readonly (keyof ScratchpadText)[]

/** Trims each text. Where not all fit, short ones stay whole and long ones share the rest. */
export function renderScratchpad(iteration: number, text: ScratchpadText): string {
  const bodies = fields.map((field) => escapeHeadings(text[field].trim()))
  const frame = utf8Length(assemble(iteration, ['', '', '', '']))
  return assemble(iteration, fitToBytes(bodies, SCRATCHPAD_BYTES_MAX - frame))
}

/** Null where the file has none of the four headings: then it is free text, and is shown as it is. */
export function parseScratchpad(file: string): Scratchpad | null {
  let iteration: number | null = null
  let field: keyof ScratchpadText | null = null
  const lines: Partial<Record<keyof ScratchpadText, string[]>> = {}
  for (const line of file.split('\n')) {
    const next = fieldOf(line)
    if (next !== null) {
      field = next
      lines[next] ??= []
    } else if (field === null) iteration ??= iterationOf(line)
    else lines[field]?.push(unescapeHeadings(line))
  }
  if (field === null) return null
  const text = (of: keyof ScratchpadText): string => (lines[of] ?? []).join('\n').trim()
  const [done, testStatus, nextStep, blockers] = [text('done'), text('testStatus'), text('nextStep'), text('blockers')]
  return { iteration, done, testStatus, nextStep, blockers }
}

/** Bounds a file that an agent wrote itself. */
export function boundedScratchpad(file: string): string {
  return cutWithNote(file, SCRATCHPAD_BYTES_MAX)
}

function assemble(iteration: number, bodies: readonly string[]): string {
  const sections = fields.map((field, at) => `${headings[field]}\n${bodies[at] ?? ''}\n`)
  return [`# Iteration ${iteration} Scratchpad\n`, ...sections].join('\n')
}

function fitToBytes(bodies: readonly string[], bytes: number): readonly string[] {
  const sizes = bodies.map(utf8Length)
  const shares = sizes.map(() => 0)
  const fromShortest = sizes.map((size, at) => ({ size, at })).sort((a, b) => a.size - b.size)
  let left = bytes
  for (const [rank, { size, at }] of fromShortest.entries()) {
    const share = Math.min(size, Math.floor(left / (bodies.length - rank)))
    shares[at] = share
    left -= share
  }
  return bodies.map((body, at) => cutWithNote(body, shares[at] ?? 0))
}

function cutWithNote(text: string, bytes: number): string {
  const size = utf8Length(text)
  if (size <= bytes) return text
  const kept = cutToBytes(text, bytes - CUT_NOTE_BYTES).trimEnd()
  return `${kept}\n[cut here: ${size - utf8Length(kept)} bytes left out]`
}

function fieldOf(line: string): keyof ScratchpadText | null {
  const heading = line.trimEnd().toLowerCase()
  return fields.find((field) => headings[field].toLowerCase() === heading) ?? null
}

function iterationOf(line: string): number | null {
  const digits = /^# Iteration (\d{1,15}) Scratchpad\s*$/.exec(line)?.[1]
  return digits === undefined ? null : Number(digits)
}

const likeHeading = /^\\*## (?:Done this iteration|Test status|Next step|Blockers)/i

function escapeHeadings(text: string): string {
  const lines = text.split('\n')
  return lines.map((line) => (likeHeading.test(line) ? `\\${line}` : line)).join('\n')
}

function unescapeHeadings(line: string): string {
  return line.startsWith('\\') && likeHeading.test(line) ? line.slice(1) : line
}
