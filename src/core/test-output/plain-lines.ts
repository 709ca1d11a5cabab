// The output of a runner as plain lines: without colours and carriage returns. Separates the lines of several packages
// that a workspace tool has prefixed and mixed.

/**
 * A line of a real summary is short; longer ones are skipped. go test -json quotes output, so its lines may be longer.
 */
const LINE_LENGTH_MAX = 4_000
const JSON_LINE_LENGTH_MAX = 64_000

// Each alternative starts at an escape character and stops at or before the next one, so this is linear. None goes
// beyond its line: the output of a test must not hide the lines that its runner prints after it.
// oxlint-disable-next-line no-control-regex
const escapes = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b\n]*(?:\u0007|\u001b\\)?|[@-Z\\^_])/g
// oxlint-disable-next-line no-control-regex
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** Removes colours, cursor movements and links. */
export function withoutEscapes(text: string): string {
  return text.includes('\u001b') ? text.replace(escapes, '') : text
}

/** Removes all other control characters as well; tabs and line ends stay. */
export function withoutControls(text: string): string {
  return withoutEscapes(text).replace(/\r+\n/g, '\n').replace(controls, '')
}

/** The line that replaces the middle of a cut output (see src/system/process/head-tail-buffer.ts). */
const ofCut = /^… [\d,]+ bytes left out …$/

export function isCut(line: string): boolean {
  return ofCut.test(line)
}

/** Drops the lines before and after a cut: half a line may say what the whole one did not. */
export function* plainLines(output: string): Generator<string> {
  let held: string | null = null
  let isTorn = false
  for (const line of rawLines(output)) {
    if (isCut(line)) {
      yield line
      held = null
      isTorn = true
    } else {
      if (held !== null) yield held
      held = isTorn ? null : line
      isTorn = false
    }
  }
  if (held !== null) yield held
}

function* rawLines(output: string): Generator<string> {
  for (let start = 0; start < output.length;) {
    const found = output.indexOf('\n', start)
    const end = found === -1 ? output.length : found
    // Colours are not visible, so only the text is measured, unless the line is endless.
    if (end - start <= JSON_LINE_LENGTH_MAX) {
      const line = plain(output.slice(start, end))
      if (line.length <= LINE_LENGTH_MAX || line.startsWith('{')) yield line
    }
    start = end + 1
  }
}

function plain(line: string): string {
  const shown = withoutEscapes(line)
  if (!shown.includes('\r')) return shown
  // What a terminal would show: the text after the last carriage return overwrites the text before.
  const trimmed = shown.replace(/\r+$/, '')
  return trimmed.slice(trimmed.lastIndexOf('\r') + 1)
}

export interface PrefixedLine {
  /** The package whose output this is; empty where the line has no prefix. */
  readonly stream: string
  readonly text: string
}

const script = String.raw`\S{0,60}(?:test|spec|unit|check|e2e)\S{0,60}`
const prefixes: readonly RegExp[] = [
  // pnpm -r: `packages/a test: …`, turbo: `a:test: …`
  new RegExp(`^(\\S{1,200}[ :]${script}): ?(.*)$`),
  // yarn workspaces foreach: `[a]: …`, concurrently: `[0] …`
  /^(?:➤ YN0000: )?\[([\w@/.-]{1,100})\]:? (.*)$/,
]

export function splitPrefix(line: string): PrefixedLine {
  if (line.includes(':') || line.startsWith('[')) {
    for (const prefix of prefixes) {
      const [, stream, text] = prefix.exec(line) ?? []
      if (stream !== undefined && text !== undefined) return { stream, text }
    }
  }
  return { stream: '', text: line }
}
