// The parts of every route of the contract.
import { z } from 'zod'

export interface Route {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly about: string
  readonly params: z.ZodType
  readonly query: z.ZodType
  readonly body: z.ZodType
  readonly answer: z.ZodType
}

/** The id of a build or an idea. */
export const ref = z.string().min(1).max(128)
const TEXT_MAX = 65_536
export const text = z.string().trim().min(1).max(TEXT_MAX)
export const nothing = z.object({})

export const get = <Q extends z.ZodType, P extends z.ZodType, A extends z.ZodType>(
  call: `GET ${string}`,
  about: string,
  shape: { readonly params: P; readonly query: Q; readonly answer: A },
) => ({ method: 'GET', path: call.slice('GET '.length), about, body: z.undefined(), ...shape }) as const

export const post = <P extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
  call: `POST ${string}`,
  about: string,
  shape: { readonly params: P; readonly body: B; readonly answer: A },
) => ({ method: 'POST', path: call.slice('POST '.length), about, query: nothing, ...shape }) as const
