import { describe, expect, it } from 'vitest'
import { CAUSES, commit, tree } from '../../../test/arbitraries/sample-facts.ts'
import type { Announcement, BuildFact, Fact, Intent } from '../../core/fact/fact.ts'
import { taskId } from '../../core/values/id.ts'
import { linesOf, lineReporter } from './line-reporter.ts'
import { describeFact } from '../text/describe-fact.ts'

const about = { taskId: taskId('login'), attempt: 1 }

const FIVE = new Date(2026, 1, 1, 5, 0).getTime()

type Rest = Intent | Announcement | BuildFact
const REST: { readonly [Type in Rest['type']]: Extract<Rest, { type: Type }> } = {
  taskStarted: { type: 'taskStarted', ...about, taskName: 'Add login' },
  iterationStarted: { type: 'iterationStarted', ...about, iteration: 2 },
  verifying: { type: 'verifying', ...about, tree: tree('t1') },
  reviewing: { type: 'reviewing', ...about },
  merging: { type: 'merging', ...about, tree: tree('t1') },
  siaTriggered: { type: 'siaTriggered', taskId: about.taskId, interventionNumber: 2 },
  waiting: {
    type: 'waiting',
    taskId: about.taskId,
    until: FIVE + 2.5 * 3_600_000,
    reason: 'rate limit',
    agent: 'claude',
  },
  taskComplete: { type: 'taskComplete', taskId: about.taskId, taskName: 'x', commitHash: commit('0123456789abcdef') },
  taskFailed: { type: 'taskFailed', ...about, taskName: 'x', error: 'red\nmore' },
  siaSuccess: { type: 'siaSuccess', taskId: about.taskId },
  siaDecomposed: { type: 'siaDecomposed', originalTaskId: about.taskId, newTaskCount: 3 },
  planning: { type: 'planning', attempt: 1 },
  planned: {
    type: 'planned',
    taskCount: 2,
    tasks: [
      { id: taskId('login'), title: 'Add login', type: 'ui', dependsOn: [] },
      { id: taskId('out'), title: 'Log out', type: null, dependsOn: [taskId('login'), taskId('old')] },
    ],
    notes: 'no OAuth\nas asked',
  },
  planningLimited: {
    type: 'planningLimited',
    until: FIVE + 2.5 * 3_600_000,
    reason: 'rate limit',
    agent: 'claude',
  },
  planningFailed: { type: 'planningFailed', attempt: 1, error: 'no space left' },
  planningInterrupted: { type: 'planningInterrupted', reason: 'Ctrl+C' },
  baselineStarted: { type: 'baselineStarted', commit: commit('c1'), on: 'HEAD' },
  baselineDone: {
    type: 'baselineDone',
    commit: commit('c1'),
    summary: 'setup ok (12 s), unit: 42 tests green (3 s)',
    red: [],
  },
  baselineFailed: {
    type: 'baselineFailed',
    commit: commit('c1'),
    error: "unit cannot run on HEAD, since the program 'cargo' was not found:\n  sh: 1: cargo: not found",
    fix: 'Install it.',
  },
  buildStarted: { type: 'buildStarted', taskCount: 1 },
  buildPaused: { type: 'buildPaused', by: 'ada' },
  buildResumed: { type: 'buildResumed', by: 'ada' },
  buildAborted: { type: 'buildAborted', by: 'ada' },
  messageLeft: { type: 'messageLeft', by: 'ada', text: 'use the old table\nas ever' },
  buildComplete: { type: 'buildComplete' },
  buildFailed: { type: 'buildFailed', error: 'no space left' },
  shipped: { type: 'shipped', by: 'ada', base: 'main', commit: commit('0123456789abcdef'), how: 'base', allowed: [] },
  deploying: { type: 'deploying', command: 'make deploy', commit: commit('c1') },
  deployed: { type: 'deployed', commit: commit('c1'), exit: 3, by: null },
  checkoutChanged: { type: 'checkoutChanged', refs: ['refs/heads/main'], paths: ['a.ts', 'b.ts'], more: 7 },
  commandRefused: { type: 'commandRefused', taskId: about.taskId, command: 'ralph skip' },
  reportVerified: {
    type: 'reportVerified',
    taskId: about.taskId,
    commit: commit('0123456789abcdef'),
    checks: 'unit green (2 tests)',
  },
  reportRefused: {
    type: 'reportRefused',
    taskId: about.taskId,
    commit: commit('0123456789abcdef'),
    reason: 'it was reported done, and on HEAD (0123456789) unit is red\nnot ok 1',
  },
  branchRestored: {
    type: 'branchRestored',
    from: commit('0123456789abcdef'),
    to: commit('fedcba9876543210'),
    subject: 'feat: Forged\u001b[31m',
    ref: 'refs/ralph/foreign/b_1/0123456789abcdef',
  },
  agentLimited: { type: 'agentLimited', until: FIVE + 60_000, reason: 'rate limit', agent: 'claude' },
  agentReplaced: {
    type: 'agentReplaced',
    role: 'implementer',
    by: 'codex',
    until: FIVE + 60_000,
    reason: 'rate limit',
    agent: 'claude',
  },
  agentReturned: { type: 'agentReturned', role: 'implementer', agent: 'claude' },
  budgetExhausted: { type: 'budgetExhausted', sentence: 'all is spent', goOn: 'ralph build --budget 2' },
}

