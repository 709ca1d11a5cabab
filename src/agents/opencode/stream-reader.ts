// Reads the output of `opencode run --format json` line by line. A tool is reported when it has ended. There is no
// result line: the last step without a tool call is the result.
import type { AgentEvent, Reader, Result, Usage } from '../agent.ts'
import { NOTHING_USED } from '../agent.ts'
import { isCut, textFrom, wordIn } from '../shared/cut-line.ts'
import { count, type Fields, fields, numberOrNull, text, parseObject } from '../shared/fields.ts'
import { spokenText, type SpokenText } from '../shared/spoken-text.ts'
import { failureOfError, failureOfStop } from './ending.ts'
import { type StreamErrors, streamErrors } from './stream-errors.ts'

interface Memory {
  readonly now: () => number
  readonly words: SpokenText
  readonly errors: StreamErrors
  usage: Usage
  result: Result | null
}

export function opencodeReader(now: () => number): Reader {
  const errors = streamErrors(now)
  const memory: Memory = { now, words: spokenText('text'), errors, usage: NOTHING_USED, result: null }
  return {
    usage: () => memory.usage,
    result: () => memory.result,
    end: memory.words.end,
    trouble: errors.last,
    aside: (line) => {
      const failure = errors.readLine(line)
      if (failure !== null) memory.result ??= { failure }
    },
    line: (line) => {
      if (line === '') return []
      const record = isCut(line) ? cutRecord(line) : parseObject(line)
      return record === null ? [{ type: 'log', text: line }] : eventsOf(memory, record)
    },
  }
}

function eventsOf(memory: Memory, record: Fields): AgentEvent[] {
  const { words } = memory
  const part = fields(record['part'])
  if (record['type'] !== 'error') memory.errors.over()
  switch (record['type']) {
    case 'text':
      return words.add(`${text(part['text'])}\n`)
    case 'reasoning':
      return text(part['text']) === '' ? [] : [{ type: 'thinking', text: text(part['text']) }]
    case 'tool_use':
      return [...words.end(), ...toolEvents(part)]
    case 'step_finish':
      return stepOver(memory, part)
    case 'error':
      memory.result = { failure: failureOfError(fields(record['error']), memory.now()) }
      return words.end()
    default:
      return []
  }
}

function toolEvents({ tool: name, state }: Fields): AgentEvent[] {
  const { status, input, output, error, metadata } = fields(state)
  const { command } = fields(input)
  const tool = text(name)
  const given = tool === 'bash' && typeof command === 'string' ? command : JSON.stringify(input ?? null)
  const isError = status === 'error' || (numberOrNull(fields(metadata)['exit']) ?? 0) !== 0
  return [
    { type: 'toolUse', tool, input: given },
    { type: 'toolResult', tool, output: text(output) || text(error), isError },
  ]
}

/** Steps that are not the last. */
const GOES_ON = new Set(['tool-calls', 'unknown'])

function stepOver(memory: Memory, { reason, tokens, cost }: Fields): AgentEvent[] {
  const { input, output, reasoning, cache } = fields(tokens)
  const { read, write } = fields(cache)
  const spent = (memory.usage.costUsd ?? 0) + count(cost)
  memory.usage = {
    inputTokens: memory.usage.inputTokens + count(input) + count(read) + count(write),
    outputTokens: memory.usage.outputTokens + count(output) + count(reasoning),
    // A model whose price it does not know costs it nothing.
    costUsd: spent === 0 ? null : spent,
  }
  const usage: AgentEvent = { type: 'usage', usage: memory.usage }
  if (GOES_ON.has(text(reason))) return [usage]
  const said = memory.words.end()
  const why = failureOfStop(text(reason))
  // An error that came before has the last word.
  memory.result ??= why === null ? { finalMessage: memory.words.finalMessage() } : { failure: why }
  return [...said, usage]
}

/** A line that is cut: its kind, and the beginning of its text. */
function cutRecord(line: string): Fields {
  const type = wordIn(line, 'type')
  if (type === 'tool_use')
    return {
      type,
      part: { tool: wordIn(line, 'tool'), state: { status: 'completed', input: '(more than 1 MiB, left out)' } },
    }
  const at = line.indexOf('"text":"')
  return { type, part: { text: at === -1 ? '' : textFrom(line, at + '"text":"'.length) } }
}
