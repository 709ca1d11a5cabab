import { withoutControls } from '../core/test-output/plain-lines.ts'
import { cutToBytes, utf8Length } from '../core/values/text-bounds.ts'

/** Enough for a failing test's message and the summary. */
export const TAIL_BYTES_MAX = 4096
/** Colours and cursor movements take space and are not shown. */
export const TAIL_BYTES_READ = 8 * TAIL_BYTES_MAX

/** The last whole lines that fit, without colours; the end of the last line where that alone is too long. */
export function tailOf(text: string, start: 'whole' | 'cut'): string {
  const plain = withoutControls(text)
  const shown = start === 'cut' ? plain.slice(plain.indexOf('\n') + 1) : plain
  let at = shown.length
  for (let bytes = 0; at > 0;) {
    const before = at === 1 ? 0 : shown.lastIndexOf('\n', at - 2) + 1
    bytes += utf8Length(shown.slice(before, at))
    if (bytes > TAIL_BYTES_MAX) break
    at = before
  }
  const tail = shown.slice(at)
  return tail === '' ? endOf(shown) : tail
}

function endOf(line: string): string {
  const end = [...line.slice(-TAIL_BYTES_MAX)].reverse().join('')
  return [...cutToBytes(end, TAIL_BYTES_MAX)].reverse().join('')
}
