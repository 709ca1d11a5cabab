// The agent's last words, as lines for the live view: bounded, whatever it prints.
import { firstLine, shownText } from './sanitize.ts'

const LINES_KEPT_MAX = 8
const TEXT_READ_MAX = 4_000

/** The events of an agent at work. */
export type AgentEvent =
  | { readonly type: 'text' | 'thinking' | 'log'; readonly text: string }
  | { readonly type: 'toolUse'; readonly tool: string; readonly input: string }
  | { readonly type: 'toolResult'; readonly tool: string; readonly output: string; readonly isError: boolean }
  | { readonly type: 'usage' }

export function withWords(lines: readonly string[], event: AgentEvent): readonly string[] {
  const words = wordsOf(event)
  return words.length === 0 ? lines : [...lines, ...words].slice(-LINES_KEPT_MAX)
}

function wordsOf(event: AgentEvent): readonly string[] {
  switch (event.type) {
    case 'text':
    case 'thinking':
    case 'log':
      return event.text
        .slice(-TEXT_READ_MAX)
        .split('\n')
        .map((line) => shownText(line).trimEnd())
        .filter((line) => line !== '')
    case 'toolUse':
      return [`→ ${shownText(event.tool)} ${firstLine(event.input)}`.trimEnd()]
    case 'toolResult':
      return event.isError ? [`✗ ${shownText(event.tool)} ${firstLine(event.output)}`.trimEnd()] : []
    case 'usage':
      return []
  }
}
