// The arrows of the diagram in attempt.ts that the work of an agent takes, each once: the attempt before, the fact, and
// all its changes.
import { describe, expect, it } from 'vitest'
import { attemptAt, CAUSES, commit, evidence, LIMITS, PHASES, tree } from '../../../test/arbitraries/sample-facts.ts'
import { apply, type Attempt, type Effect, firstAttempt, next, type Phase } from './attempt.ts'
import type { Cause } from '../fact/fact.ts'
import { type BuildId, taskId } from '../values/id.ts'
import { DEFAULT_LIMITS } from '../values/limits.ts'
import { TECHNIQUES } from '../role-answers/sia.ts'
import { newTask } from '../task/task.ts'

type Arrow = readonly [name: string, from: Attempt, fact: Cause, changed: Partial<Attempt>]

const { iterationDone, verified, reviewed, merged, mergeRefused } = CAUSES
const working = attemptAt(PHASES.working)
const trace = { tree: tree('t2'), error: null }
const moved = { iteration: 2, tree: tree('t2'), recent: [trace] }
const byEvidence = { by: 'evidence', evidence: evidence('e1') } as const
const red = { ...verified, verdict: { is: 'red', error: 'red' } } as const
const lastChance = { failures: 2, number: 3 }
const thirdRed = { ...red, attempt: 3 }
const failedThrice = {
  failures: 3,
  feedback: ['red'],
  lastError: 'red',
  recent: [{ tree: tree('t1'), error: 'red' }],
}
const failedOnce = { phase: PHASES.working, number: 2, iteration: 0, failures: 1 }

const arrows: readonly Arrow[] = [
  ['ITERATION_DONE: the next iteration', working, iterationDone, moved],
  ['no signal: the next iteration', working, { ...iterationDone, signal: null }, moved],
  [
    'an error of the iteration is kept',
    working,
    { ...iterationDone, error: 'timeout' },
    { ...moved, recent: [{ tree: tree('t2'), error: 'timeout' }], lastError: 'timeout' },
  ],
  [
    'TASK_COMPLETE: verified first',
    working,
    { ...iterationDone, signal: { kind: 'TASK_COMPLETE' } },
    { ...moved, phase: { at: 'verifying', tree: tree('t2'), resolution: null } },
  ],
  [
    'CHECK_WRONG: to the reviewer',
    working,
    { ...iterationDone, signal: { kind: 'CHECK_WRONG', reason: 'it expects 5' } },
    { ...moved, phase: { at: 'objecting', reason: 'it expects 5' } },
  ],
  [
    'TASK_STUCK: to SIA at once, and the next iteration is told why',
    working,
    { ...iterationDone, signal: { kind: 'TASK_STUCK', reason: 'no key' } },
    {
      ...moved,
      phase: { at: 'intervening', reason: 'no key' },
      failures: 1,
      lastError: 'no key',
      feedback: ['no key'],
    },
  ],
  [
    'the last iteration of an attempt',
    attemptAt(PHASES.working, { limits: { ...LIMITS, iterations: 2 } }),
    iterationDone,
    {
      ...moved,
      ...failedOnce,
      feedback: ['2 iterations went by without completing the task'],
      lastError: '2 iterations went by without completing the task',
    },
  ],
  ['green: reviewed', attemptAt(PHASES.verifying), verified, { phase: PHASES.reviewing }],
  [
    'red: the next attempt, on the last harvested tree',
    attemptAt(PHASES.verifying, { recent: [{ tree: tree('t1'), error: null }] }),
    red,
    { ...failedOnce, feedback: ['red'], lastError: 'red', recent: [{ tree: tree('t1'), error: 'red' }] },
  ],
  [
    'red for the third time: SIA',
    attemptAt(PHASES.verifying, lastChance),
    thirdRed,
    { ...failedThrice, phase: PHASES.intervening },
  ],
  [
    'red for the third time, interventions spent: a human',
    attemptAt(PHASES.verifying, { ...lastChance, interventions: 3 }),
    thirdRed,
    { ...failedThrice, phase: PHASES.escalating },
  ],
  [
    'red for the third time, techniques spent: a human',
    attemptAt(PHASES.verifying, { ...lastChance, limits: { ...LIMITS, interventions: 12 }, techniques: TECHNIQUES }),
    thirdRed,
    { ...failedThrice, phase: PHASES.escalating },
  ],
  [
    'nothing was proved, and the agent can mend it: the next attempt',
    attemptAt(PHASES.verifying),
    { ...verified, verdict: { is: 'unverified', error: 'no tests ran', mendedBy: 'agent' } },
    {
      ...failedOnce,
      feedback: ['no tests ran'],
      lastError: 'no tests ran',
      recent: [{ tree: tree('t1'), error: 'no tests ran' }],
    },
  ],
  [
    'nothing was proved, and only the operator can mend it: a human, at no cost',
    attemptAt(PHASES.verifying),
    { ...verified, verdict: { is: 'unverified', error: 'no check is set', mendedBy: 'operator' } },
    { phase: { at: 'escalating', reason: 'no check is set' }, lastError: 'no check is set' },
  ],
  ['approved: merged', attemptAt(PHASES.reviewing), reviewed, { phase: PHASES.merging }],
  [
    'request_changes: the next attempt is told the reasons and the fixes',
    attemptAt(PHASES.reviewing),
    { ...reviewed, decision: { is: 'request_changes', requiredFixes: ['hash it'] }, reasons: ['plain password'] },
    { ...failedOnce, feedback: ['plain password', 'hash it'], lastError: 'review: plain password; hash it' },
  ],
  [
    'request_changes without a word',
    attemptAt(PHASES.reviewing),
    { ...reviewed, decision: { is: 'request_changes', requiredFixes: [] } },
    { ...failedOnce, lastError: 'review: changes requested' },
  ],
  [
    'the reviewer wants a human',
    attemptAt(PHASES.reviewing),
    { ...reviewed, decision: { is: 'needs_human', reason: 'licence?' } },
    { phase: { at: 'escalating', reason: 'licence?' } },
  ],
  [
    'an objection the reviewer shares: a human',
    attemptAt(PHASES.objecting),
    reviewed,
    {
      phase: {
        at: 'escalating',
        reason: expect.stringMatching(/^the agent says that a check is wrong: the test expects 5\nReview: .*\nIf the/),
      },
    },
  ],
  [
    'an objection the reviewer does not share: back to work in the same attempt',
    attemptAt(PHASES.objecting),
    { ...reviewed, decision: { is: 'request_changes', requiredFixes: ['return 5'] }, reasons: ['5 is right'] },
    { phase: PHASES.working, feedback: ['5 is right', 'return 5'] },
  ],
  ['merged: done', attemptAt(PHASES.merging), merged, { phase: PHASES.settled }],
  [
    'merged onto a branch that moved: done by evidence of that tree',
    attemptAt(PHASES.merging),
    { ...merged, tree: tree('t5'), proof: { by: 'evidence', evidence: evidence('e5') } },
    {
      phase: {
        at: 'settled',
        as: {
          is: 'done',
          commit: commit('c1'),
          tree: tree('t5'),
          proof: { by: 'evidence', evidence: evidence('e5') },
        },
      },
    },
  ],
  [
    'refused by the branch: the next attempt',
    attemptAt(PHASES.merging),
    mergeRefused,
    { ...failedOnce, feedback: ['conflict in a.ts'], lastError: 'conflict in a.ts' },
  ],
  [
    'refused by the branch: the next attempt starts on the tree that was refused',
    attemptAt(PHASES.merging),
    { ...mergeRefused, tree: tree('t5') },
    { ...failedOnce, tree: tree('t5'), feedback: ['conflict in a.ts'], lastError: 'conflict in a.ts' },
  ],
]

