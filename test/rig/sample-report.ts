// A report on a running build: one task merged on evidence, one on a person's word, one that waits, one in work, one
// to do, one skipped.
import { type Attempt, firstAttempt, type Phase } from '../../src/core/attempt/attempt.ts'
import { type Build, viewBuild } from '../../src/core/builds/build.ts'
import type { CheckRun, Evidence } from '../../src/core/evidence/evidence.ts'
import { agentId, type BuildId, type CommitId, type IdeaId, taskId, type TreeId } from '../../src/core/values/id.ts'
import type { EvidenceId, TaskId } from '../../src/core/values/id.ts'
import { DEFAULT_LIMITS } from '../../src/core/values/limits.ts'
import { newTask, type Task, type TaskStatus } from '../../src/core/task/task.ts'
import { loadConfig } from '../../src/config/settings/load.ts'
import type { BuildReport } from '../../src/operations/read/build-report.ts'

const NOON = Date.UTC(2026, 5, 15, 12, 0, 0)

const sampleBuild: Build = {
  id: 'b_1' as BuildId,
  idea: 'i_1' as IdeaId,
  spec: null,
  state: 'running',
  configHash: 'sha256:c',
  lastError: null,
  startedAt: NOON,
  lastActivityAt: NOON + 60_000,
}

const run: CheckRun = {
  name: 'unit',
  kind: 'check',
  checkHash: 'h',
  argv: ['sh', '-c', 'npm test'],
  exit: 0,
  how: 'exited',
  durationMs: 61_000,
  tests: { source: 'node', run: 3, failed: 0, skipped: 1 },
  names: null,
  outputDigest: 'sha256:o',
  outputTail: '',
  report: null,
  cached: false,
}

const sampleEvidence: Evidence = {
  task: taskId('login'),
  tree: 'tree1234567890' as TreeId,
  base: 'base' as CommitId,
  checks: [run],
  baseline: [],
  recipe: { setup: null, installScripts: 'run', checks: [] },
  changed: [],
  resolution: null,
  findings: [],
  secondOpinion: null,
  cleared: null,
  verdict: 'green',
  notes: [],
  configHash: 'sha256:c',
  platform: 'linux',
  at: NOON,
}

function task(id: string, title: string, status: TaskStatus, rest: Partial<Task> = {}): Task {
  return { ...newTask(taskId(id), { title }, [], NOON), build: sampleBuild.id, status, ...rest }
}

function attempt(of: Task, phase: Phase, rest: Partial<Attempt> = {}): [TaskId, Attempt] {
  return [of.id, { ...firstAttempt(of, sampleBuild.id, DEFAULT_LIMITS), iteration: 1, ...rest, phase }]
}

const tree = sampleEvidence.tree
const proof = { by: 'evidence', evidence: 'sha256:e' as EvidenceId } as const
const word = { by: 'person', person: 'ada@box' } as const
const commit = (name: string) => name.padEnd(40, '0') as CommitId

const login = task('login', 'Add login', 'done')
const logout = task('logout', 'Add logout', 'done')
const pay = task('pay', 'Take | payments', 'waiting')
const mail = task('mail', 'Send mail', 'active', { assignee: agentId('ab12') })
const docs = task('docs', 'Write docs', 'open', { deps: [pay.id] })
const old = task('old', 'Old thing', 'skipped')

const used = { sessions: 1, agentMs: 3_723_000, inputTokens: 12_000, outputTokens: 900, costUsd: 0.5, unpriced: 0 }

export async function sampleReport(state: Build['state'] = 'running'): Promise<BuildReport> {
  const build = { ...sampleBuild, state }
  const tasks = [login, logout, pay, mail, docs, old]
  const reason = 'is 2 % right?\nthe bank says 3 %'
  const lastError = 'unit failed'
  const attempts = new Map([
    attempt(login, { at: 'settled', as: { is: 'done', commit: commit('c1'), tree, proof } }),
    attempt(logout, { at: 'settled', as: { is: 'done', commit: commit('c2'), tree, proof: word } }),
    attempt(pay, { at: 'waiting', reason }, { number: 3, interventions: 1, techniques: ['fresh_start'], lastError }),
    attempt(mail, { at: 'verifying', tree, resolution: null }),
  ])
  return {
    build,
    name: 'PROGRESS.md',
    frozen: { config: await loadConfig({ folder: '/nowhere' }), source: 'PROGRESS.md', seed: null, where: 'isolated' },
    view: viewBuild(build, tasks, attempts),
    tasks,
    removed: [],
    attempts,
    iterations: [],
    merged: [
      { task: login.id, title: login.title, commit: commit('c1'), proof, evidence: sampleEvidence, testsRun: 3 },
      { task: logout.id, title: logout.title, commit: commit('c2'), proof: word, evidence: null, testsRun: 0 },
    ],
    waiting: [{ task: pay.id, title: pay.title, reason, lastError }],
    findings: [],
    strengths: new Map(),
    held: new Set([mail.id]),
    planning: null,
    spent: {
      ...used,
      sessions: 9,
      iterations: 7,
      interventions: 1,
      byRole: [
        { role: 'implementer', agent: 'claude', ...used, sessions: 7 },
        { role: 'sia', agent: 'codex', ...used, sessions: 2, costUsd: null, unpriced: 2 },
      ],
      byTask: new Map([
        [login.id, { ...used, costUsd: 0.25 }],
        [pay.id, { ...used, costUsd: null, unpriced: 2 }],
      ]),
    },
    sessions: [],
    outages: [],
    warnings: [],
    lastEvidence: sampleEvidence,
    isShipped: false,
    budget: { budget: { usd: null, tokens: null }, charged: { usd: 0, tokens: 0 } },
    now: NOON + 60_000,
  }
}
