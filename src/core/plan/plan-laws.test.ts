// The laws of syncing a plan by difference, for any store and any plan.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { refused } from '../../../test/arbitraries/refusal.ts'
import { frozen } from '../../../test/arbitraries/walks.ts'
import { type TaskId, taskId } from '../values/id.ts'
import { diffPlan, type PlanDiff, type PlanItem } from './plan.ts'
import { newTask, type Task, TASK_STATUSES } from '../task/task.ts'

const IDS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map(taskId)
const someSpec = fc.constantFrom(null, 's1', 's2')
const someText = fc.record({
  title: fc.constantFrom('One', 'Two'),
  spec: someSpec,
  priority: fc.nat(2),
  steps: fc.array(fc.constantFrom('x', 'y'), { maxLength: 2 }),
})
const someIds = fc.subarray(IDS)

/** Dependencies only on earlier ids: no mixture has a cycle. */
const earlier = (id: TaskId, ids: readonly TaskId[]) => ids.filter((other) => other < id)

const someStore: fc.Arbitrary<Task[]> = someIds.chain((ids) =>
  fc.tuple(
    ...ids.map((id) =>
      fc
        .record({ text: someText, status: fc.constantFrom(...TASK_STATUSES), deps: someIds, fence: fc.nat(5) })
        .map(({ text, status, deps, fence }) => ({ ...newTask(id, text, earlier(id, deps), 1_000), status, fence })),
    ),
  ),
)

/** Depends only on tasks that the plan lists itself, so that it is sound. */
const somePlan: fc.Arbitrary<PlanItem[]> = someIds.chain((ids) =>
  fc.tuple(
    ...ids.map((id, index) =>
      fc
        .record({ text: someText, deps: fc.option(fc.subarray(earlier(id, ids)), { nil: undefined }) })
        .map(({ text, deps }): PlanItem => ({ id, text, ...(deps === undefined ? {} : { deps }), line: index + 1 })),
    ),
  ),
)

function taken(current: readonly Task[], diff: PlanDiff): Task[] {
  const after = new Map(current.map((task) => [task.id, task]))
  for (const task of [...diff.inserted, ...diff.updated, ...diff.deleted]) after.set(task.id, task)
  return [...after.values()]
}

function forAllSyncs(check: (current: readonly Task[], wanted: readonly PlanItem[], diff: PlanDiff) => void): void {
  fc.assert(
    fc.property(someStore, somePlan, (current, wanted) => {
      check(current, wanted, diffPlan(frozen(current), frozen(wanted), 5_000))
    }),
    { numRuns: 500 },
  )
}

describe('diffPlan', () => {
  it('taken over once, changes nothing the second time', () => {
    forAllSyncs((current, wanted, diff) => {
      const again = diffPlan(taken(current, diff), wanted, 9_000)
      expect(again).toEqual({ inserted: [], updated: [], deleted: [], skippedDone: diff.skippedDone })
    })
  })

  it('leaves done tasks, and unlisted tasks of other specs or none, byte for byte', () => {
    forAllSyncs((current, wanted, diff) => {
      const listed = new Set(wanted.map((item) => item.id))
      const specs = new Set(wanted.map((item) => item.text.spec))
      const untouchable = (task: Task) =>
        task.status === 'done' || (!listed.has(task.id) && (task.spec === null || !specs.has(task.spec)))
      const ids = current.filter(untouchable).map((task) => task.id)
      expect(bytes(taken(current, diff), ids)).toBe(bytes(current, ids))
    })
  })

  it('speaks of each task once, and only of tasks that change', () => {
    forAllSyncs((current, _, diff) => {
      const touched = [...diff.inserted, ...diff.updated, ...diff.deleted]
      expect(new Set(touched.map((task) => task.id)).size).toBe(touched.length)
      expect(touched.filter((task) => current.some((was) => JSON.stringify(was) === JSON.stringify(task)))).toEqual([])
    })
  })

  it('accounts for every line: inserted, updated, done or as it was', () => {
    forAllSyncs((current, wanted, diff) => {
      const told = new Set([...diff.inserted, ...diff.updated].map((task) => task.id))
      const done = wanted.filter((item) => current.some((task) => task.id === item.id && task.status === 'done'))
      expect(diff.skippedDone).toBe(done.length)
      const rest = wanted.filter((item) => !told.has(item.id) && !done.includes(item))
      expect(rest.filter((item) => !current.some((task) => stands(task, item)))).toEqual([])
    })
  })

  it('leaves every open task of a listed spec listed', () => {
    forAllSyncs((current, wanted, diff) => {
      const listed = new Set(wanted.map((item) => item.id))
      const specs = new Set(wanted.map((item) => item.text.spec).filter((spec) => spec !== null))
      const loose = taken(current, diff).filter(
        (task) =>
          ['open', 'active', 'waiting'].includes(task.status) &&
          specs.has(task.spec ?? undefined) &&
          !listed.has(task.id),
      )
      expect(loose).toEqual([])
    })
  })

  it('never moves a fence back', () => {
    forAllSyncs((current, _, diff) => {
      for (const task of taken(current, diff))
        expect(task.fence).toBeGreaterThanOrEqual(current.find((was) => was.id === task.id)?.fence ?? 0)
    })
  })
})

function bytes(tasks: readonly Task[], ids: readonly TaskId[]): string {
  return JSON.stringify(tasks.filter((task) => ids.includes(task.id)))
}

function stands(task: Task, { id, text, deps }: PlanItem): boolean {
  return JSON.stringify({ ...task, ...text, deps: deps ?? task.deps }) === JSON.stringify(task) && task.id === id
}

describe('a plan with dependencies in any direction', () => {
  const anyPlan = someIds.chain((ids) =>
    fc.tuple(
      ...ids.map((id) =>
        fc
          .record({ text: someText, deps: fc.subarray(IDS, { maxLength: 2 }) })
          .map(({ text, deps }) => ({ id, text, deps, line: 1 })),
      ),
    ),
  )

  it('is refused as a whole exactly where it leaves a cycle or a dependency on nothing', () => {
    fc.assert(
      fc.property(someStore, anyPlan, (current, wanted) => {
        const refusal = refused(() => diffPlan(frozen(current), frozen(wanted), 5_000))
        expect(refusal?.[0] ?? 'taken').toBe(fault(current, wanted))
      }),
      { numRuns: 1_000 },
    )
  })
})

/** The fault of a plan, found in another way than the code does: by removing the tasks without dependencies. */
function fault(current: readonly Task[], wanted: readonly (PlanItem & Pick<Task, 'deps'>)[]): string {
  const specs = new Set(wanted.map((item) => item.text.spec))
  const gone = (task: Task) => specs.has(task.spec ?? undefined) && ['open', 'active', 'waiting'].includes(task.status)
  const deps = new Map(wanted.map((item) => [item.id, item.deps]))
  for (const task of current) {
    if (task.status === 'done' || (!deps.has(task.id) && task.status !== 'deleted' && !gone(task)))
      deps.set(task.id, task.deps)
  }
  if (wanted.some((item) => item.deps.some((id) => !deps.has(id)))) return 'PLAN_LINE_BAD'
  const free = () => [...deps].find(([, ids]) => ids.every((id) => !deps.has(id)))?.[0]
  for (let id = free(); id !== undefined; id = free()) deps.delete(id)
  return deps.size === 0 ? 'taken' : 'DEPENDENCY_CYCLE'
}
