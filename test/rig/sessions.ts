// Sessions for the scripted agent: what it does, plans and answers.

/** A task's work: a module and its test, which is green when `is` is what the test `wants`. */
export function work(name: string, is = 1, wants = is): object[] {
  const test = [
    "import { test } from 'node:test'",
    "import assert from 'node:assert/strict'",
    `import { ${name} } from './${name}.js'`,
    `test('${name}', () => assert.equal(${name}(), ${wants}))`,
    '',
  ]
  return [
    { say: `working on ${name}` },
    { write: { path: `${name}.js`, content: `export const ${name} = () => ${is}\n` } },
    { write: { path: `${name}.test.js`, content: test.join('\n') } },
    { signal: { kind: 'TASK_COMPLETE' } },
  ]
}

export const SIA_GIVES_UP = { role: 'sia', steps: [{ answer: { type: 'escalate', reason: 'I cannot count' } }] }

export interface WireTask {
  readonly id: string
  readonly depends_on?: readonly string[]
}

export const GOAL = 'Add the numbers two and three'

export function wire({ id, ...rest }: WireTask): object {
  return {
    id,
    title: `Add ${id}`,
    goal: `There is ${id}.`,
    acceptance: [`${id}() is 1`],
    depends_on: [],
    files_expected: [`${id}.js`],
    status: 'todo',
    type: 'api',
    ...rest,
  }
}

export const PLAN = { tasks: [wire({ id: 'two' }), wire({ id: 'three', depends_on: ['two'] })], notes: 'As asked.' }

export const planner = (...steps: readonly object[]): object => ({ role: 'planner', steps })
export const answers = (plan: object = PLAN): object => planner({ say: 'I see' }, { answer: plan })
export const WORKERS = ['two', 'three'].map((id) => ({ role: 'implementer', task: id, steps: work(id) }))
