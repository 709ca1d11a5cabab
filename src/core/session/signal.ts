// How an iteration signals its end. In the final message a signal stands alone on its line; the reader scans the tail
// from the end, without a regular expression over the text, so that a message of 50 MB on one line costs one pass.
import { cutToLength } from '../values/text-bounds.ts'

/** From the most cautious to the least: of two signals, the earlier one in this list wins. */
export const SIGNALS = ['TASK_STUCK', 'CHECK_WRONG', 'ITERATION_DONE', 'TASK_COMPLETE'] as const
export type SignalKind = (typeof SIGNALS)[number]

export type Signal =
  | { readonly kind: 'ITERATION_DONE' }
  | { readonly kind: 'TASK_COMPLETE' }
  | { readonly kind: 'TASK_STUCK'; readonly reason: string }
  | { readonly kind: 'CHECK_WRONG'; readonly reason: string }

export const NO_REASON = 'no reason given'

/** In UTF-16 units. */
export const REASON_LENGTH_MAX = 2_000

/** Blank lines at the very end do not count; blank lines between do. */
const TAIL_LINES = 10

/** `***` and a backtick, with room to spare; a longer run of such characters is no emphasis. */
const EMPHASIS_LENGTH_MAX = 8

/** The signal of a tool call; drops a reason where the signal has none. */
export function signalOf(kind: SignalKind, reason = ''): Signal {
  if (kind === 'ITERATION_DONE' || kind === 'TASK_COMPLETE') return { kind }
  const line = cutToLength(reason.trim(), REASON_LENGTH_MAX)
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
  return { kind, reason: line === '' ? NO_REASON : line }
}

/** The last signal among the last ten lines of an agent's final message. */
export function readSignal(finalMessage: string): Signal | null {
  let end = finalMessage.trimEnd().length
  for (let count = 0; count < TAIL_LINES && end >= 0; count += 1) {
    const start = end === 0 ? 0 : finalMessage.lastIndexOf('\n', end - 1) + 1
    const signal = signalOnLine(finalMessage.slice(start, end).trim())
    if (signal !== null) return signal
    end = start - 1
  }
  return null
}

/** The signal of the message and of the tool: where they differ, the more cautious one holds. */
export function reconcile(fromText: Signal | null, fromTool: Signal | null): Signal | null {
  if (fromText === null || fromTool === null) return fromTool ?? fromText
  if (fromText.kind === fromTool.kind)
    return 'reason' in fromTool && fromTool.reason === NO_REASON ? fromText : fromTool
  return SIGNALS.indexOf(fromText.kind) < SIGNALS.indexOf(fromTool.kind) ? fromText : fromTool
}

function signalOnLine(line: string): Signal | null {
  const opening = emphasisOf(line)
  if (opening.length > EMPHASIS_LENGTH_MAX) return null
  const kind = SIGNALS.find((name) => line.startsWith(name, opening.length))
  if (kind === undefined) return null
  const rest = line.slice(opening.length + kind.length)
  if (kind === 'ITERATION_DONE' || kind === 'TASK_COMPLETE') return isOnlyEmphasis(rest) ? signalOf(kind) : null
  return signalWithReason(kind, rest, [...opening].reverse().join(''))
}

/** `rest` is the text after the name: `: reason`, `**: reason`, `:** reason`, `: reason**` or nothing. */
function signalWithReason(kind: SignalKind, rest: string, closing: string): Signal | null {
  if (isOnlyEmphasis(rest)) return signalOf(kind)
  const closed = rest.startsWith(closing) ? rest.slice(closing.length) : rest
  const colon = closed.trimStart()
  if (!colon.startsWith(':')) return null
  const reason = colon.slice(1)
  if (closed.length < rest.length || closing === '') return signalOf(kind, reason)
  if (reason.startsWith(closing)) return signalOf(kind, reason.slice(closing.length))
  return signalOf(kind, reason.endsWith(closing) ? reason.slice(0, -closing.length) : reason)
}

function emphasisOf(text: string): string {
  let end = 0
  while (end <= EMPHASIS_LENGTH_MAX && end < text.length && '*_`~'.includes(text.charAt(end))) end += 1
  return text.slice(0, end)
}

function isOnlyEmphasis(text: string): boolean {
  return emphasisOf(text).length === text.length
}
