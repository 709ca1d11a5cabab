// The input of a model session's program on stdin. It includes the key, so that nobody who can list processes and
// their environments sees it.
import type { Role } from '../agent.ts'
import type { Price } from '../shared/prices.ts'
import type { Provider } from './providers.ts'

export interface ModelPart {
  readonly role: Role
  readonly prompt: string
  readonly provider: Provider
  readonly model: string
  readonly address: string | null
  readonly key: string | null
  /** Named where the key is refused. */
  readonly keyVariable: string | null
  readonly tools: 'own' | 'none'
  readonly maxOutputTokens: number | null
  readonly price: Price | null
  /** The socket of the engine; null where no engine listens. */
  readonly socket: string | null
}
