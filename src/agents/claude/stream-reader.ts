// Reads the output of `claude -p --output-format stream-json --verbose` line by line, in bounded memory. The order
// of keys differs between versions, and every release adds kinds of lines, so unknown ones are skipped.
import { oneLine } from '../../system/text.ts'
import type { AgentEvent, Reader, Result, Role } from '../agent.ts'
import { failureOfEnding } from './ending.ts'
import { isCut } from '../shared/cut-line.ts'
import { count, type Fields, fields, list, numberOrNull, text, parseObject } from '../shared/fields.ts'
import { isLongEnding, longText, longToolResult, longToolUse } from './long-line.ts'
import { type RunningUsage, runningUsage } from './running-usage.ts'
import { type ToolsInHand, toolsInHand } from './running-tools.ts'

/** From here on only the parts of a tool's result that are shown are decoded. */
const LONG_LINE_LENGTH = 32_768

/** The beginnings of lines that never matter; there may be thousands of them. */
const PASSED_OVER = /^\{"type":"(?:stream_event"|system","subtype":"(?:task_|thinking_tokens|background_|hook_|status))/

/** The first one may come from a login that is just renewed, the second may be an accident. */
const REFUSED_LOGINS_MAX = 3

/** The state that later lines need. */
interface Memory {
  readonly role: Role
  readonly now: () => number
  readonly usage: RunningUsage
  readonly tools: ToolsInHand
  /** Ids of refusals reported when they happened; older versions report them only at the end. */
  readonly toldRefusals: Set<string>
  /** The last words of the main agent. */
  lastText: string
  /** The CLI's name of the error in the message that it sent in place of the model. */
  errorNames: readonly string[]
  hasSpoken: boolean
  resetsAt: number | null
  result: Result | null
}

export function claudeReader(role: Role, now: () => number): Reader {
  const memory: Memory = {
    role,
    now,
    usage: runningUsage(),
    tools: toolsInHand(),
    toldRefusals: new Set(),
    lastText: '',
    errorNames: [],
    hasSpoken: false,
    resetsAt: null,
    result: null,
  }
  return {
    usage: memory.usage.total,
    result: () => memory.result,
    line: (line) => {
      if (line === '' || PASSED_OVER.test(line)) return []
      const long = line.length > LONG_LINE_LENGTH ? longToolResult(line) : null
      if (long !== null) return memory.tools.finish(long.id, long.output, long.isError)
      if (isCut(line)) return cutLine(memory, line)
      const record = parseObject(line)
      return record === null ? [log(line)] : eventsOf(memory, record)
    },
  }
}

/** A line that is cut. Of a result that is too long, the last message of the session counts. */
function cutLine(memory: Memory, line: string): AgentEvent[] {
  const use = longToolUse(line)
  if (use !== null) return [memory.tools.begin(use.id, use.tool, use.input)]
  const words = longText(line)
  if (words !== null) {
    memory.lastText = words
    return [{ type: 'text', text: words }]
  }
  if (isLongEnding(line)) memory.result = { finalMessage: memory.lastText }
  return []
}

function eventsOf(memory: Memory, record: Fields): AgentEvent[] {
  switch (record['type']) {
    case 'assistant':
      return assistant(memory, record)
    case 'user':
      return user(memory, record)
    case 'system':
      return system(memory, record)
    case 'rate_limit_event':
      return limit(memory, fields(record['rate_limit_info']))
    case 'result':
      return ending(memory, record)
    default:
      return []
  }
}

function assistant(memory: Memory, record: Fields): AgentEvent[] {
  const message = fields(record['message'])
  const isModel = message['model'] !== '<synthetic>'
  memory.hasSpoken ||= isModel
  memory.errorNames = isModel ? [] : [text(record['error']), text(record['api_error'])]
  const isMain = isModel && (record['parent_tool_use_id'] ?? null) === null
  const events = list(message['content']).flatMap((value): AgentEvent[] => {
    const block = fields(value)
    switch (block['type']) {
      case 'text':
        if (isMain) memory.lastText = text(block['text'])
        // A message of the CLI about an error is not a message of the agent.
        return wordEvents(isModel ? 'text' : 'log', block['text'])
      case 'thinking':
        return wordEvents('thinking', block['thinking'])
      case 'tool_use':
        return [memory.tools.begin(text(block['id']), text(block['name']), inputText(block))]
      default:
        return []
    }
  })
  return memory.usage.message(message) ? [...events, { type: 'usage', usage: memory.usage.total() }] : events
}

