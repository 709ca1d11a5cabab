// Builds driven at random, with loops that lose their leases and humans who interfere: the log always determines the
// whole state.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aRoll, humanWords, inside, type Roll } from '../../../test/arbitraries/walks.ts'
import { type Attempt, firstAttempt, next } from '../../core/attempt/attempt.ts'
import { applyInFamily } from '../../core/attempt/split-family.ts'
import { RalphError } from '../../core/error/error.ts'
import { isCause, isOperatorCause } from '../../core/fact/cause.ts'
import type { AgentCause, Cause, OperatorCause } from '../../core/fact/fact.ts'
import { type BuildId, type TaskId, taskId } from '../../core/values/id.ts'
import { markFailed, type TaskStatus } from '../../core/task/task.ts'
import type { Lease } from '../store.ts'
import {
  agent,
  build,
  found,
  ids,
  LEASE_SECONDS,
  type OpenStore,
  plant,
  type Rig,
  SCOPE,
  setUp,
} from './rig.conformance.ts'

const BUILDS = ['b1', 'b2'] as BuildId[]

interface Step {
  readonly who: number
  readonly what: 'work' | 'tell' | 'expire' | 'fail' | 'late'
  readonly roll: Roll
}

const aStep: fc.Arbitrary<Step> = fc.record({
  who: fc.nat(20),
  what: fc.oneof(
    { weight: 12, arbitrary: fc.constant('work' as const) },
    { weight: 3, arbitrary: fc.constantFrom('tell' as const, 'expire' as const, 'fail' as const, 'late' as const) },
  ),
  roll: aRoll,
})

/** The test's own state. */
interface Walk {
  readonly rig: Rig
  readonly tasks: { readonly id: TaskId; readonly build: BuildId }[]
  readonly started: Map<TaskId, Attempt>
  readonly leases: Map<TaskId, Lease>
  readonly lost: Lease[]
}

export function describeWalks(open: OpenStore): void {
  describe('a random walk', () => {
    it('ends in the state that its log tells, and nothing late was let in', { timeout: 120_000 }, async () => {
      const steps = fc.array(aStep, { minLength: 40, maxLength: 100, size: 'max' })
      await fc.assert(
        fc.asyncProperty(steps, async (walked) => {
          const walk = await begun(open)
          for (const [index, step] of walked.entries()) await take(walk, step, index)
          await expectFoldedLog(walk)
          await expectStatuses(walk)
        }),
        { numRuns: 30 },
      )
    })
  })
}

async function begun(open: OpenStore): Promise<Walk> {
  const rig = await setUp(open)
  await plant(rig, { a: [], b: [], c: [], d: ['a'] })
  const tasks = [
    ...ids('a', 'b').map((id) => ({ id, build: 'b1' as BuildId })),
    ...ids('c', 'd').map((id) => ({ id, build: 'b2' as BuildId })),
  ]
  for (const id of BUILDS) {
    const own = tasks.filter((one) => one.build === id).map((one) => one.id)
    await rig.store.builds.create(SCOPE, build(rig, id), own)
  }
  return { rig, tasks, started: new Map(), leases: new Map(), lost: [] }
}

async function take(walk: Walk, step: Step, index: number): Promise<void> {
  const target = walk.tasks[step.who % walk.tasks.length]
  if (target === undefined) throw new Error('there is no task')
  walk.rig.pass(1)
  switch (step.what) {
    case 'work':
      return work(walk, target.id, target.build, step.roll, index)
    case 'tell':
      return orRefused(tell(walk, target.id, target.build, step.roll))
    case 'expire':
      return walk.rig.pass(LEASE_SECONDS * 1000)
    case 'fail':
      return orRefused(walk.rig.store.tasks.change(SCOPE, target.id, (one, now) => markFailed(one, null, 'gone', now)))
    case 'late':
      return comeLate(walk, target.build, index)
  }
}

async function work(walk: Walk, id: TaskId, of: BuildId, roll: Roll, index: number): Promise<void> {
  const { store } = walk.rig
  const standing = await found(walk.rig, id)
  const attempts = await store.builds.attempts(of)
  const attempt = attempts.get(id) ?? firstAttempt(standing, of, limits(roll))
  const lease = await leaseFor(walk, id, index)
  const effect = next(attempt)
  if (lease === null || effect === null) return
  const holds = await isHeld(walk, lease)
  const begunWith = await store.builds.begin(lease, attempt, effect)
  expect(begunWith.kept).toBe(holds)
  if (holds && !walk.started.has(id)) walk.started.set(id, attempt)
  if (!holds || roll.outside > 35) return
  const fact = outcome(attempt, roll, index)
  if (fact === null) return
  if (isOperatorCause(fact)) return orRefused(store.builds.tell(of, fact))
  expect(await store.builds.record(lease, of, fact)).toEqual({
    kept: true,
    attempt: applyInFamily(attempt, fact, () => attempts),
    facts: expect.arrayContaining([fact]),
  })
  if (fact.type === 'intervened' && fact.intervention.type === 'decomposed')
    walk.tasks.push(...fact.intervention.subtasks.map((part) => ({ id: part.id, build: of })))
}

