import { describe, expect, it } from 'vitest'
import type { BuildFact } from '../fact/fact.ts'
import { agentId, taskId } from '../values/id.ts'
import {
  isPlanHeld,
  PLANNED,
  plannedFacts,
  type Planning,
  planningClaimed,
  planningDone,
  planningReleased,
  planningRenewed,
  planningTold,
  UNPLANNED,
} from './planning.ts'

const [a, b] = [agentId('aaaa'), agentId('bbbb')]
const claimed = (planning: Planning, by = a, now = 0): Planning => {
  const change = planningClaimed(planning, by, 60, now)
  if (change === null) throw new Error('it is held')
  return change.planning
}
const why: BuildFact = { type: 'planningInterrupted', reason: 'Ctrl+C' }

describe('planning', () => {
  it('is done by one at a time, each with a larger fence', () => {
    const first = planningClaimed(UNPLANNED, a, 60, 0)
    expect(first).toEqual({
      planning: { attempt: 1, holder: a, leaseExpiresAt: 60_000, fence: 1, isPlanned: false },
      facts: [{ type: 'planning', attempt: 1 }],
    })
    const held = claimed(UNPLANNED)
    expect([isPlanHeld(held, 59_999), isPlanHeld(held, 60_000)]).toEqual([true, false])
    expect(planningClaimed(held, b, 60, 59_999)).toBeNull()
    expect(claimed(held, b, 60_000)).toMatchObject({ attempt: 2, holder: b, fence: 2 })
  })

  it('goes on as long as it is renewed, and is told of by who holds it', () => {
    const held = claimed(UNPLANNED)
    expect(planningRenewed(held, 1, 60, 50_000)).toEqual({ planning: { ...held, leaseExpiresAt: 110_000 }, facts: [] })
    expect(planningTold(held, 1, why)).toEqual({ planning: held, facts: [why] })
  })

  it('ends with a plan, once and for all, or without one', () => {
    const held = claimed(UNPLANNED)
    const done = planningDone(held, 1)
    expect(done).toEqual({ attempt: 1, holder: null, leaseExpiresAt: null, fence: 2, isPlanned: true })
    expect(planningReleased(held, 1, why)).toEqual({
      planning: { attempt: 1, holder: null, leaseExpiresAt: null, fence: 2, isPlanned: false },
      facts: [why],
    })
    expect(planningClaimed(PLANNED, a, 60, 0)).toBeNull()
  })

  it('hears nothing from who lost it', () => {
    const second = claimed(claimed(UNPLANNED), b, 60_000)
    const free = planningReleased(second, 2, why)?.planning ?? second
    for (const [planning, fence] of [
      [second, 1],
      [free, 2],
      [free, 3],
      [PLANNED, 0],
    ] as const) {
      expect(planningRenewed(planning, fence, 60, 0)).toBeNull()
      expect(planningTold(planning, fence, why)).toBeNull()
      expect(planningReleased(planning, fence, why)).toBeNull()
      expect(planningDone(planning, fence)).toBeNull()
    }
  })

  it('tells the plan, and how many tasks the build starts with', () => {
    const items = [
      { id: taskId('a'), text: { title: 'A', type: 'setup' as const }, line: 1 },
      { id: taskId('b'), text: { title: 'B' }, deps: [taskId('a')], line: 2 },
    ]
    expect(plannedFacts(items, 'why', 3)).toEqual([
      {
        type: 'planned',
        taskCount: 2,
        tasks: [
          { id: 'a', title: 'A', type: 'setup', dependsOn: [] },
          { id: 'b', title: 'B', type: null, dependsOn: ['a'] },
        ],
        notes: 'why',
      },
      { type: 'buildStarted', taskCount: 3 },
    ])
  })
})
