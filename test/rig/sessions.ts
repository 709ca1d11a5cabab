// A scratch repository whose scripted agent plans too.
import { type Project, project, work } from './project.ts'

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

export function plannedProject(...sessions: readonly object[]): Project {
  const made = project()
  made.play(...sessions, ...WORKERS)
  return made
}