const limits = (roll: Roll) => ({ attempts: 1 + (roll.tree % 3), interventions: roll.text, iterations: 3 })

/** The lease of the walk, unless another holder can have the task by now. */
async function leaseFor(walk: Walk, id: TaskId, index: number): Promise<Lease | null> {
  const claimed = await walk.rig.store.tasks.claim(SCOPE, {
    id,
    agent: agent(`loop-${index}`),
    leaseSeconds: LEASE_SECONDS,
  })
  const known = walk.leases.get(id)
  if (claimed === null) return known ?? null
  if (known !== undefined) {
    expect(claimed.task.fence).toBeGreaterThan(known.fence)
    walk.lost.push(known)
  }
  const lease = { scope: SCOPE, task: id, fence: claimed.task.fence }
  walk.leases.set(id, lease)
  return lease
}

async function isHeld(walk: Walk, lease: Lease): Promise<boolean> {
  const { status, fence } = await found(walk.rig, lease.task)
  return status === 'active' && fence === lease.fence
}

/** One of the facts that fit. The samples are about one task, and a split needs free names. */
function outcome(attempt: Attempt, roll: Roll, index: number): Cause | null {
  const disturbances: AgentCause[] = [
    { type: 'limited', taskId: attempt.task, until: index, reason: 'rate limit', agent: 'claude' },
    { type: 'interrupted', taskId: attempt.task, reason: 'Ctrl+C' },
  ]
  const fitting = inside(attempt, roll, index)
  const fact = disturbances[roll.outside] ?? fitting[roll.pick % Math.max(fitting.length, 1)]
  if (fact === undefined) return null
  const own = { ...fact, taskId: attempt.task } as Cause
  if (own.type !== 'intervened' || own.intervention.type !== 'decomposed') return own
  const names = [`p${index}x`, `p${index}y`].map(taskId)
  const subtasks = names.map((id) => ({ id, text: { title: `Part ${id}` }, deps: [] }))
  return { ...own, intervention: { ...own.intervention, subtasks } }
}

async function tell(walk: Walk, id: TaskId, of: BuildId, roll: Roll): Promise<void> {
  const words = [...humanWords(`t${roll.tree}`), { type: 'taskSkipped', taskId: id, by: 'ada' } as const]
  const word = { ...words[roll.pick % words.length], taskId: id } as OperatorCause
  await walk.rig.store.builds.tell(of, word)
}

/** A loop that lost its lease tries to continue with it. */
async function comeLate(walk: Walk, of: BuildId, index: number): Promise<void> {
  for (const lease of walk.lost.slice(-5)) {
    const fact: AgentCause = { type: 'interrupted', taskId: lease.task, reason: `out of time at ${index}` }
    expect(await walk.rig.store.builds.record(lease, of, fact)).toEqual({ kept: false })
  }
}

async function orRefused(call: Promise<unknown>): Promise<void> {
  try {
    await call
  } catch (error) {
    if (!(error instanceof RalphError)) throw error
  }
}

async function expectFoldedLog({ rig, started }: Walk): Promise<void> {
  const reader = await rig.again()
  for (const id of BUILDS) {
    const facts = await reader.builds.facts(id, 0, 100_000)
    expect(facts.map(({ seq }) => seq)).toEqual(facts.map((_, index) => index + 1))
    const folded = new Map([...started].filter(([, attempt]) => attempt.build === id))
    for (const { fact } of facts) {
      const attempt = isCause(fact) ? folded.get(fact.taskId) : undefined
      if (isCause(fact) && attempt !== undefined)
        folded.set(
          fact.taskId,
          applyInFamily(attempt, fact, () => folded),
        )
      expect(JSON.stringify(fact)).not.toContain('out of time')
    }
    expect(await reader.builds.attempts(id)).toEqual(folded)
  }
}

/** The row of a task agrees with its attempt. */
async function expectStatuses({ rig, started }: Walk): Promise<void> {
  for (const [id, { build: of }] of started) {
    const phase = (await rig.store.builds.attempts(of)).get(id)?.phase
    const { status } = await found(rig, id)
    const expected: TaskStatus[] =
      phase?.at === 'settled' ? [phase.as.is] : phase?.at === 'waiting' ? ['waiting'] : ['open', 'active']
    expect(expected).toContain(status)
  }
}
