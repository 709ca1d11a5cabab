// Reads the output of `codex exec --json` line by line, in bounded memory. Every release adds kinds of lines and
// items, so unknown ones are skipped.
import { oneLine } from '../../system/text.ts'
import type { AgentEvent, Reader, Result, Session } from '../agent.ts'
import { count, type Fields, fields, list, numberOrNull, text, parseObject } from '../shared/fields.ts'
import { isCut, textFrom, wordIn } from '../shared/cut-line.ts'
import { failureOfWords, TIED } from './ending.ts'
import { type RunningUsage, runningUsage } from './running-usage.ts'
import { shellWords } from './shell-words.ts'

export interface CodexReader extends Reader {
  /** What went wrong before a session could begin; '' where nothing did. */
  readonly lastError: () => string
}

/** The state that later lines need. */
interface Memory {
  readonly role: Session['role']
  readonly now: () => number
  readonly usage: RunningUsage
  /** Items that have begun and not ended. */
  readonly begun: Set<string>
  lastText: string
  lastError: string
  /** Calls of our own tools: how many were let through, how many were not. */
  ours: number
  refused: number
  /** Consecutive reports that the API cannot be reached. */
  unreached: number
  result: Result | null
}

export function codexReader({ role, prompt }: Pick<Session, 'role' | 'prompt'>, now: () => number): CodexReader {
  const memory: Memory = {
    role,
    now,
    usage: runningUsage(prompt.length),
    begun: new Set(),
    lastText: '',
    lastError: '',
    ours: 0,
    refused: 0,
    unreached: 0,
    result: null,
  }
  return {
    usage: memory.usage.total,
    result: () => memory.result,
    lastError: () => memory.lastError,
    line: (line) => {
      if (line === '') return []
      if (isCut(line)) return cutLine(memory, line)
      const record = parseObject(line)
      return record === null ? [log(line)] : eventsOf(memory, record)
    },
  }
}

function eventsOf(memory: Memory, record: Fields): AgentEvent[] {
  switch (record['type']) {
    case 'item.started':
      return itemStarted(memory, fields(record['item']))
    case 'item.completed':
      return itemEnded(memory, fields(record['item']))
    case 'error':
      return complained(memory, text(record['message']))
    case 'turn.completed':
      return completed(memory, fields(record['usage']))
    case 'turn.failed': {
      const words = text(fields(record['error'])['message']) || memory.lastError
      memory.result = { failure: failureOfWords(words, memory.now()) }
      return []
    }
    default:
      return []
  }
}

/** Codex retries an unreachable API without end, after 0, 5 and 15 s; a build knows how to wait for it. */
const UNREACHED_MAX = 3

function complained(memory: Memory, words: string): AgentEvent[] {
  memory.lastError = words
  memory.unreached = words.includes('waiting for network') ? memory.unreached + 1 : 0
  if (memory.unreached >= UNREACHED_MAX) memory.result = { failure: failureOfWords(words, memory.now()) }
  return [log(oneLine(words))]
}

function itemStarted({ begun: open, usage }: Memory, item: Fields): AgentEvent[] {
  const use = toolOf(item)
  if (use === null) return []
  open.add(text(item['id']))
  usage.addOutput(use.input.length)
  return [{ type: 'toolUse', ...use }]
}

function itemEnded(memory: Memory, item: Fields): AgentEvent[] {
  switch (item['type']) {
    case 'agent_message':
      memory.lastText = text(item['text'])
      return wordEvents(memory, 'text', memory.lastText)
    case 'reasoning':
      return wordEvents(memory, 'thinking', text(item['text']))
    // Warnings, such as of a model that it does not know; a session that fails says so at its end.
    case 'error':
      return [log(oneLine(text(item['message'])))]
  }
  const use = toolOf(item)
  if (use === null) return []
  const isKnown = memory.begun.delete(text(item['id']))
  noteOurs(memory, item)
  const result = { type: 'toolResult', tool: use.tool, output: outputOf(item), isError: hasFailed(item) } as const
  memory.usage.addInput(result.output.length)
  const used = { type: 'usage', usage: memory.usage.total() } as const
  return isKnown ? [result, used] : [{ type: 'toolUse', ...use }, result, used]
}

interface Use {
  readonly tool: string
  readonly input: string
}

/** Null: the item is no tool's. */
function toolOf(item: Fields): Use | null {
  switch (item['type']) {
    case 'command_execution':
      return { tool: 'shell', input: shellWords(text(item['command'])) }
    case 'file_change': {
      const changes = list(item['changes']).map(fields)
      const input = changes.map(({ kind, path }) => `${text(kind)} ${text(path)}`).join('\n')
      return { tool: 'apply_patch', input }
    }
    case 'mcp_tool_call': {
      const tool = `mcp__${text(item['server'])}__${text(item['tool'])}`
      return { tool, input: JSON.stringify(item['arguments'] ?? null) }
    }
    case 'web_search':
      return { tool: 'web_search', input: text(item['query']) }
    default:
      return null
  }
}

function outputOf(item: Fields): string {
  const error = text(fields(item['error'])['message'])
  if (error !== '') return error
  const contents = list(fields(item['result'])['content']).map(fields)
  return (
    text(item['aggregated_output']) ||
    contents.map((part) => text(part['text']) || `(${text(part['type'])})`).join('\n')
  )
}

function hasFailed(item: Fields): boolean {
  return item['status'] === 'failed' || (numberOrNull(item['exit_code']) ?? 0) !== 0
}

function noteOurs(memory: Memory, item: Fields): void {
  if (item['type'] !== 'mcp_tool_call' || item['server'] !== 'ralph') return
  if (/requires approval|not allowed|denied/i.test(text(fields(item['error'])['message']))) memory.refused += 1
  else memory.ours += 1
}

function completed(memory: Memory, usage: Fields): AgentEvent[] {
  const isTied = memory.role === 'implementer' && memory.refused > 0 && memory.ours === 0
  memory.result = isTied ? { failure: TIED } : { finalMessage: memory.lastText }
  // What came from its cache was read too, and is part of the input.
  const used = { inputTokens: count(usage['input_tokens']), outputTokens: count(usage['output_tokens']) }
  memory.usage.setExact({ ...used, costUsd: null })
  return [{ type: 'usage', usage: memory.usage.total() }]
}

/** The kind of an item, which stands after its id. */
const ITEM = /^\{"type":"item\.\w+","item":\{"id":"[^"]*","type":"(\w+)"/

/** A line that is cut: shows the beginning of a tool's result or of a message. */
function cutLine(memory: Memory, line: string): AgentEvent[] {
  const type = ITEM.exec(line)?.[1] ?? ''
  if (type === 'agent_message') {
    memory.lastText = beginningAfter(line, '"text":"')
    return [{ type: 'text', text: memory.lastText }]
  }
  if (!memory.begun.delete(wordIn(line, 'id') ?? '')) return []
  const output = beginningAfter(line, '"aggregated_output":"')
  memory.usage.addInput(output.length)
  return [{ type: 'toolResult', tool: type === 'command_execution' ? 'shell' : type, output, isError: false }]
}

function beginningAfter(line: string, key: string): string {
  const at = line.indexOf(key)
  return at === -1 ? '' : textFrom(line, at + key.length)
}

function log(words: string): AgentEvent {
  return { type: 'log', text: words }
}

function wordEvents({ usage }: Memory, type: 'text' | 'thinking', words: string): AgentEvent[] {
  usage.addOutput(words.length)
  return words === '' ? [] : [{ type, text: words }]
}
