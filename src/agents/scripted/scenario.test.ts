import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ROLES } from '../agent.ts'
import { type Part, partFor, type Scenario } from './scenario.ts'

const any: Part = { role: null, task: null, attempt: null, iteration: null, steps: [] }
const session = { role: 'implementer', task: 't1', attempt: 2, iteration: 3 } as const

describe('the part of a session', () => {
  const first = { ...any, steps: [{ say: 'first' }] }
  const second = { ...any, steps: [{ say: 'second' }] }
  const task: Part = { ...any, task: 't1' }
  const taskAndRole: Part = { ...any, task: 't1', role: 'implementer' }
  const all: Part = { ...any, ...session }
  it.each<[string, Part[], Part | null]>([
    ['nothing where there is none', [], null],
    [
      'nothing where none fits',
      [
        { ...any, task: 't2' },
        { ...any, role: 'sia' },
        { ...any, attempt: 1 },
      ],
      null,
    ],
    ['the default', [{ ...any, task: 't2' }, any], any],
    ['the one that names more, wherever it stands', [any, task, taskAndRole, all], all],
    ['the one that names more, in the other order', [all, taskAndRole, task, any], all],
    ['not one that names more but does not fit', [{ ...all, iteration: 4 }, task], task],
    ['the first of equals', [first, second], first],
  ])('is %s', (_, parts, expected) => {
    expect(partFor({ parts }, session)).toBe(expected)
  })

  it('always fits, and none that fits names more', () => {
    const orAny = <T>(values: readonly T[]) => fc.constantFrom(null, ...values)
    const part = fc.record({
      role: orAny(ROLES),
      task: orAny(['t1', 't2']),
      attempt: orAny([1, 2]),
      iteration: orAny([1, 3]),
      steps: fc.constant([]),
    })
    const features = ['role', 'task', 'attempt', 'iteration'] as const
    const fits = (one: Part): boolean => features.every((name) => one[name] === null || one[name] === session[name])
    const named = (one: Part): number => features.filter((name) => one[name] !== null).length
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const scenario: Scenario = { parts }
        const chosen = partFor(scenario, session)
        const fitting = parts.filter(fits)
        expect(chosen === null).toBe(fitting.length === 0)
        if (chosen === null) return
        expect(fits(chosen)).toBe(true)
        expect(fitting.filter((one) => named(one) > named(chosen))).toEqual([])
      }),
    )
  })
})
