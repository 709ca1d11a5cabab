// Loads only the AI SDK provider that is used. It calls the provider below the level at which the SDK retries, so
// one request stays one request.
import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { ModelPart } from './part.ts'

export interface OpenedModel {
  readonly model: LanguageModelV4
  /** Whether an answer by schema and tools go together; with others the tools come first, then the answer. */
  readonly schemaWithTools: boolean
}

/** An empty key is sent as none; left out, the SDK would look for one in the environment. */
export async function openModel({ provider, model, address, key }: ModelPart): Promise<OpenedModel> {
  const access = { apiKey: key ?? '', ...(address === null ? {} : { baseURL: address }) }
  switch (provider) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return { model: createAnthropic(access)(model), schemaWithTools: true }
    }
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return { model: createOpenAI(access).responses(model), schemaWithTools: true }
    }
    case 'google': {
      const { createGoogle } = await import('@ai-sdk/google')
      return { model: createGoogle(access)(model), schemaWithTools: false }
    }
    case 'openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      const settings = {
        name: 'compatible',
        baseURL: address ?? '',
        includeUsage: true,
        supportsStructuredOutputs: true,
      }
      const opened = createOpenAICompatible({ ...settings, ...(key === null ? {} : { apiKey: key }) })
      return { model: opened(model), schemaWithTools: false }
    }
  }
}
