// Reads the output of `gemini --output-format stream-json` line by line. Unknown lines are skipped.
import type { AgentEvent, Reader, Result, Usage } from '../agent.ts'
import { NOTHING_USED } from '../agent.ts'
import { isCut, textFrom, wordIn } from '../shared/cut-line.ts'
import { type Fields, fields, text, parseObject } from '../shared/fields.ts'
import { spokenText, type SpokenText } from '../shared/spoken-text.ts'
import { toolsUnderWay, type ToolsUnderWay } from '../shared/tools-under-way.ts'
import { failureOfResult } from './ending.ts'
import { usageIn } from './gemini-usage.ts'
import type { LoginFound } from './login.ts'

interface Memory {
  readonly now: () => number
  readonly paidBy: LoginFound['paidBy']
  readonly words: SpokenText
  readonly tools: ToolsUnderWay
  usage: Usage
  lastError: string
  result: Result | null
}

export function geminiReader(now: () => number, paidBy: LoginFound['paidBy']): Reader {
  const memory: Memory = {
    now,
    paidBy,
    words: spokenText('text'),
    tools: toolsUnderWay(),
    usage: NOTHING_USED,
    lastError: '',
    result: null,
  }
  return {
    usage: () => memory.usage,
    result: () => memory.result,
    end: memory.words.end,
    line: (line) => {
      if (line === '') return []
      const record = isCut(line) ? cutRecord(line) : parseObject(line)
      return record === null ? [{ type: 'log', text: line }] : eventsOf(memory, record)
    },
  }
}

function eventsOf(memory: Memory, record: Fields): AgentEvent[] {
  const { words, tools } = memory
  switch (record['type']) {
    case 'message':
      return record['role'] === 'assistant' ? words.add(text(record['content'])) : []
    case 'tool_use':
      return [...words.end(), tools.begin(text(record['tool_id']), text(record['tool_name']), inputText(record))]
    case 'tool_result': {
      const output = text(record['output']) || text(fields(record['error'])['message'])
      return [...words.end(), ...tools.finish(text(record['tool_id']), output, record['status'] === 'error')]
    }
    case 'error':
      memory.lastError = text(record['message'])
      return [{ type: 'log', text: memory.lastError }]
    case 'result':
      return ending(memory, record)
    default:
      return []
  }
}

function ending(memory: Memory, record: Fields): AgentEvent[] {
  const said = memory.words.end()
  const why = failureOfResult(record, memory.lastError, memory.now())
  memory.result = why === null ? { finalMessage: memory.words.finalMessage() } : { failure: why }
  const used = usageIn(fields(record['stats']), memory.paidBy)
  if (used === null) return said
  memory.usage = used
  return [...said, { type: 'usage', usage: used }]
}

/** The command of a shell tool, all arguments of any other. */
function inputText({ tool_name: name, parameters }: Fields): string {
  if (typeof parameters === 'string') return parameters
  const { command } = fields(parameters)
  return name === 'run_shell_command' && typeof command === 'string' ? command : JSON.stringify(parameters ?? null)
}

/** A line that is cut: its short fields, and the beginning of the long one. */
function cutRecord(line: string): Fields {
  const short = Object.fromEntries(
    ['type', 'role', 'tool_id', 'tool_name', 'status'].flatMap((key) => {
      const word = wordIn(line.slice(0, 2000), key)
      return word === null ? [] : [[key, word]]
    }),
  )
  const long = /"(?:content|output)":"/.exec(line)
  const beginning = long === null ? '' : textFrom(line, long.index + long[0].length)
  return { ...short, content: `${beginning}\n`, output: beginning, parameters: '(more than 1 MiB, left out)' }
}