function user({ tools }: Memory, record: Fields): AgentEvent[] {
  return list(fields(record['message'])['content']).flatMap((value) => {
    const block = fields(value)
    if (block['type'] !== 'tool_result') return []
    return tools.finish(text(block['tool_use_id']), outputText(block['content']), block['is_error'] === true)
  })
}

function system(memory: Memory, record: Fields): AgentEvent[] {
  switch (record['subtype']) {
    case 'init': {
      const servers = list(record['mcp_servers']).map(fields)
      const isLost = servers.some(({ name, status }) => name === 'ralph' && status === 'failed')
      return isLost ? [log('The MCP server of Ralph did not start: the agent works without its tools.')] : []
    }
    case 'permission_denied':
      memory.toldRefusals.add(text(record['tool_use_id']))
      return [log(`Refused ${text(record['tool_name'])}: ${oneLine(text(record['message']))}`)]
    case 'api_retry': {
      const status = numberOrNull(record['error_status']) ?? text(record['error'])
      if (status === 401 && count(record['attempt']) >= REFUSED_LOGINS_MAX) memory.result = refusedLogin(memory)
      const tries = `try ${count(record['attempt'])} of ${count(record['max_retries'])}`
      return [log(`The API failed (${status}); ${tries} in ${(count(record['retry_delay_ms']) / 1000).toFixed(1)} s.`)]
    }
    default:
      return []
  }
}

/** Fails earlier than the CLI itself, which takes half a minute; a result that still comes counts. */
function refusedLogin({ hasSpoken, now }: Memory): Result | null {
  const said = { subtype: '', terminalReason: '', stopReason: '', names: [], words: '', resetsAt: null, blocked: [] }
  const failure = failureOfEnding({ ...said, isError: true, turns: 1, status: 401, hasSpoken }, now())
  return failure === null ? null : { failure }
}

function limit(memory: Memory, info: Fields): AgentEvent[] {
  const seconds = numberOrNull(info['resetsAt'])
  if (info['status'] === 'rejected' && seconds !== null) memory.resetsAt = seconds * 1000
  if (info['status'] !== 'allowed_warning') return []
  const reset = seconds === null ? '' : `; it resets at ${new Date(seconds * 1000).toISOString()}`
  return [log(`The limit ${oneLine(text(info['rateLimitType']))} of the account is nearly reached${reset}.`)]
}

function ending(memory: Memory, record: Fields): AgentEvent[] {
  const { role, usage, tools, toldRefusals, errorNames, hasSpoken, resetsAt } = memory
  const refusals = list(record['permission_denials']).map(fields)
  const failure = failureOfEnding(
    {
      isError: record['is_error'] === true,
      subtype: text(record['subtype']),
      terminalReason: text(record['terminal_reason']),
      stopReason: text(record['stop_reason']),
      turns: count(record['num_turns']),
      status: numberOrNull(record['api_error_status']),
      names: [...errorNames, text(record['api_error']), text(record['api_error_type'])],
      words: text(record['result']) || list(record['errors']).map(text).join('; '),
      hasSpoken,
      resetsAt,
      blocked: role === 'implementer' ? tools.blocked(refusals.map((refusal) => text(refusal['tool_name']))) : [],
    },
    memory.now(),
  )
  memory.result = failure === null ? { finalMessage: text(record['result']) } : { failure }
  const hasGrown = usage.result(record)
  const untold = refusals.filter((refusal) => !toldRefusals.has(text(refusal['tool_use_id'])))
  const told = untold.map((refusal) => log(`Refused ${text(refusal['tool_name'])}.`))
  return hasGrown ? [...told, { type: 'usage', usage: usage.total() }] : told
}

function log(words: string): AgentEvent {
  return { type: 'log', text: words }
}

function wordEvents(type: 'text' | 'thinking' | 'log', words: unknown): AgentEvent[] {
  return text(words) === '' ? [] : [{ type, text: text(words) }]
}

/** The command of a shell tool, all arguments of any other. */
function inputText({ name, input }: Fields): string {
  const command = fields(input)['command']
  return name === 'Bash' && typeof command === 'string' ? command : JSON.stringify(input ?? null)
}

function outputText(content: unknown): string {
  if (typeof content === 'string') return content
  const blocks = list(content).map(fields)
  return blocks.map((block) => text(block['text']) || `(${text(block['type'])})`).join('\n')
}
