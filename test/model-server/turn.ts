// What a model says next, whatever the wire it says it on.

export type Turn = Reply | Refusal

export interface Reply extends Delivery {
  readonly says: readonly Piece[]
  readonly tokens?: Partial<Tokens>
  /** Why it stops before it is done. */
  readonly stops?: 'length' | 'refusal'
}

export type Piece =
  | { readonly text: string }
  | { readonly thinking: string }
  | { readonly call: string; readonly input: Readonly<Record<string, unknown>> }

export interface Tokens {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
}

export const TOKENS: Tokens = { input: 1000, output: 50, cacheRead: 0, cacheWrite: 0 }

export interface Refusal extends Delivery {
  readonly refuses: Fault
  /** In place of the usual words. */
  readonly words?: string
  /** When the limit is over, where the fault is one. */
  readonly resetsInSeconds?: number
}

export const FAULTS = [
  'auth',
  'forbidden',
  'rateLimit',
  'server',
  'overload',
  'credit',
  'tooLong',
  'unknownModel',
  /** The scenario has nothing to say to this. */
  'unscripted',
] as const
export type Fault = (typeof FAULTS)[number]

/** How the answer travels. */
export interface Delivery {
  /** Before its first byte. */
  readonly lagMs?: number
  /** Between its parts. */
  readonly paceMs?: number
  /** It ends after so many parts: the connection breaks, or nothing more comes, or a fault follows. */
  readonly cut?: { readonly afterParts: number; readonly by: 'drop' | 'hang' | Fault }
}

export function say(...texts: readonly string[]): Reply {
  return { says: texts.map((text) => ({ text })) }
}

export function call(tool: string, input: Readonly<Record<string, unknown>>): Reply {
  return { says: [{ call: tool, input }] }
}

export function refuse(fault: Fault, more: Omit<Refusal, 'refuses'> = {}): Refusal {
  return { refuses: fault, ...more }
}

/** Never says anything. */
export const hang: Reply = { says: [], cut: { afterParts: 0, by: 'hang' } }
