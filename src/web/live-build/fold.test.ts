// The browser's build: what the store would say after the same facts, and a plain "ask again" where it cannot know.
import { describe, expect, it } from 'vitest'
import { firstAttempt } from '../../core/attempt/attempt.ts'
import type { Fact } from '../../core/fact/fact.ts'
import type { BuildId, CommitId, EvidenceId, TreeId } from '../../core/values/id.ts'
import { agentId, taskId } from '../../core/values/id.ts'
import { claimTask, markCompleted, newTask } from '../../core/task/task.ts'
import type { WireView } from '../../operations/contract/view.ts'
import { type FeedFact, type Folded, foldedOf, foldFacts } from './fold.ts'

const [two, three] = [taskId('two'), taskId('three')]
const tree = 'tree' as TreeId
const limits = { attempts: 2, interventions: 1, iterations: 10 }
const tasks = [newTask(two, { title: 'Add two' }, [], 1), newTask(three, { title: 'Add three' }, [two], 1)]

const view: WireView = {
  seq: 1,
  build: {
    id: 'b_1',
    idea: 'i_1',
    spec: null,
    state: 'running',
    configHash: 'c',
    lastError: null,
    startedAt: 1,
    lastActivityAt: 1,
  },
  name: 'the open tasks',
  limits,
  tasks: tasks.map((task) => ({ ...task, deps: [...task.deps] })),
  removed: [],
  attempts: [],
  strengths: [],
  interventions: 0,
  spent: { inputTokens: 0, outputTokens: 0, costUsd: null, sessions: 0, unpriced: 0 },
  isDriven: false,
  isPlanned: true,
  plannings: 0,
  now: 1,
}

const numbered = (...facts: readonly Fact[]): FeedFact[] =>
  facts.map((fact, index) => ({ build: 'b_1', seq: index + 2, at: 100 + index, fact }))
const about = { taskId: two, attempt: 1 }
const merged: readonly Fact[] = [
  { type: 'taskStarted', taskName: 'Add two', ...about },
  { type: 'iterationStarted', iteration: 1, ...about },
  {
    type: 'iterationDone',
    iteration: 1,
    signal: { kind: 'TASK_COMPLETE' },
    tree,
    error: null,
    spent: { inputTokens: 10, outputTokens: 5, costUsd: 0.5 },
    ...about,
  },
  { type: 'verifying', tree, ...about },
  { type: 'verified', tree, verdict: { is: 'green' }, evidence: 'e' as EvidenceId, ...about },
  { type: 'reviewed', decision: { is: 'approve' }, reasons: [], ...about },
  {
    type: 'merged',
    commit: 'c' as CommitId,
    tree,
    proof: { by: 'evidence', evidence: 'e' as EvidenceId },
    ...about,
  },
  { type: 'taskComplete', taskId: two, taskName: 'Add two', commitHash: 'c' as CommitId },
]
const said = (folded: Folded | null) =>
  folded === null
    ? null
    : { status: folded.view.status, tasks: folded.tasks.map(({ status }) => status), used: folded.used.costUsd }

describe('foldFacts', () => {
  it.for<[string, FeedFact[], ReturnType<typeof said>]>([
    ['nothing', [], { status: 'active', tasks: ['open', 'open'], used: null }],
    ['a task that began', numbered(...merged.slice(0, 2)), { status: 'active', tasks: ['active', 'open'], used: null }],
    ['a task that was merged', numbered(...merged), { status: 'active', tasks: ['done', 'open'], used: 0.5 }],
    [
      'facts that are known already',
      [{ build: 'b_1', seq: 1, at: 1, fact: { type: 'buildAborted', by: 'Ada' } }],
      { status: 'active', tasks: ['open', 'open'], used: null },
    ],
    [
      'a pause',
      numbered({ type: 'buildPaused', by: 'Ada' }),
      { status: 'paused', tasks: ['open', 'open'], used: null },
    ],
    [
      'a skip by the operator',
      numbered({ type: 'taskSkipped', by: 'Ada', taskId: two }),
      { status: 'active', tasks: ['skipped', 'open'], used: null },
    ],
    ['a gap', numbered(...merged).slice(1), null],
    ['a fact that does not fit', numbered(...merged.slice(4)), null],
    ['a task that is not known', numbered({ type: 'taskSkipped', by: 'Ada', taskId: taskId('new') }), null],
    ['a new plan', numbered({ type: 'siaDecomposed', originalTaskId: two, newTaskCount: 2 }), null],
  ])('%s', ([, facts, expected]) => expect(said(foldFacts(foldedOf(view), facts))).toEqual(expected))

  it('knows what the green tree of a task is worth', () => {
    const worth = { strength: 'thin', sentence: 'thin: no test fails when a.js is emptied' } as const
    const claimed = merged.slice(0, 4)
    const verified = {
      type: 'verified',
      tree,
      verdict: { is: 'green' },
      evidence: 'e' as EvidenceId,
      ...about,
    } as const
    const thin = foldFacts(foldedOf(view), numbered(...claimed, { ...verified, ...worth }))
    expect(thin?.strengths.get(two)).toEqual({ ...worth, findings: [] })
    const red = foldFacts(
      foldedOf({ ...view, strengths: [{ taskId: two, ...worth, findings: [] }] }),
      numbered(...claimed, { ...verified, verdict: { is: 'red', error: 'unit failed' } }),
    )
    expect(red?.strengths.size).toBe(0)
  })

  it('leaves what it was given as it was', () => {
    const before = foldedOf({
      ...view,
      attempts: [
        { ...firstAttempt(tasks[0] as (typeof tasks)[0], 'b_1' as BuildId, limits), phase: { at: 'working' } },
      ],
    })
    const copy = structuredClone({ ...before, attempts: [...before.attempts] })
    foldFacts(before, numbered(...merged))
    expect({ ...before, attempts: [...before.attempts] }).toEqual(copy)
  })
})

it('a task that was reported done is complete once it is verified, and open again once that is refused', () => {
  const [first, second] = tasks
  if (first === undefined || second === undefined) throw new Error('two tasks are needed')
  const reported = markCompleted(claimTask(first, agentId('ada'), 60, 1), null, null, 2)
  const folded = foldedOf({ ...view, tasks: [reported, second].map((task) => ({ ...task, deps: [...task.deps] })) })
  expect(folded.view.completedTasks).toEqual([])
  const commit = 'c1' as CommitId
  const verified = foldFacts(folded, numbered({ type: 'reportVerified', taskId: two, commit, checks: 'unit green' }))
  expect([verified?.view.completedTasks, verified?.tasks[0]?.status]).toEqual([[two], 'done'])
  const refused = foldFacts(folded, numbered({ type: 'reportRefused', taskId: two, commit, reason: 'unit is red' }))
  expect(refused?.tasks[0]).toMatchObject({ status: 'open', failReason: 'unit is red', build: 'b_1' })
})
