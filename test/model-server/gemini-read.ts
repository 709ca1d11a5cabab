// Reads requests of the Gemini API, and checks every field.
import type { Ask, Message, ToolCall, ToolResult } from './ask.ts'

export function readGemini(body: unknown, model: string, streams: boolean): Ask {
  const { systemInstruction, tools, contents } = record(body)
  const declared = list(tools).flatMap((tool) => list(record(tool)['functionDeclarations']))
  return {
    model,
    system: textsOf(systemInstruction).join('\n'),
    tools: declared.map((tool) => text(record(tool)['name'])),
    messages: list(contents).map(message),
    streams,
  }
}

function message(value: unknown): Message {
  const parts = list(record(value)['parts']).map(record)
  return {
    from: record(value)['role'] === 'model' ? 'model' : 'user',
    texts: textsOf(value),
    calls: parts.flatMap(({ functionCall }) => (functionCall === undefined ? [] : [toolCall(record(functionCall))])),
    results: parts.flatMap(({ functionResponse }) =>
      functionResponse === undefined ? [] : [toolResult(record(functionResponse))],
    ),
  }
}

function textsOf(content: unknown): string[] {
  const parts = list(record(content)['parts']).map(record)
  return parts.flatMap(({ text: words, thought }) => (typeof words === 'string' && thought !== true ? [words] : []))
}

function toolCall({ id, name, args }: Readonly<Record<string, unknown>>): ToolCall {
  return { id: text(id) || text(name), tool: text(name), input: args }
}

function toolResult({ id, name, response }: Readonly<Record<string, unknown>>): ToolResult {
  const { output, content, error } = record(response)
  const words = text(output) || text(content) || text(error) || JSON.stringify(response ?? null)
  return { id: text(id) || text(name), text: words, isError: error !== undefined }
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
