// Reads requests of a chat-completions API, and checks every field.
import type { Ask, Message } from './ask.ts'

export function readChat(body: unknown): Ask {
  const { model, tools, messages, stream } = record(body)
  const all = list(messages).map(record)
  const [first] = all
  const isSystem = first !== undefined && isSystemRole(first['role'])
  return {
    model: text(model),
    system: isSystem ? textOf(first['content']).join('\n') : '',
    tools: list(tools).map((tool) => text(record(record(tool)['function'])['name'])),
    messages: all.slice(isSystem ? 1 : 0).map(message),
    streams: stream === true,
  }
}

function isSystemRole(role: unknown): boolean {
  return role === 'system' || role === 'developer'
}

function message(fields: Fields): Message {
  const { role, content, tool_calls: calls, tool_call_id: id } = fields
  if (role === 'tool')
    return {
      from: 'user',
      texts: [],
      calls: [],
      results: [{ id: text(id), text: textOf(content).join('\n'), isError: false }],
    }
  return {
    from: role === 'assistant' ? 'model' : isSystemRole(role) ? 'system' : 'user',
    texts: textOf(content),
    calls: list(calls).map((call) => {
      const { id: callId, function: called } = record(call)
      const { name, arguments: input } = record(called)
      return { id: text(callId), tool: text(name), input: parsed(text(input)) }
    }),
    results: [],
  }
}

type Fields = Readonly<Record<string, unknown>>

function textOf(content: unknown): string[] {
  if (typeof content === 'string') return [content]
  return list(content).map((part) => text(record(part)['text']))
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
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
