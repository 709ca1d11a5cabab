// The schema of an answer for each role. Null fields are removed before anybody reads the answer. The reader
// decides whether an answer is usable.
import { answerSchema, patchSchema } from '../../core/role-answers/answer-schema.ts'
import type { Role } from '../agent.ts'
import type { Schema } from './request.ts'

/** Null: it answers in words. */
export function schemaOf(role: Role, tools: 'own' | 'none'): Schema | null {
  if (role !== 'implementer') return answerSchema(role) as Schema
  return tools === 'none' ? (patchSchema as Schema) : null
}

/** As it is where it is no JSON. */
export function withoutNulls(json: string): string {
  try {
    return JSON.stringify(cleaned(JSON.parse(json)))
  } catch {
    return json
  }
}

function cleaned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cleaned)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).filter(([, one]) => one !== null)
  return Object.fromEntries(fields.map(([name, one]) => [name, cleaned(one)]))
}
