// A plan as JSONL, one task a line: `{"id": "a", "t": "Title", "deps": ["b"], …}`. A line holds the whole task: a
// missing field takes its default. One bad line refuses the whole plan.
import { RalphError, refuse } from '../error/error.ts'
import { type TaskId, taskId } from '../values/id.ts'
import type { PlanItem } from './plan.ts'
import { PRIORITY_DEFAULT, TASK_TYPES, type TaskText, type TaskType } from '../task/task.ts'

const LINE_LENGTH_MAX = 1_048_576
const DEPS_MAX = 1_000

export function parsePlanLines(text: string): PlanItem[] {
  const items: PlanItem[] = []
  const seen = new Map<TaskId, number>()
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    if (line.trim() === '') continue
    const item = parseLine(line, index + 1)
    const earlier = seen.get(item.id)
    if (earlier !== undefined) throw bad(item.line, `'${item.id}' stands on line ${earlier} already`)
    seen.set(item.id, item.line)
    items.push(item)
  }
  return items
}

function parseLine(line: string, number: number): PlanItem {
  const fields = jsonObject(line, number)
  const read = new FieldReader(fields, number)
  try {
    const text: TaskText = {
      title: read.text('t') ?? read.text('title') ?? '',
      description: read.text('d'),
      priority: read.number('p') ?? PRIORITY_DEFAULT,
      category: read.text('cat'),
      spec: read.text('spec'),
      ref: read.text('ref'),
      steps: read.texts('steps'),
      type: read.type(),
      acceptance: read.texts('acceptance'),
      filesExpected: read.texts('files_expected'),
    }
    return { id: taskId(read.text('id') ?? ''), text, deps: read.texts('deps').map(taskId), line: number }
  } catch (error) {
    if (error instanceof RalphError && error.code !== 'PLAN_LINE_BAD') throw bad(number, error.message)
    throw error
  }
}

class FieldReader {
  readonly #fields: Readonly<Record<string, unknown>>
  readonly #line: number

  constructor(fields: Readonly<Record<string, unknown>>, line: number) {
    this.#fields = fields
    this.#line = line
  }

  text(key: string): string | null {
    const value = this.#fields[key] ?? null
    if (value !== null && typeof value !== 'string') throw bad(this.#line, `'${key}' must be a string`)
    return value
  }

  number(key: string): number | null {
    const value = this.#fields[key] ?? null
    if (value !== null && typeof value !== 'number') throw bad(this.#line, `'${key}' must be a number`)
    return value
  }

  texts(key: string): string[] {
    const value = this.#fields[key] ?? []
    if (!Array.isArray(value) || value.length > DEPS_MAX || !value.every((item) => typeof item === 'string'))
      throw bad(this.#line, `'${key}' must be a list of at most ${DEPS_MAX} strings`)
    return value
  }

  type(): TaskType | null {
    const value = this.text('type')
    const known = TASK_TYPES.find((type) => type === value)
    if (value !== null && known === undefined) throw bad(this.#line, `'type' must be one of ${TASK_TYPES.join(', ')}`)
    return known ?? null
  }
}

function jsonObject(line: string, number: number): Readonly<Record<string, unknown>> {
  if (line.length > LINE_LENGTH_MAX) throw bad(number, `it is longer than ${LINE_LENGTH_MAX} characters`)
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw bad(number, 'it is not valid JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw bad(number, 'it is not a JSON object')
  return value as Readonly<Record<string, unknown>>
}

function bad(line: number, problem: string): RalphError {
  return refuse('PLAN_LINE_BAD', { line, problem })
}
