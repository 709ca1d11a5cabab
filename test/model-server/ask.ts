// A request to a model, independent of its API: enough for a scenario to know the role and the progress.

export interface Ask {
  readonly model: string
  readonly system: string
  /** Names of the tools it may call. */
  readonly tools: readonly string[]
  readonly messages: readonly Message[]
  /** The answer is wanted bit by bit. */
  readonly streams: boolean
}

export interface Message {
  /** Some APIs put further system text between the messages. */
  readonly from: 'user' | 'model' | 'system'
  readonly texts: readonly string[]
  readonly calls: readonly ToolCall[]
  readonly results: readonly ToolResult[]
}

export interface ToolCall {
  readonly id: string
  readonly tool: string
  readonly input: unknown
}

export interface ToolResult {
  readonly id: string
  readonly text: string
  readonly isError: boolean
}

/** How often the model has spoken in this conversation. */
export function turnsSoFar(ask: Ask): number {
  return ask.messages.filter(({ from }) => from === 'model').length
}

function resultsIn(ask: Ask): readonly ToolResult[] {
  return ask.messages.flatMap(({ results }) => results)
}

export function lastResult(ask: Ask): ToolResult | null {
  return resultsIn(ask).at(-1) ?? null
}

/** The system text, with what was added to it later. */
export function systemText(ask: Ask): string {
  const later = ask.messages.filter(({ from }) => from === 'system').flatMap(({ texts }) => texts)
  return [ask.system, ...later].join('\n')
}

/** All that people and programs have said to it as text, system text left out. */
export function toldTo(ask: Ask): string {
  return ask.messages
    .filter(({ from }) => from === 'user')
    .flatMap(({ texts }) => texts)
    .join('\n')
}
