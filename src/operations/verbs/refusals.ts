// A refusal as every program sees it: a status, a code, a sentence and, for bad input, the place.
import type { z } from 'zod'
import { type RalphError, refuse } from '../../core/error/error.ts'
import { type Asked, type ErrorAnswer, type RouteName, routes } from '../contract/contract.ts'

export interface Failure {
  readonly status: number
  readonly body: ErrorAnswer
}

export type Fault = NonNullable<ErrorAnswer['error']['faults']>[number]

/** Bad input: what is wrong with it, and where. */
export function badInput(faults: readonly Fault[], cause?: unknown): RalphError {
  const problem = faults.map(({ path, problem: what }) => `${path}: ${what}`).join('; ')
  return Object.assign(refuse('INPUT_BAD', { problem }, cause), { faults })
}

export function failureOf(error: RalphError): Failure {
  const reasons = 'reasons' in error ? { reasons: error.reasons as NonNullable<ErrorAnswer['reasons']> } : {}
  const faults = 'faults' in error ? { faults: error.faults as Fault[] } : {}
  return {
    status: error.http,
    body: { error: { code: error.publicCode, message: error.message, ...faults }, ...reasons },
  }
}

/** The parts of a call in the order of checking, with the names that their faults begin with. */
const PARTS = [
  ['params', 'params'],
  ['body', 'body'],
  ['query', 'querystring'],
] as const

/** The input of a verb, validated like a server does. */
export function askedOf<Name extends RouteName>(
  name: Name,
  given: Readonly<Record<'params' | 'query' | 'body', unknown>>,
): Asked<Name> {
  const route = routes[name]
  const read = PARTS.map(([part, shown]) => [part, checked(route[part], given[part], shown)] as const)
  return Object.fromEntries(read) as unknown as Asked<Name>
}

export function checked<Schema extends z.ZodType>(schema: Schema, value: unknown, part: string): z.output<Schema> {
  const read = schema.safeParse(value)
  if (read.success) return read.data
  throw badInput(
    read.error.issues.map(({ path, message }) => ({ path: [part, ...path.map(String)].join('.'), problem: message })),
    read.error,
  )
}
