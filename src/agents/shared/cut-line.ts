// Reads a JSON line that is too long to keep. It decodes only the beginning of each text. It finds keys by their
// exact text: every quote inside a JSON string is escaped, so no text can imitate a key.

/** What a line that was longer than 1 MiB ends with; see lines.ts. */
const CUT_MARK = /… \d+ bytes left out$/

/** Raw characters; below the length at which an event is cut, so that it is cut once. */
export const SHOWN_MAX = 16_000

export function isCut(line: string): boolean {
  return CUT_MARK.test(line.slice(-60))
}

/** The beginning of the text whose first character is at `at`. */
export function textFrom(line: string, at: number): string {
  const raw = line.slice(at, at + SHOWN_MAX)
  const end = endOfString(raw)
  const whole = end === -1 ? raw.replace(/\\(?:u[0-9a-fA-F]{0,3})?$/, '') : raw.slice(0, end)
  return `${decoded(whole)}${end === -1 ? '… the rest is left out' : ''}`
}

/** Where the first quote that nothing escapes is. */
function endOfString(raw: string): number {
  for (let at = raw.indexOf('"'); at !== -1; at = raw.indexOf('"', at + 1)) {
    let slashes = 0
    while (raw[at - 1 - slashes] === '\\') slashes += 1
    if (slashes % 2 === 0) return at
  }
  return -1
}

function decoded(raw: string): string {
  try {
    return String(JSON.parse(`"${raw}"`))
  } catch {
    return raw
  }
}

/** A short text by its key, the first in the line; null where there is none. */
export function wordIn(line: string, key: string): string | null {
  return new RegExp(`"${key}":"([^"\\\\]{1,200})"`).exec(line)?.[1] ?? null
}
