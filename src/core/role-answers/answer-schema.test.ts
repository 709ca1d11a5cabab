import { describe, expect, it } from 'vitest'
import { answerSchema, patchSchema, type Schema } from './answer-schema.ts'
import { readBuildGraph } from '../plan/build-graph.ts'
import { taskId } from '../values/id.ts'
import { readReview } from '../attempt/review.ts'
import { readIntervention } from './sia.ts'

/** A value of the schema, with null where it is allowed. */
function example(schema: Schema): unknown {
  if ('anyOf' in schema) return null
  if ('enum' in schema) return (schema['enum'] as string[])[0]
  switch (schema['type']) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema['properties'] as Record<string, Schema>).map(([name, one]) => [name, example(one)]),
      )
    case 'array':
      return [example(schema['items'] as Schema)]
    default:
      return 'a'
  }
}

function objectsIn(schema: Schema): Schema[] {
  const inner = Object.values(schema).flatMap((value) => (typeof value === 'object' && value !== null ? [value] : []))
  const found = inner.flatMap((value) => objectsIn(value as Schema))
  return schema['type'] === 'object' ? [schema, ...found] : found
}

describe('the form of an answer', () => {
  it.each([
    ['planner', answerSchema('planner')],
    ['reviewer', answerSchema('reviewer')],
    ['sia', answerSchema('sia')],
    ['implementer that cannot write files', patchSchema],
  ] as const)('of the %s names every field as required, and no others', (_, schema) => {
    const objects = objectsIn(schema)
    expect(objects.length).toBeGreaterThan(0)
    for (const { properties, required, additionalProperties } of objects)
      expect([required, additionalProperties]).toEqual([Object.keys(properties as object), false])
  })

  it('is one that is understood', () => {
    const said = (role: 'planner' | 'reviewer' | 'sia', more: object): string =>
      JSON.stringify({ ...(example(answerSchema(role)) as object), ...more })
    const plan = { tasks: [{ ...(example(answerSchema('planner')) as { tasks: object[] }).tasks[0], depends_on: [] }] }
    expect(readBuildGraph(said('planner', plan), { tasksMax: 15, known: new Set() })).toMatchObject({ ok: true })
    expect(readReview(said('reviewer', {}))).toMatchObject({ ok: true })
    const task = { title: 'a', goal: 'b', acceptance: [], files_expected: [] }
    const read = (more: object) => readIntervention(said('sia', more), taskId('t'), [], new Set())
    expect(read({ technique: 'fresh_start', modified_task: task })).toMatchObject({ ok: true })
    expect(read({ type: 'decomposed', technique: 'fresh_start', subtasks: [task, task] })).toMatchObject({ ok: true })
    expect(read({ type: 'escalate', reason: 'why' })).toMatchObject({ ok: true })
  })
})
