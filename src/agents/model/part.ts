// What the program of a model session is handed on stdin. Its key comes this way too: who can list processes and their
// environments does not see it.
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
