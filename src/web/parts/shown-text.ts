// Words that somebody else wrote, as they may be shown: no control sequences, and nothing that turns the reading direction
// around or hides.

/** Characters of one text that are drawn; more would block the page. */
export const SHOWN_LENGTH_MAX = 20_000

// CSI and OSC sequences, then two-character escapes.
// eslint-disable-next-line no-control-regex
const escapes = /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[@-Z\\-_])/g
// What is left of control and formatting characters; line ends and tabs stay, joiners of emoji and scripts too.
const hidden = /(?![\n\t\u{200C}-\u{200D}])\p{C}/gu

export function shownText(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(escapes, '').replaceAll(hidden, markOf)
}

/** `⟨U+202E⟩`, so that a reader sees that something is there. */
function markOf(character: string): string {
  const point = character.codePointAt(0) ?? 0
  return `⟨U+${point.toString(16).toUpperCase().padStart(4, '0')}⟩`
}

/** The first line that is not blank, cut to the width of a row. */
export function firstLine(text: string, lengthMax = 240): string {
  const start = text.search(/\S/)
  if (start === -1) return ''
  const end = text.indexOf('\n', start)
  const line = shownText(text.slice(start, Math.min(end === -1 ? text.length : end, start + lengthMax)))
  return line.length < (end === -1 ? text.length : end) - start && end - start > lengthMax ? `${line}…` : line
}

export function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
