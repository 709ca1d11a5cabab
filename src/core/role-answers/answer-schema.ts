// The answers of the roles that answer in JSON, as JSON Schema for agents that can constrain a model. It is the strict
// kind that model APIs accept: every field is required, and an optional one may be null. The answer is still validated:
// a schema cannot check that its parts fit together.
import { TECHNIQUES } from './sia.ts'
import { SIGNALS } from '../session/signal.ts'
import { TASK_TYPES } from '../task/task.ts'

export type Schema = Readonly<Record<string, unknown>>

const text: Schema = { type: 'string' }
const texts: Schema = { type: 'array', items: text }

function oneOf(values: readonly string[]): Schema {
  return { type: 'string', enum: values }
}

function object(properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}

function orNull(schema: Schema): Schema {
  return { anyOf: [schema, { type: 'null' }] }
}

const task = object({
  title: text,
  goal: text,
  acceptance: texts,
  files_expected: texts,
  type: orNull(oneOf(TASK_TYPES)),
})

const planned = object({
  id: text,
  title: text,
  goal: text,
  acceptance: texts,
  depends_on: texts,
  files_expected: texts,
  status: oneOf(['todo']),
  type: oneOf(TASK_TYPES),
  // Each is the JSON text of an example: this kind of schema cannot describe a literal of any type.
  examples: orNull(texts),
})

const schemas = {
  planner: object({ tasks: { type: 'array', items: planned }, notes: text }),
  reviewer: object({ decision: oneOf(['approve', 'request_changes']), reasons: texts, required_fixes: texts }),
  sia: object({
    type: oneOf(['fixed', 'decomposed', 'escalate']),
    technique: orNull(oneOf(TECHNIQUES)),
    modified_task: orNull(task),
    subtasks: orNull({ type: 'array', items: task }),
    agent: orNull(text),
    model: orNull(text),
    reason: orNull(text),
  }),
} as const

/** For an implementer that cannot write files. */
export const patchSchema = object({
  diff: orNull(text),
  files: orNull({ type: 'array', items: object({ path: text, content: text }) }),
  notes: text,
  signal: oneOf(SIGNALS),
  reason: orNull(text),
})

export function answerSchema(role: keyof typeof schemas): Schema {
  return schemas[role]
}
