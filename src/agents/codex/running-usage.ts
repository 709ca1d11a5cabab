// The usage of a session so far. Codex reports it once, at the end of a successful session. Until then it is
// estimated from the stream, so that a budget can stop a session and a failed session is not free.
import type { Usage } from '../agent.ts'

/** So many characters count as one token. */
const CHARACTERS_PER_TOKEN = 4

export interface RunningUsage {
  /** Adds text of the model. */
  readonly addOutput: (characters: number) => void
  /** Adds the result of a tool: the model reads the whole conversation again. */
  readonly addInput: (characters: number) => void
  readonly total: () => Usage
  /** The usage that Codex reports replaces the estimate. */
  readonly setExact: (usage: Usage) => void
}

export function runningUsage(promptLength: number): RunningUsage {
  let conversation = promptLength
  let read = 0
  let said = 0
  let exact: Usage | null = null
  return {
    addOutput: (characters) => {
      if (read === 0) read = conversation
      conversation += characters
      said += characters
    },
    addInput: (characters) => {
      conversation += characters
      read += conversation
    },
    total: () => exact ?? { inputTokens: tokens(read), outputTokens: tokens(said), costUsd: null },
    setExact: (usage) => {
      exact = usage
    },
  }
}

function tokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN)
}
