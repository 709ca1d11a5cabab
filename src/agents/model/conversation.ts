// A session with a model: requests and tool calls in turns, until an answer calls no tool.
//
//   prompt ──> request ──> tool calls? ── yes ──> results ──> request …
//                                      └─ no ───> final message, by schema where the role answers in JSON
import { setTimeout as sleep } from 'node:timers/promises'
import type { LanguageModelV4CallOptions, LanguageModelV4Message, LanguageModelV4ToolCall } from '@ai-sdk/provider'
import { type AgentEvent, NOTHING_USED, type Result, type Usage } from '../agent.ts'
import { instructions } from './instructions.ts'
import type { OpenedModel } from './open-model.ts'
import type { ModelPart } from './part.ts'
import { costOf, type Tokens } from '../shared/prices.ts'
import { cutFailure, explained } from './refusal.ts'
import { parseJson, request, type Turn } from './request.ts'
import { schemaOf, withoutNulls } from './schemas.ts'
import type { Tool } from './tools.ts'

/** Requests of one session: more than any iteration of one small change needs. */
const REQUESTS_MAX = 100
/** Retries after a broken stream or a server error, at once and with an event. The engine waits for longer troubles. */
const TRIES_MAX = 3
const RETRY_AFTER_MS = [500, 2_000] as const
/** Anthropic requires a limit; the SDK knows the models with a smaller one. */
const ANTHROPIC_OUTPUT_TOKENS = 32_000
/** The estimate for an answer that broke off uncounted. */
const CHARACTERS_PER_TOKEN = 4

export interface Teller {
  readonly tell: (event: AgentEvent) => void
  readonly isAlive: () => void
}

type Schema = ReturnType<typeof schemaOf>

export async function converse(
  part: ModelPart,
  opened: OpenedModel,
  tools: readonly Tool[],
  teller: Teller,
): Promise<Result> {
  const schema = schemaOf(part.role, part.tools)
  const meter = startMeter(part, teller)
  const messages: LanguageModelV4Message[] = opening(part)
  for (let count = 0; count < REQUESTS_MAX; count += 1) {
    const withSchema = schema !== null && (tools.length === 0 || opened.schemaWithTools) ? schema : null
    const turn = await ask(
      part,
      opened,
      { ...optionsFor(part, messages, tools), ...formatOf(withSchema) },
      teller,
      meter,
    )
    if ('failure' in turn) return turn
    messages.push(turn.message)
    if (turn.calls.length > 0) {
      messages.push({ role: 'tool', content: await resultsOf(turn.calls, tools, teller) })
      continue
    }
    const cut = cutFailure(turn.finish, part)
    if (cut !== null) return { failure: cut }
    if (schema === null) return { finalMessage: turn.text }
    if (withSchema !== null || parseJson(turn.text.trim()) !== null) return { finalMessage: withoutNulls(turn.text) }
    return asJson(part, opened, messages, schema, teller, meter)
  }
  const sentence = `the model asked for tools ${REQUESTS_MAX} times and came to no end`
  return { failure: { kind: 'badOutput', sentence, until: null } }
}

/** It has looked at all it wanted; now only the answer is wanted, in its form. */
async function asJson(
  part: ModelPart,
  opened: OpenedModel,
  messages: LanguageModelV4Message[],
  schema: NonNullable<Schema>,
  teller: Teller,
  meter: Meter,
): Promise<Result> {
  messages.push({ role: 'user', content: [{ type: 'text', text: 'Now answer with only the JSON object.' }] })
  const options = { ...optionsFor(part, messages, []), ...formatOf(schema) }
  const turn = await ask(part, opened, options, teller, meter)
  if ('failure' in turn) return turn
  const cut = cutFailure(turn.finish, part)
  return cut === null ? { finalMessage: withoutNulls(turn.text) } : { failure: cut }
}

/** The prompt is the same in every request of a session: a provider that can keep it is asked to. */
function opening({ role, prompt, tools, provider }: ModelPart): LanguageModelV4Message[] {
  const cached = provider === 'anthropic' ? { anthropic: { cacheControl: { type: 'ephemeral' } } } : undefined
  return [
    { role: 'system', content: instructions(role, tools) },
    {
      role: 'user',
      content: [{ type: 'text', text: prompt }],
      ...(cached === undefined || tools === 'none' ? {} : { providerOptions: cached }),
    },
  ]
}

