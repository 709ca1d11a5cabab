// Reads requests of the Anthropic Messages API, and checks every field.
import type { Ask, Message, ToolCall, ToolResult } from './ask.ts'

export function readMessages(body: unknown): Ask {
  const { model, system, tools, messages, stream } = record(body)
  return {
    model: text(model),
    system: textOf(system),
    tools: list(tools).map((tool) => text(record(tool)['name'])),
    messages: list(messages).map(message),
    streams: stream === true,
  }
}

function message(value: unknown): Message {
  const { role, content } = record(value)
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : list(content).map(record)
  const typed = (type: string) => blocks.filter((block) => block['type'] === type)
  return {
    from: role === 'assistant' ? 'model' : role === 'system' ? 'system' : 'user',
    texts: typed('text').map((block) => text(block['text'])),
    calls: typed('tool_use').map(toolCall),
    results: typed('tool_result').map(toolResult),
  }
}

function toolCall({ id, name, input }: Readonly<Record<string, unknown>>): ToolCall {
  return { id: text(id), tool: text(name), input }
}

function toolResult(block: Readonly<Record<string, unknown>>): ToolResult {
  return { id: text(block['tool_use_id']), text: textOf(block['content']), isError: block['is_error'] === true }
}

/** A string, or blocks of which the text counts. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return list(content)
    .map((block) => text(record(block)['text']))
    .join('\n')
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
