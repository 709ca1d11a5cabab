// A live part at the end of a terminal's text: what stays scrolls above it. No full screen, no hidden cursor: whatever
// happens to this process, the terminal is as it was.
import { width } from '../table.ts'
import { shownText } from '../text/sanitize.ts'

export interface Screen {
  /** Prints whole lines that stay, above the live part, and draws that again. */
  readonly above: (text: string, lines: readonly string[]) => void
  /** Replaces the live part; the same lines are not drawn again. */
  readonly draw: (lines: readonly string[]) => void
  readonly clear: () => void
}

// A terminal with this mode shows no half-drawn frame; others ignore it.
const [HOLD, SHOW] = ['\u001B[?2026h', '\u001B[?2026l']

export function openScreen(write: (text: string) => void, columns: () => number): Screen {
  let live: readonly string[] = []
  const put = (text: string, lines: readonly string[]): void => {
    write(`${HOLD}${eraseSequence(live, columns())}${text}${lines.join('\n')}${SHOW}`)
    live = lines
  }
  return {
    above: put,
    draw: (lines) => {
      if (lines.join('\n') !== live.join('\n')) put('', lines)
    },
    clear: () => {
      if (live.length > 0) put('', [])
    },
  }
}

/** Back to where the live part begins, and nothing after it. In a window that became narrower its lines take more rows. */
function eraseSequence(live: readonly string[], columns: number): string {
  if (live.length === 0) return ''
  const rows = live.reduce(
    (sum, line) => sum + Math.max(1, Math.ceil(width(shownText(line)) / Math.max(1, columns))),
    0,
  )
  return `\r${rows === 1 ? '' : `\u001B[${rows - 1}A`}\u001B[J`
}
