// The lines of a markdown text with their offsets, so that an edit can change its own bytes and no others.
//
// A line in a code fence or in an HTML comment is quoted: nothing in it is structure. A fence or comment that is never
// closed quotes nothing: one stray ``` would otherwise hide every task below it, and a hidden task looks done.

export interface Line {
  /** Without its line ending. */
  readonly text: string
  readonly start: number
  /** The end of its text, where its line ending starts. */
  readonly end: number
  readonly next: number
  readonly kind: 'plain' | 'quoted' | 'stray'
}

interface Heading {
  readonly level: number
  readonly text: string
}

export function markdownLines(text: string): Line[] {
  const lines = splitLines(text)
  // For each mark the shortest opening that no later line closes: a longer one further down is not closed either, which
  // keeps a file of ten thousand stray fences linear.
  const unclosed = new Map<string, number>()
  for (let at = 0; at < lines.length; at += 1) {
    const opening = openingOf(lines[at]?.text ?? '')
    if (opening === null) continue
    const isHopeless = opening.length >= (unclosed.get(opening.mark) ?? Infinity)
    const closing = isHopeless ? null : closingBelow(lines, at, opening)
    if (closing === null) unclosed.set(opening.mark, Math.min(opening.length, unclosed.get(opening.mark) ?? Infinity))
    const last = closing ?? at
    for (let each = at; each <= last; each += 1) mark(lines, each, closing === null ? 'stray' : 'quoted')
    at = last
  }
  return lines
}

/** A heading starts in column 0: an indented one belongs to its list item. */
export function headingOf(line: Line): Heading | null {
  const [, marks, text] = (line.kind === 'plain' && /^(#{1,6})(?:[ \t]+([^]*))?$/.exec(line.text)) || []
  return marks === undefined ? null : { level: marks.length, text: (text ?? '').trim() }
}

export const isBlank = (line: Line): boolean => line.text.trim() === ''

/** Without the blank lines at both ends. */
export function trimBlankLines(lines: readonly Line[]): readonly Line[] {
  const first = lines.findIndex((line) => !isBlank(line))
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex((line) => !isBlank(line)) + 1)
}

/**
 * A text that can stand in a file without becoming structure: a line that would be a heading, or would open a fence,
 * gets a `\` before it, which markdown does not show and `unescapeStructure` removes. `kept` leaves whole fences as
 * they are.
 */
export function escapeStructure(text: string, fences: 'kept' | 'escaped'): string {
  const lines = markdownLines(text).map((line) => {
    const isSafe = (line.kind === 'quoted' && fences === 'kept') || !isStructural(line.text)
    return isSafe ? line.text : `\\${line.text}`
  })
  return lines.join('\n')
}

export function unescapeStructure(text: string, kind: Line['kind']): string {
  return kind !== 'quoted' && text.startsWith('\\') && isStructural(text) ? text.slice(1) : text
}

/** With or without a `\` before it: an escaped line is escaped once more. */
function isStructural(text: string): boolean {
  const bare = text.replace(/^\\+/, '')
  return bare.startsWith('#') || openingOf(bare) !== null
}

interface Opening {
  readonly mark: '`' | '~' | '<'
  readonly length: number
}

function openingOf(text: string): Opening | null {
  if (text.trimStart().startsWith('<!--')) return { mark: '<', length: 4 }
  // At most four list markers before it: an unbounded group overflows the stack on a line of a million of them.
  const [, fence, info] = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+){0,4}(`{3,}|~{3,})([^]*)$/.exec(text) ?? []
  if (fence === undefined) return null
  if (!fence.startsWith('`')) return { mark: '~', length: fence.length }
  return info?.includes('`') === true ? null : { mark: '`', length: fence.length }
}

function closingBelow(lines: readonly Line[], opened: number, opening: Opening): number | null {
  for (let at = opened; at < lines.length; at += 1) {
    const text = lines[at]?.text ?? ''
    const isClosing = at === opened ? closesItself(text, opening) : closes(text, opening)
    if (isClosing) return at
  }
  return null
}

function closesItself(text: string, { mark: of }: Opening): boolean {
  return of === '<' && text.includes('-->', text.indexOf('<!--') + 4)
}

function closes(text: string, opening: Opening): boolean {
  if (opening.mark === '<') return text.includes('-->')
  const fence = /^[ \t]*(`{3,}|~{3,})[ \t]*$/.exec(text)?.[1]
  return fence?.startsWith(opening.mark) === true && fence.length >= opening.length
}

function mark(lines: Line[], at: number, kind: Line['kind']): void {
  const line = lines[at]
  if (line !== undefined) lines[at] = { ...line, kind }
}

function splitLines(text: string): Line[] {
  const lines: Line[] = []
  // A byte order mark belongs to no line.
  let start = text.startsWith('\uFEFF') ? 1 : 0
  while (start < text.length) {
    const feed = text.indexOf('\n', start)
    const stop = feed === -1 ? text.length : feed
    const end = feed !== -1 && stop > start && text[stop - 1] === '\r' ? stop - 1 : stop
    const next = feed === -1 ? text.length : feed + 1
    lines.push({ text: text.slice(start, end), start, end, next, kind: 'plain' })
    start = next
  }
  return lines
}
