// A model API without a CLI. A program of ours holds the conversation, so the engine can stop, limit and kill it
// like any other agent.
import type { Call, AgentAdapter, Failure, BorrowedCredentials, Login, Readiness, Session } from '../agent.ts'
import { modelCommand } from './model-program.ts'
import type { ModelPart } from './part.ts'
import { priceOf } from '../shared/prices.ts'
import { type Access, accessOf, type Provider } from './providers.ts'
import { modelReader } from './records.ts'
import { toolNames } from './tool-names.ts'
import type { Environment } from '../../core/values/environment.ts'

export interface ModelSettings {
  readonly provider: Provider | null
  readonly model: string | null
  readonly baseUrl: string | null
  readonly keyVariable: string | null
  readonly maxOutputTokens: number | null
  readonly inputPrice: number | null
  readonly outputPrice: number | null
  readonly tools: 'own' | 'none'
  readonly credentials: 'user' | 'none'
  readonly env: readonly string[]
}

const NO_MODEL = 'no model is set for the agent "model"; add model = "NAME" to [agent.model] in ralph.toml'

/** A proxy of the user's is used where its variable is listed in `env`. */
const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy']

export function modelAdapter(settings: ModelSettings, user: Environment): AgentAdapter {
  const provider = settings.provider ?? 'anthropic'
  const access = accessOf({ ...settings, provider }, user)
  const { model } = settings
  const price = priceOf(model ?? '', settings.inputPrice, settings.outputPrice)
  return {
    name: 'model',
    promptFile: 'unread',
    login: keyOnly(access),
    describe: ({ role }) => {
      const tools = toolNames(settings.tools, role)
      const key = access.variable === null ? 'no key' : `key from ${access.variable}`
      return `${provider} ${model ?? '(no model is set)'} at ${access.address ?? 'its own address'} (${key}; tools: ${tools.join(', ') || 'none'})`
    },
    ready: async () => readiness(provider, model, access, price === null ? 'unknown' : 'known'),
    call: async (session) => {
      const gap = missing(provider, model, access)
      if (gap !== null) return { kind: gap.kind, sentence: gap.sentence, until: null }
      return callFor(session, { ...settings, provider, model: model ?? '' }, access, { price })
    },
  }
}

function callFor(
  { role, prompt, reach }: Session,
  settings: Pick<ModelPart, 'provider' | 'model' | 'tools' | 'maxOutputTokens'> & Pick<ModelSettings, 'env'>,
  { address, key, variable }: Access,
  { price }: Pick<ModelPart, 'price'>,
): Call {
  const { provider, model, tools, maxOutputTokens } = settings
  const part: ModelPart = {
    ...{ role, prompt, provider, model, address, key, keyVariable: variable, tools, maxOutputTokens, price },
    socket: reach?.socket ?? null,
  }
  const usesProxy = settings.env.some((name) => PROXIES.includes(name))
  return {
    argv: modelCommand(),
    input: JSON.stringify(part),
    reader: modelReader(),
    ...(usesProxy ? { env: { NODE_USE_ENV_PROXY: '1' } } : {}),
  }
}

async function readiness(
  provider: Provider,
  model: string | null,
  access: Access,
  price: 'known' | 'unknown',
): Promise<Readiness> {
  const gap = missing(provider, model, access)
  if (gap !== null) return { ready: false, reason: gap.sentence }
  const key = access.variable === null ? 'no key' : `key from ${access.variable}`
  const cost =
    price === 'known'
      ? ''
      : '; its price is not known, so only tokens are counted: set input_price and output_price in [agent.model] to count dollars'
  return { ready: true, detail: `${provider} ${model} at ${access.address}, ${key}${cost}` }
}

function missing(
  provider: Provider,
  model: string | null,
  { variable, key, address }: Access,
): { readonly kind: Failure['kind']; readonly sentence: string } | null {
  if (model === null) return { kind: 'unknownCommand', sentence: NO_MODEL }
  if (address === null)
    return {
      kind: 'unknownCommand',
      sentence: `the provider ${provider} has no address of its own; add base_url = "http://HOST/v1" to [agent.model] in ralph.toml`,
    }
  if (variable === null || key !== null) return null
  const sentence = `${variable} is not set, so ${provider} cannot be asked; run: export ${variable}=YOUR_KEY   (or name the variable that holds it: key_variable in [agent.model])`
  return { kind: 'auth', sentence }
}

/** The key is all there is of a login; the home of a session stays empty. */
function keyOnly({ key }: Access): Login {
  const borrowed: BorrowedCredentials = { secrets: () => (key === null ? [] : [key]), giveBack: async () => {} }
  return { borrow: async () => borrowed, takeBackRenewed: async () => {} }
}
