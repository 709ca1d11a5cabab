import { describe, expect, it } from 'vitest'
import { CAUSES, commit, tree } from '../../../test/arbitraries/sample-facts.ts'
import { type Announcement, type BuildFact, type Fact, type Intent, taskOf } from './fact.ts'

const about = { taskId: CAUSES.waited.taskId, attempt: 1 }

type OneOf<Facts extends Fact> = { readonly [Type in Facts['type']]: Extract<Facts, { type: Type }> }

const intents: OneOf<Intent> = {
  taskStarted: { type: 'taskStarted', ...about, taskName: 'Add login' },
  iterationStarted: { type: 'iterationStarted', ...about, iteration: 1 },
  verifying: { type: 'verifying', ...about, tree: tree('t1') },
  reviewing: { type: 'reviewing', ...about },
  merging: { type: 'merging', ...about, tree: tree('t1') },
  siaTriggered: { type: 'siaTriggered', taskId: about.taskId, interventionNumber: 1 },
  waiting: { type: 'waiting', taskId: about.taskId, until: 0, reason: 'rate limit', agent: 'claude' },
}

const announcements: OneOf<Announcement> = {
  taskComplete: { type: 'taskComplete', taskId: about.taskId, taskName: 'Add login', commitHash: commit('c1') },
  taskFailed: { type: 'taskFailed', ...about, taskName: 'Add login', error: 'red' },
  siaSuccess: { type: 'siaSuccess', taskId: about.taskId },
  siaDecomposed: { type: 'siaDecomposed', originalTaskId: about.taskId, newTaskCount: 2 },
}

const ofTheBuild: OneOf<BuildFact> = {
  planning: { type: 'planning', attempt: 1 },
  planned: {
    type: 'planned',
    taskCount: 1,
    tasks: [{ id: about.taskId, title: 'Add login', type: 'ui', dependsOn: [] }],
    notes: '',
  },
  planningLimited: { type: 'planningLimited', until: 0, reason: 'rate limit', agent: 'claude' },
  planningFailed: { type: 'planningFailed', attempt: 1, error: 'no JSON' },
  planningInterrupted: { type: 'planningInterrupted', reason: 'Ctrl+C' },
  baselineStarted: { type: 'baselineStarted', commit: commit('c1'), on: 'HEAD' },
  baselineDone: { type: 'baselineDone', commit: commit('c1'), summary: 'unit: 42 tests green (3 s)', red: [] },
  baselineFailed: { type: 'baselineFailed', commit: commit('c1'), error: 'no npm', fix: 'Install it.' },
  buildStarted: { type: 'buildStarted', taskCount: 3 },
  buildPaused: { type: 'buildPaused', by: 'ada' },
  buildResumed: { type: 'buildResumed', by: 'ada' },
  buildAborted: { type: 'buildAborted', by: 'ada' },
  messageLeft: { type: 'messageLeft', by: 'ada', text: 'use the old table' },
  buildComplete: { type: 'buildComplete' },
  buildFailed: { type: 'buildFailed', error: 'disk full' },
  shipped: { type: 'shipped', by: 'ada', base: 'main', commit: commit('c1'), how: 'pullRequest', allowed: ['skipped'] },
  deploying: { type: 'deploying', command: 'make deploy', commit: commit('c1') },
  deployed: { type: 'deployed', commit: commit('c1'), exit: 0, by: 'ada' },
  checkoutChanged: { type: 'checkoutChanged', refs: ['HEAD'], paths: ['a.ts'], more: 0 },
  commandRefused: { type: 'commandRefused', command: 'ralph skip' },
  reportVerified: { type: 'reportVerified', taskId: about.taskId, commit: commit('c1'), checks: 'unit green' },
  reportRefused: { type: 'reportRefused', taskId: about.taskId, commit: commit('c1'), reason: 'unit is red' },
  branchRestored: { type: 'branchRestored', from: commit('c2'), to: commit('c1'), subject: 'feat: x', ref: null },
  agentLimited: { type: 'agentLimited', until: 0, reason: 'rate limit', agent: 'claude' },
  agentReplaced: {
    type: 'agentReplaced',
    role: 'implementer',
    by: 'codex',
    until: 0,
    reason: 'rate limit',
    agent: 'claude',
  },
  agentReturned: { type: 'agentReturned', role: 'implementer', agent: 'claude' },
  budgetExhausted: { type: 'budgetExhausted', sentence: 'all is spent', goOn: 'ralph build --budget 2' },
}

describe('taskOf', () => {
  it.each([...Object.values(intents), ...Object.values(CAUSES), ...Object.values(announcements)])('$type', (fact) => {
    expect(taskOf(fact)).toBe('login')
  })

  it.each(Object.values(ofTheBuild).filter((fact) => !('taskId' in fact)))('$type is about no task', (fact) => {
    expect(taskOf(fact)).toBe(null)
  })

  it.each([ofTheBuild.reportVerified, ofTheBuild.reportRefused])('$type', (fact) => {
    expect(taskOf(fact)).toBe('login')
  })
})