describe('firstAttempt', () => {
  it('is about to work, with nothing behind it and only the limits that are its own', () => {
    const task = newTask(taskId('login'), { title: 'Add login' }, [], 0)
    expect(firstAttempt(task, 'b_1' as BuildId, DEFAULT_LIMITS)).toEqual({
      build: 'b_1',
      task: 'login',
      taskName: 'Add login',
      limits: { attempts: 3, interventions: 3, iterations: 10 },
      phase: { at: 'working' },
      number: 1,
      iteration: 0,
      failures: 0,
      interventions: 0,
      techniques: [],
      feedback: [],
      answers: [],
      tree: null,
      recent: [],
      lastError: null,
      waits: 0,
    })
  })
})

describe('apply', () => {
  it.each(arrows)('%s', (_, from, fact, changed) => {
    expect(apply(from, fact)).toEqual({ ...from, ...changed })
  })
})

describe('next', () => {
  const effects: { readonly [At in Phase['at']]: Effect | null } = {
    working: { do: 'iterate', attempt: 1, iteration: 2 },
    verifying: { do: 'verify', tree: tree('t1'), resolution: null },
    reviewing: { do: 'review', tree: tree('t1'), evidence: evidence('e1') },
    objecting: { do: 'judgeObjection', reason: 'the test expects 5' },
    merging: { do: 'merge', tree: tree('t1'), proof: byEvidence, resolution: null },
    intervening: { do: 'intervene', reason: 'red', untried: TECHNIQUES.filter((name) => name !== 'tool_change') },
    escalating: { do: 'askHuman', reason: 'red' },
    waiting: null,
    limited: { do: 'wait', until: 60_000, reason: 'rate limit', agent: 'claude' },
    settled: null,
  }
  it.each(Object.values(PHASES))('$at', (phase) => {
    expect(next(attemptAt(phase, { techniques: ['tool_change'] }))).toEqual(effects[phase.at])
  })
})
