// The forms in which roles answer, as JSON schema. Every field is required and may be null, as the strictest providers
// want it; what is null is left out before anybody reads it. Whether an answer can be used is decided by who reads it.
import { SIGNALS } from '../../core/signal.ts'
import { TECHNIQUES } from '../../core/sia.ts'
import { TASK_TYPES } from '../../core/task.ts'
import type { Role } from '../agent.ts'
import type { Schema } from './request.ts'

const text: Schema = { type: 'string' }
const texts: Schema = { type: 'array', items: text }
const textOrNull: Schema = { type: ['string', 'null'] }
const oneOf = (values: readonly string[]): Schema => ({ type: 'string', enum: [...values] })

function object(properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}

function orNull(schema: Schema): Schema {
  return { anyOf: [schema, { type: 'null' }] }
}

const planner = object({
  tasks: {
    type: 'array',
    items: object({
      id: text,
      title: text,
      goal: text,
      acceptance: texts,
      depends_on: texts,
      files_expected: texts,
      status: oneOf(['todo']),
      type: oneOf(TASK_TYPES),
    }),
  },
  notes: text,
})

const reviewer = object({ decision: oneOf(['approve', 'request_changes']), reasons: texts, required_fixes: texts })

const taskText = object({
  title: textOrNull,
  goal: textOrNull,
  acceptance: orNull(texts),
  files_expected: orNull(texts),
})

const sia = object({
  type: oneOf(['fixed', 'decomposed', 'escalate']),
  technique: orNull(oneOf(TECHNIQUES)),
  modified_task: orNull(taskText),
  subtasks: orNull({ type: 'array', items: taskText }),
  reason: textOrNull,
})

const patch = object({
  diff: textOrNull,
  files: orNull({ type: 'array', items: object({ path: text, content: text }) }),
  notes: text,
  signal: oneOf(SIGNALS),
  reason: textOrNull,
})

/** Null: it answers in words. */
export function answerSchema(role: Role, tools: 'own' | 'none'): Schema | null {
  switch (role) {
    case 'planner':
      return planner
    case 'reviewer':
      return reviewer
    case 'sia':
      return sia
    case 'implementer':
      return tools === 'none' ? patch : null
  }
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
