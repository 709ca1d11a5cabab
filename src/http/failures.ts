// Error answers: a code, a sentence and, for bad input, the place.
import type { FastifyError } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { RalphError, refuse } from '../core/error/error.ts'
import { badInput, type Failure, failureOf as refusedAs, type Fault } from '../operations/verbs/refusals.ts'

export const BODY_BYTES_MAX = 1024 * 1024

export function failureOf(thrown: unknown): Failure {
  return refusedAs(refusalOf(thrown))
}

function faultsOf(thrown: unknown): Fault[] {
  if (!hasZodFastifySchemaValidationErrors(thrown)) return []
  const part = thrown.validationContext ?? 'input'
  return thrown.validation.map(({ instancePath, message }) => ({
    path: [part, ...instancePath.split('/').filter((name) => name !== '')].join('.'),
    problem: message ?? 'is not what it should be',
  }))
}

function refusalOf(thrown: unknown): RalphError {
  if (thrown instanceof RalphError) return thrown
  const faults = faultsOf(thrown)
  if (faults.length > 0) return badInput(faults, thrown)
  const { code, statusCode, message } = thrown as Partial<FastifyError>
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return refuse('BODY_TOO_LARGE', { limit: BODY_BYTES_MAX / 1024 }, thrown)
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return refuse('MEDIA_TYPE', {}, thrown)
  if (code === 'FST_ERR_BAD_URL' || code === 'FST_ERR_MAX_PARAM_LENGTH')
    return refuse('INPUT_BAD', { problem: 'path: cannot be read, or a part of it is too long' }, thrown)
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return refuse('INPUT_BAD', { problem: message ?? 'the request cannot be read' }, thrown)
  return refuse('INTERNAL', { reason: message ?? String(thrown) }, thrown)
}