function optionsFor(
  { provider, maxOutputTokens }: ModelPart,
  messages: readonly LanguageModelV4Message[],
  tools: readonly Tool[],
): LanguageModelV4CallOptions {
  const limit = maxOutputTokens ?? (provider === 'anthropic' ? ANTHROPIC_OUTPUT_TOKENS : null)
  return {
    prompt: [...messages],
    ...(limit === null ? {} : { maxOutputTokens: limit }),
    ...(tools.length === 0 ? {} : { tools: tools.map(({ definition }) => definition) }),
  }
}

function formatOf(schema: Schema): Pick<LanguageModelV4CallOptions, 'responseFormat'> {
  return schema === null ? {} : { responseFormat: { type: 'json', name: 'answer', schema } }
}

async function ask(
  part: ModelPart,
  { model }: OpenedModel,
  options: LanguageModelV4CallOptions,
  { tell, isAlive }: Teller,
  meter: Meter,
): Promise<Turn | Extract<Result, { failure: unknown }>> {
  for (let tries = 1; ; tries += 1) {
    let said = 0
    try {
      const turn = await request({ model, options, tell, isAlive }, (length) => (said = length))
      meter.add(turn.tokens)
      return turn
    } catch (error) {
      const { failure, again, isBegun = said > 0 } = explained(error, part, Date.now())
      // To count nothing would be wrong for sure.
      if (isBegun) meter.add(estimateTokens(options, said))
      if (!again || tries === TRIES_MAX) return { failure }
      tell({ type: 'log', text: `${failure.sentence}; asked again (${tries + 1} of ${TRIES_MAX})` })
      await sleep(RETRY_AFTER_MS[tries - 1])
    }
  }
}

function estimateTokens({ prompt }: LanguageModelV4CallOptions, said: number): Tokens {
  const input = Math.ceil(JSON.stringify(prompt).length / CHARACTERS_PER_TOKEN)
  return { input, cacheRead: 0, cacheWrite: 0, output: Math.ceil(said / CHARACTERS_PER_TOKEN) }
}

type ToolResults = Extract<LanguageModelV4Message, { role: 'tool' }>['content']

async function resultsOf(
  calls: readonly LanguageModelV4ToolCall[],
  tools: readonly Tool[],
  { tell }: Teller,
): Promise<ToolResults> {
  const results: ToolResults = []
  for (const { toolCallId, toolName, input } of calls) {
    tell({ type: 'toolUse', tool: toolName, input })
    const { output, isError } = await resultOf(toolName, input, tools)
    tell({ type: 'toolResult', tool: toolName, output, isError })
    const value = output === '' ? '(nothing)' : output
    results.push({
      type: 'tool-result',
      toolCallId,
      toolName,
      output: { type: isError ? 'error-text' : 'text', value },
    })
  }
  return results
}

async function resultOf(
  name: string,
  json: string,
  tools: readonly Tool[],
): Promise<{ readonly output: string; readonly isError: boolean }> {
  const tool = tools.find(({ definition }) => definition.name === name)
  const input = parseJson(json)
  if (tool === undefined) return { output: `there is no tool ${name}`, isError: true }
  if (input === null) return { output: 'the input is not a JSON object', isError: true }
  try {
    return { output: await tool.use(input), isError: false }
  } catch (error) {
    return { output: error instanceof Error ? error.message : String(error), isError: true }
  }
}

interface Meter {
  readonly add: (tokens: Tokens) => void
}

function startMeter({ price }: ModelPart, { tell }: Teller): Meter {
  let used: Usage = { ...NOTHING_USED, costUsd: price === null ? null : 0 }
  return {
    add: (tokens) => {
      used = {
        inputTokens: used.inputTokens + tokens.input + tokens.cacheRead + tokens.cacheWrite,
        outputTokens: used.outputTokens + tokens.output,
        costUsd: price === null ? null : (used.costUsd ?? 0) + costOf(tokens, price),
      }
      tell({ type: 'usage', usage: used })
    },
  }
}