const lines: Readonly<Record<Fact['type'], string | null>> = {
  taskStarted: 'attempt 1: Add login',
  iterationStarted: 'iteration 1.2',
  iterationDone: 'says ITERATION_DONE',
  verifying: 'verifying',
  verified: 'green',
  reviewing: null,
  reviewed: 'review: approved',
  merging: null,
  merged: null,
  mergeRefused: 'not merged: conflict in a.ts',
  siaTriggered: 'SIA is asked for help (intervention 2)',
  intervened: null,
  siaSuccess: 'SIA rewrote the task',
  siaDecomposed: 'SIA split it into 3 tasks',
  humanNeeded: 'a human is needed: red',
  limited: null,
  waiting: 'waiting for claude until 07:30 (2 h 30 min): rate limit',
  waited: null,
  interrupted: 'interrupted: Ctrl+C',
  taskComplete: 'done, merged as 0123456789',
  taskFailed: 'attempt 1 failed: red',
  taskSkipped: 'skipped by ada',
  taskRetried: 'to be tried again, says ada',
  taskAnswered: 'answered by ada: use OAuth',
  taskResolved: 'resolved by ada: I fixed it',
  taskReverted: 'reverted by ada',
  planning: 'planning',
  planned: 'planned: 2 tasks',
  planningLimited: 'waiting for claude until 07:30 (2 h 30 min): rate limit',
  planningFailed: 'planning failed: no space left',
  planningInterrupted: 'planning interrupted: Ctrl+C',
  baselineStarted: 'running setup and checks on HEAD first …',
  baselineDone: 'setup ok (12 s), unit: 42 tests green (3 s)',
  baselineFailed: "no agent is started: unit cannot run on HEAD, since the program 'cargo' was not found",
  buildStarted: 'build started: 1 task',
  buildPaused: 'build paused by ada',
  buildResumed: 'build resumed by ada',
  buildAborted: 'build aborted by ada',
  buildComplete: 'build complete',
  agentLimited: 'waiting for claude until 05:01:00 (1 min): rate limit',
  agentReplaced: 'codex works in place of claude (implementer) until 05:01:00 (1 min): rate limit',
  agentReturned: 'claude works again (implementer)',
  budgetExhausted: 'the budget is spent',
  messageLeft: 'ada says: use the old table',
  buildFailed: 'build failed: no space left',
  shipped: 'shipped to main by ada as 0123456789',
  deploying: 'deploying: make deploy',
  deployed: 'the deploy failed (exit 3)',
  statusRejected:
    "task 'login' was set to done in the store, but Ralph recorded nothing of the kind; that does not count, and the build goes on with it",
  branchRestored:
    "a commit that Ralph did not make was found on the build branch (0123456789 'feat: Forged'); it was set aside as refs/ralph/foreign/b_1/0123456789abcdef, and the build went on without it",
  checkoutChanged:
    'your checkout changed meanwhile: main, a.ts, b.ts and 7 more (by you, or by an agent outside its folder: without a sandbox nobody can tell)',
  reportVerified: 'was reported done; verified on 0123456789: unit green (2 tests)',
  reportRefused: 'open again: it was reported done, and on HEAD (0123456789) unit is red',
  commandRefused: "the agent tried 'ralph skip', which only you may do; it was refused",
}

