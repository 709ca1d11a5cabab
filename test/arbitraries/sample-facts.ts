// One attempt in every phase and one of every fact that folds into an attempt, all about the same task and trees.
import { type Attempt, firstAttempt, type Phase } from '../../src/core/attempt/attempt.ts'
import type { Cause } from '../../src/core/fact/fact.ts'
import { type BuildId, type CommitId, type EvidenceId, taskId, type TreeId } from '../../src/core/values/id.ts'
import { newTask } from '../../src/core/task/task.ts'

export const tree = (name: string) => name as TreeId
export const evidence = (name: string) => name as EvidenceId
export const commit = (name: string) => name as CommitId

const login = newTask(taskId('login'), { title: 'Add login' }, [], 0)
export const LIMITS = { attempts: 3, interventions: 3, iterations: 10 }

export function fresh(limits: Attempt['limits'] = LIMITS): Attempt {
  return firstAttempt(login, 'b_1' as BuildId, limits)
}

export function attemptAt(phase: Phase, rest: Partial<Attempt> = {}): Attempt {
  return { ...fresh(), iteration: 1, tree: tree('t1'), ...rest, phase }
}

const proof = { by: 'evidence', evidence: evidence('e1') } as const

export const PHASES: { readonly [At in Phase['at']]: Extract<Phase, { at: At }> } = {
  working: { at: 'working' },
  verifying: { at: 'verifying', tree: tree('t1'), resolution: null },
  reviewing: { at: 'reviewing', tree: tree('t1'), evidence: evidence('e1') },
  objecting: { at: 'objecting', reason: 'the test expects 5' },
  merging: { at: 'merging', tree: tree('t1'), proof, resolution: null },
  intervening: { at: 'intervening', reason: 'red' },
  escalating: { at: 'escalating', reason: 'red' },
  waiting: { at: 'waiting', reason: 'red' },
  limited: { at: 'limited', until: 60_000, reason: 'rate limit', agent: 'claude', resumes: { at: 'working' } },
  settled: { at: 'settled', as: { is: 'done', commit: commit('c1'), tree: tree('t1'), proof } },
}

const about = { taskId: login.id, attempt: 1 }
const onTask = { taskId: login.id }

/** Each fits `attemptAt(…)` in the phase it belongs to; `iterationDone` is the second of its attempt. */
export const CAUSES: { readonly [Type in Cause['type']]: Extract<Cause, { type: Type }> } = {
  iterationDone: {
    type: 'iterationDone',
    ...about,
    iteration: 2,
    signal: { kind: 'ITERATION_DONE' },
    tree: tree('t2'),
    error: null,
  },
  verified: { type: 'verified', ...about, tree: tree('t1'), verdict: { is: 'green' }, evidence: evidence('e1') },
  reviewed: { type: 'reviewed', ...about, decision: { is: 'approve' }, reasons: [] },
  merged: { type: 'merged', ...about, commit: commit('c1'), tree: tree('t1'), proof },
  mergeRefused: { type: 'mergeRefused', ...about, error: 'conflict in a.ts', tree: null },
  intervened: {
    type: 'intervened',
    ...onTask,
    interventionNumber: 1,
    intervention: { type: 'fixed', technique: 'fresh_start', task: { title: 'Add a login page' } },
  },
  humanNeeded: { type: 'humanNeeded', ...onTask, taskName: 'Add login', reason: 'red' },
  limited: { type: 'limited', ...onTask, until: 60_000, reason: 'rate limit', agent: 'claude' },
  waited: { type: 'waited', ...onTask },
  interrupted: { type: 'interrupted', ...onTask, reason: 'Ctrl+C' },
  taskSkipped: { type: 'taskSkipped', ...onTask, by: 'ada' },
  taskRetried: { type: 'taskRetried', ...onTask, by: 'ada' },
  taskAnswered: { type: 'taskAnswered', ...onTask, by: 'ada', text: 'use OAuth' },
  taskResolved: {
    type: 'taskResolved',
    ...onTask,
    by: 'ada',
    text: 'I fixed it',
    tree: tree('t9'),
    accepted: 'if-verified',
  },
  taskReverted: { type: 'taskReverted', ...onTask, by: 'ada', commit: commit('c1') },
  statusRejected: { type: 'statusRejected', ...about, status: 'done' },
}

const everywhereUnderWay: readonly Phase['at'][] = [
  'working',
  'verifying',
  'reviewing',
  'objecting',
  'merging',
  'intervening',
  'escalating',
  'limited',
]

/** Which phases a fact fits; in every other phase it is refused. */
export const FITS: { readonly [Type in Cause['type']]: readonly Phase['at'][] } = {
  iterationDone: ['working'],
  verified: ['verifying'],
  reviewed: ['reviewing', 'objecting'],
  merged: ['merging'],
  mergeRefused: ['merging'],
  intervened: ['intervening'],
  humanNeeded: ['escalating'],
  limited: everywhereUnderWay,
  waited: ['limited'],
  interrupted: everywhereUnderWay,
  // A commit that is being merged may be in the branch already.
  taskSkipped: [...everywhereUnderWay.filter((at) => at !== 'merging'), 'waiting'],
  taskRetried: ['waiting'],
  taskAnswered: ['waiting'],
  taskResolved: ['waiting'],
  taskReverted: ['settled'],
  statusRejected: [...everywhereUnderWay, 'waiting', 'settled'],
}
