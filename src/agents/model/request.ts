// One request to a model, with its answer as events. Little of a long answer stays in memory.
import type {
  JSONSchema7,
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4Message,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolCall,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider'
import { outputText, startCapture } from '../../system/process/head-tail-buffer.ts'
import type { AgentEvent } from '../agent.ts'
import type { Tokens } from '../shared/prices.ts'

/** UTF-16 units of a block that become an event, and that the next request repeats. */
const TOLD_MAX = 32_768
const KEPT_MAX = 1_000_000
/** Of one answer: some 16 million tokens. No model says so much; a broken server does. */
const SAID_MAX = 64_000_000

export interface Asked {
  readonly model: LanguageModelV4
  readonly options: LanguageModelV4CallOptions
  readonly tell: (event: AgentEvent) => void
  readonly isAlive: () => void
}

export interface Turn {
  /** What the model said, for the next request to repeat. */
  readonly message: LanguageModelV4Message
  readonly calls: readonly LanguageModelV4ToolCall[]
  /** All that was said as text; of a long one the beginning and the end. */
  readonly text: string
  readonly finish: LanguageModelV4FinishReason['unified']
  readonly tokens: Tokens
}

/** Where a stream ends without saying why. */
export class StreamBroken extends Error {}
export class SaidTooMuch extends Error {}

interface Block {
  readonly type: 'text' | 'reasoning'
  text: string
  metadata: SharedV4ProviderMetadata | undefined
}

type Content = Extract<LanguageModelV4Message, { role: 'assistant' }>['content']

/** Throws the error of the provider or of the connection. `onSaid` gets the length so far, for an answer that breaks off. */
export async function request(
  { model, options, tell, isAlive }: Asked,
  onSaid: (length: number) => void,
): Promise<Turn> {
  const { stream } = await model.doStream(options)
  const blocks = new Map<string, Block>()
  const content: Content = []
  const calls: LanguageModelV4ToolCall[] = []
  const words = startCapture()
  let finish: Extract<LanguageModelV4StreamPart, { type: 'finish' }> | null = null
  let said = 0
  const begin = (type: Block['type'], id: string): void => {
    blocks.set(`${type} ${id}`, { type, text: '', metadata: undefined })
  }
  const end = (type: Block['type'], id: string): void => {
    const block = blocks.get(`${type} ${id}`)
    blocks.delete(`${type} ${id}`)
    if (block === undefined) return
    if (block.text !== '')
      tell({ type: block.type === 'text' ? 'text' : 'thinking', text: block.text.slice(0, TOLD_MAX) })
    if (block.text !== '' || block.metadata !== undefined)
      content.push({ type: block.type, text: block.text, ...optionsOf(block.metadata) })
  }
  for await (const part of stream) {
    isAlive()
    if ('providerMetadata' in part && 'id' in part && part.providerMetadata !== undefined) {
      const block = blocks.get(`${part.type.split('-')[0]} ${part.id}`)
      if (block !== undefined) block.metadata = part.providerMetadata
    }
    switch (part.type) {
      case 'text-start':
        if (words.captured().totalBytes > 0) words.add(Buffer.from('\n\n'))
        begin('text', part.id)
        break
      case 'reasoning-start':
        begin('reasoning', part.id)
        break
      case 'text-delta':
      case 'reasoning-delta': {
        said += part.delta.length
        onSaid(said)
        if (said > SAID_MAX) throw new SaidTooMuch()
        if (part.type === 'text-delta') words.add(Buffer.from(part.delta))
        const block = blocks.get(`${part.type === 'text-delta' ? 'text' : 'reasoning'} ${part.id}`)
        if (block !== undefined && block.text.length < KEPT_MAX) block.text += part.delta
        break
      }
      case 'text-end':
        end('text', part.id)
        break
      case 'reasoning-end':
        end('reasoning', part.id)
        break
      case 'tool-call':
        calls.push(part)
        content.push({ ...callPart(part), ...optionsOf(part.providerMetadata) })
        break
      case 'error':
        throw part.error
      case 'finish':
        finish = part
        break
    }
  }
  if (finish === null || finish.finishReason.unified === 'interrupted') throw new StreamBroken()
  const message: LanguageModelV4Message = { role: 'assistant', content }
  const text = outputText(words.captured())
  return { message, calls, text, finish: finish.finishReason.unified, tokens: tokensIn(finish.usage) }
}

/** What a provider noted beside a part, such as a signature, it wants to see again. */
function optionsOf(metadata: SharedV4ProviderMetadata | undefined): { providerOptions?: SharedV4ProviderMetadata } {
  return metadata === undefined ? {} : { providerOptions: metadata }
}

function callPart({ toolCallId, toolName, input }: LanguageModelV4ToolCall) {
  return { type: 'tool-call' as const, toolCallId, toolName, input: parseJson(input) ?? {} }
}

export function parseJson(json: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(json === '' ? '{}' : json)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}

function tokensIn({ inputTokens, outputTokens }: LanguageModelV4Usage): Tokens {
  const { cacheRead = 0, cacheWrite = 0, total = 0 } = inputTokens
  return {
    input: inputTokens.noCache ?? Math.max(0, total - cacheRead - cacheWrite),
    cacheRead,
    cacheWrite,
    output: outputTokens.total ?? 0,
  }
}

export type Schema = JSONSchema7