describe('the story of a build', () => {
  it.each(Object.entries(lines))('%s: %s', (type, text) => {
    const fact: Fact = { ...CAUSES, ...REST }[type as Fact['type']]
    expect(describeFact(fact, FIVE)?.text ?? null).toBe(text)
  })

  it.each<[Fact, string]>([
    [{ ...CAUSES.iterationDone, signal: null }, 'said nothing about where it stands'],
    [{ ...CAUSES.iterationDone, signal: { kind: 'TASK_STUCK', reason: 'no idea' } }, 'says TASK_STUCK: no idea'],
    [{ ...CAUSES.iterationDone, error: 'it crashed\nat x' }, 'failed: it crashed'],
    [{ ...CAUSES.verified, verdict: { is: 'red', error: '\nunit failed\n' } }, 'red: unit failed'],
    [
      { ...CAUSES.verified, strength: 'proved', sentence: 'proved: 3 tests fail without this change' },
      'proved: 3 tests fail without this change',
    ],
    [
      { ...CAUSES.verified, strength: 'thin', sentence: 'thin: no test fails when a.js is emptied', sentBack: true },
      'thin: no test fails when a.js is emptied; back to the agent, no attempt spent',
    ],
    [
      { ...CAUSES.verified, verdict: { is: 'unverified', error: 'no test ran', mendedBy: 'operator' } },
      'unverified: no test ran',
    ],
    [
      { ...CAUSES.reviewed, decision: { is: 'request_changes', requiredFixes: ['add a test'] }, reasons: ['thin'] },
      'review: changes requested: add a test; thin',
    ],
    [
      { ...CAUSES.reviewed, decision: { is: 'needs_human', reason: 'a lockfile changed' } },
      'review: a human has to look: a lockfile changed',
    ],
    [{ type: 'planning', attempt: 2 }, 'planning, attempt 2'],
    [{ ...CAUSES.taskResolved, accepted: 'unverified' }, 'resolved by ada, unverified: I fixed it'],
    [{ ...CAUSES.humanNeeded, reason: '\u001B[31mred\u001B[0m\u0007' }, 'a human is needed: red'],
  ])('%j', (fact, text) => {
    expect(describeFact(fact, FIVE)?.text).toBe(text)
  })

  it('shows the plan before the first iteration', () => {
    const at = new Date(2026, 1, 1, 7, 30).getTime()
    expect(linesOf([{ seq: 1, at, fact: REST.planned }])).toBe(
      [
        '07:30:00  planned: 2 tasks',
        '          login  ui  Add login',
        '          out        Log out  (after login, old)',
        '          no OAuth',
        '',
      ].join('\n'),
    )
  })

  it('does not say twice why planning failed', () => {
    const at = new Date(2026, 1, 1, 7, 30).getTime()
    const tell = lineReporter()
    expect([REST.planningFailed, REST.buildFailed].map((fact, seq) => tell([{ seq, at, fact }]))).toEqual([
      '07:30:00  planning failed: no space left\n',
      '07:30:00  build failed\n',
    ])
  })

  it('does not say twice why an attempt failed', () => {
    const red: Fact = { ...CAUSES.verified, verdict: { is: 'red', error: 'unit failed\nmore' } }
    const failed: Fact = { ...REST.taskFailed, error: 'unit failed\nmore' }
    const at = new Date(2026, 1, 1, 7, 30).getTime()
    const story = linesOf([red, failed, REST.taskFailed].map((fact, seq) => ({ seq, at, fact })))
    expect(story).toBe(
      [
        '07:30:00  login: red: unit failed',
        '07:30:00  login: attempt 1 failed',
        '07:30:00  login: attempt 1 failed: red',
        '',
      ].join('\n'),
    )
  })
})
