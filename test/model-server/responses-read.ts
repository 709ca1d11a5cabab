// Reads requests of the OpenAI Responses API, and checks every field.
import type { Ask, Message } from './ask.ts'

type Fields = Readonly<Record<string, unknown>>

export function readResponses(body: unknown): Ask {
  const { model, instructions, tools, input, stream } = record(body)
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : list(input)
  return {
    model: text(model),
    system: text(instructions),
    tools: list(tools).flatMap(toolNames),
    messages: turns(items.flatMap((item) => messageOf(record(item)) ?? [])),
    streams: stream === true,
  }
}

/** The tools of an MCP server come as one group with a name. */
function toolNames(value: unknown): readonly string[] {
  const { type, name, tools } = record(value)
  if (type !== 'namespace') return [text(name) || text(type)]
  return list(tools).map((tool) => flatName(text(name), text(record(tool)['name'])))
}

/** `mcp__ralph` and `task_peek` → `mcp__ralph__task_peek`, as other APIs have it. */
function flatName(namespace: string, name: string): string {
  return namespace === '' ? name : `${namespace.replace(/_+$/, '')}__${name}`
}

/** Null for an item that is no message. */
function messageOf(item: Fields): Message | null {
  const nothing = { texts: [], calls: [], results: [] }
  switch (item['type'] ?? 'message') {
    case 'message':
      return { ...nothing, from: speakerOf(item['role']), texts: textsIn(item['content']) }
    case 'function_call':
    case 'custom_tool_call': {
      const call = { id: text(item['call_id']), tool: flatName(text(item['namespace']), text(item['name'])) }
      return { ...nothing, from: 'model', calls: [{ ...call, input: inputOf(item['arguments'] ?? item['input']) }] }
    }
    case 'function_call_output':
    case 'custom_tool_call_output': {
      const result = { id: text(item['call_id']), text: textsIn(item['output']).join('\n'), isError: false }
      return { ...nothing, from: 'user', results: [result] }
    }
    case 'reasoning':
      return { ...nothing, from: 'model' }
    default:
      return null
  }
}

function speakerOf(role: unknown): Message['from'] {
  return role === 'assistant' ? 'model' : role === 'user' ? 'user' : 'system'
}

/** Joins the items that one side sends in a row into one message. */
function turns(items: readonly Message[]): Message[] {
  const merged: Message[] = []
  for (const item of items) {
    const last = merged.at(-1)
    if (last?.from !== item.from) merged.push(item)
    else
      merged[merged.length - 1] = {
        from: item.from,
        texts: [...last.texts, ...item.texts],
        calls: [...last.calls, ...item.calls],
        results: [...last.results, ...item.results],
      }
  }
  return merged
}

function textsIn(content: unknown): readonly string[] {
  if (typeof content === 'string') return [content]
  return list(content).map((part) => text(record(part)['text']))
}

function inputOf(value: unknown): unknown {
  try {
    return JSON.parse(text(value))
  } catch {
    return text(value)
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function record(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}
