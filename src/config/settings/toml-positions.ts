// Finds the line of each key in a TOML text. The parser gives the value of a key but not its position; this scanner
// gives the position and nothing else. It gets only texts that the parser accepted, so it checks no syntax.
import { dottedKey } from './toml-text.ts'

/** Dotted key → its first line, counted from 1; tables and the tables above them included; in the order of the text. */
export function tomlPositions(toml: string): ReadonlyMap<string, number> {
  const scan: Scan = { toml, at: 0, line: 1, lines: new Map() }
  let table: readonly string[] = []
  for (skipVoid(scan); scan.at < toml.length; skipVoid(scan)) {
    if (toml[scan.at] === '[') table = readHeader(scan)
    else readAssignment(scan, table)
  }
  return scan.lines
}

interface Scan {
  readonly toml: string
  at: number
  line: number
  readonly lines: Map<string, number>
}

/** Null: inside a list, where keys have no path. */
type Path = readonly string[] | null

/** `[a.b]` or `[[a.b]]` */
function readHeader(scan: Scan): readonly string[] {
  take(scan, /\[+/y)
  const path = readKey(scan)
  record(scan, path)
  take(scan, /\]+/y)
  return path
}

function readAssignment(scan: Scan, table: Path): void {
  const key = readKey(scan)
  const path = table === null ? null : [...table, ...key]
  if (path !== null) record(scan, path)
  take(scan, /=[ \t]*/y)
  skipValue(scan, path)
}

/** A dotted key with bare and quoted names, and the spaces after it. */
function readKey(scan: Scan): readonly string[] {
  const names: string[] = []
  do {
    take(scan, /[ \t]*/y)
    const name = take(scan, /"(?:[^"\\]|\\.)*"|'[^']*'|[A-Za-z0-9_-]*/y)
    names.push(nameOf(name))
    take(scan, /[ \t]*/y)
  } while (take(scan, /\./y) !== '')
  return names
}

function nameOf(written: string): string {
  if (written.startsWith("'")) return written.slice(1, -1)
  return written.startsWith('"') ? unescaped(written.slice(1, -1)) : written
}

const escapes: Readonly<Record<string, string>> = { b: '\b', t: '\t', n: '\n', f: '\f', r: '\r', e: '\u001B' }

function unescaped(text: string): string {
  return text.replace(/\\(?:x(..)|u(.{4})|U(.{8})|(.))/g, (_, x?: string, u?: string, U?: string, one?: string) => {
    const hex = x ?? u ?? U
    return hex === undefined
      ? (escapes[one as string] ?? (one as string))
      : String.fromCodePoint(Number.parseInt(hex, 16))
  })
}

function skipValue(scan: Scan, path: Path): void {
  const start = scan.toml[scan.at]
  if (start === '[') skipList(scan)
  else if (start === '{') skipInlineTable(scan, path)
  // A value has at least one letter: even if a text is misread, the scan ends.
  else if (take(scan, text) === '' && take(scan, /[^,\]}#\r\n]+/y) === '') scan.at++
}

// Up to two quotes may come right before the three that end a multi-line text.
const text = /"""(?:[^"\\]+|\\[^]|"{1,2}(?!"))*"{3,5}|'''(?:[^']+|'{1,2}(?!'))*'{3,5}|"(?:[^"\\]|\\.)*"|'[^']*'/y

function skipList(scan: Scan): void {
  for (take(scan, /\[/y), skipVoid(scan); !atEnd(scan, ']'); skipVoid(scan)) {
    if (take(scan, /,/y) === '') skipValue(scan, null)
  }
  take(scan, /\]/y)
}

function skipInlineTable(scan: Scan, path: Path): void {
  for (take(scan, /\{/y), skipVoid(scan); !atEnd(scan, '}'); skipVoid(scan)) {
    if (take(scan, /,/y) === '') readAssignment(scan, path)
  }
  take(scan, /\}/y)
}

function atEnd(scan: Scan, end: string): boolean {
  return scan.at >= scan.toml.length || scan.toml[scan.at] === end
}

/** Spaces, line ends and comments. */
function skipVoid(scan: Scan): void {
  take(scan, /(?:\s+|#[^\n]*)*/y)
}

/** Skips what the pattern matches here, and counts its lines. */
function take(scan: Scan, pattern: RegExp): string {
  pattern.lastIndex = scan.at
  const found = pattern.exec(scan.toml)?.[0] ?? ''
  scan.at += found.length
  for (const letter of found) if (letter === '\n') scan.line++
  return found
}

/** The first line counts, for the key and for every table above it. */
function record(scan: Scan, path: readonly string[]): void {
  for (let length = 1; length <= path.length; length++) {
    const key = dottedKey(path.slice(0, length))
    if (!scan.lines.has(key)) scan.lines.set(key, scan.line)
  }
}
