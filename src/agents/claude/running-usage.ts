// The usage of a session so far. Each block of a message is a line that repeats the usage of the whole message, so
// messages are counted by id. The result line then gives the exact usage, including sub-agents.
import { BoundedMap } from '../../core/values/bounded-map.ts'
import type { Usage } from '../agent.ts'
import { count, type Fields, fields, list, numberOrNull, text } from '../shared/fields.ts'

/** Messages of sub-agents come in between; an older message does not come back. */
const MESSAGES_KEPT = 64
/** The output of a message is reported only at its end; until then, so many characters count as one token. */
const CHARACTERS_PER_TOKEN = 4

interface Message {
  input: number
  said: number
  characters: number
}

export interface RunningUsage {
  readonly total: () => Usage
  /** An `assistant` record; true where the total has grown. */
  readonly message: (message: Fields) => boolean
  /** A `result` record replaces all counts; true where the total differs. */
  readonly result: (record: Fields) => boolean
}

export function runningUsage(): RunningUsage {
  const messages = new BoundedMap<string, Message>(MESSAGES_KEPT)
  let inputTokens = 0
  let outputTokens = 0
  let costUsd: number | null = null
  return {
    total: () => ({ inputTokens, outputTokens, costUsd }),
    message: (record) => {
      const usage = fields(record['usage'])
      const id = text(record['id'])
      const known = messages.get(id)
      const message = known ?? { input: 0, said: 0, characters: 0 }
      const before = { input: message.input, output: outputOf(message) }
      message.input = Math.max(message.input, inputOf(usage))
      message.said = Math.max(message.said, count(usage['output_tokens']))
      message.characters += charactersIn(record['content'])
      if (known === undefined) messages.set(id, message)
      inputTokens += message.input - before.input
      outputTokens += outputOf(message) - before.output
      return message.input !== before.input || outputOf(message) !== before.output
    },
    result: (record) => {
      const before = { inputTokens, outputTokens, costUsd }
      const exact = exactTokens(record)
      if (exact.inputTokens + exact.outputTokens > 0) ({ inputTokens, outputTokens } = exact)
      costUsd = numberOrNull(record['total_cost_usd']) ?? costUsd
      const isSame = before.inputTokens === inputTokens && before.outputTokens === outputTokens
      return !isSame || before.costUsd !== costUsd
    },
  }
}

function outputOf({ input, said, characters }: Message): number {
  // The CLI's own messages about errors cost nothing: they report no input.
  return input === 0 ? said : Math.max(said, Math.ceil(characters / CHARACTERS_PER_TOKEN))
}

function charactersIn(content: unknown): number {
  let sum = 0
  for (const block of list(content).map(fields)) {
    sum += text(block['text']).length + text(block['thinking']).length
    if (block['type'] === 'tool_use') sum += JSON.stringify(block['input'] ?? null).length
  }
  return sum
}

/** All input, including the part from the cache. */
function inputOf(usage: Fields): number {
  return (
    count(usage['input_tokens']) + count(usage['cache_creation_input_tokens']) + count(usage['cache_read_input_tokens'])
  )
}

/** By model, where the CLI reports it: only this includes sub-agents and side requests. */
function exactTokens(record: Fields): Pick<Usage, 'inputTokens' | 'outputTokens'> {
  const models = Object.values(fields(record['modelUsage'])).map(fields)
  if (models.length === 0) {
    const usage = fields(record['usage'])
    return { inputTokens: inputOf(usage), outputTokens: count(usage['output_tokens']) }
  }
  const sum = (...names: readonly string[]): number =>
    models.flatMap((model) => names.map((name) => count(model[name]))).reduce((one, other) => one + other, 0)
  return {
    inputTokens: sum('inputTokens', 'cacheReadInputTokens', 'cacheCreationInputTokens'),
    outputTokens: sum('outputTokens'),
  }
}
