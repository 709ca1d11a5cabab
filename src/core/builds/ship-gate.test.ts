import { describe, expect, it } from 'vitest'
import type { CheckRun, Evidence } from '../evidence/evidence.ts'
import type { BuildId, CommitId, TaskId, TreeId } from '../values/id.ts'
import { type Allowed, type Candidate, shipGate } from './ship-gate.ts'

const tree = 't1' as TreeId
const unit: CheckRun = {
  name: 'unit',
  kind: 'check',
  checkHash: 'sha256:1',
  argv: [],
  exit: 0,
  how: 'exited',
  durationMs: 1,
  tests: { source: 'vitest', run: 3, failed: 0, skipped: 0 },
  names: null,
  outputDigest: '',
  outputTail: '',
  report: null,
  cached: false,
}
const evidence = { tree, checks: [unit], verdict: 'green' } as unknown as Evidence
const ready: Candidate = {
  build: 'b_1' as BuildId,
  state: 'complete',
  tasks: [{ id: 'a' as TaskId, status: 'done', question: null }],
  commits: [{ commit: 'c'.repeat(40), said: { is: 'evidence', task: 'a', evidence } }],
  unintended: [],
  warnings: [],
  tree,
  evidence,
  requireTests: 'required',
  deploy: 'known',
}
const restored = {
  type: 'branchRestored',
  from: 'd'.repeat(40) as CommitId,
  to: 'c'.repeat(40) as CommitId,
  subject: 'feat: x',
  ref: 'refs/ralph/foreign/b_1/d',
} as const
const strict: Allowed = { skipped: 'refused', unverified: 'refused' }
const lenient: Allowed = { skipped: 'allowed', unverified: 'allowed' }
const task = (status: Candidate['tasks'][number]['status'], question: string | null = null) => ({
  tasks: [{ id: 'a' as TaskId, status, question }],
})
const removed = (during: 'session' | 'pause') => ({
  removed: [{ id: 'pay' as TaskId, title: 'Take payments', at: 5, during }],
})
const accepted = { commits: [{ commit: 'c'.repeat(40), said: { is: 'accepted', task: 'a', person: 'Ada' } as const }] }
const broken = {
  commits: [{ commit: 'c'.repeat(40), said: { is: 'broken', task: 'a', faults: ['changed'] } as const }],
}

describe('the ship gate', () => {
  it.each<[string, Partial<Candidate>, Allowed, readonly string[]]>([
    ['ready', {}, strict, []],
    [
      'a running build',
      { state: 'running', ...task('open') },
      strict,
      ['build b_1 is not ready: it is unfinished with 1 of 1 tasks open'],
    ],
    [
      'an aborted build',
      { state: 'aborted' },
      lenient,
      ['build b_1 is not ready: it was aborted; what it had merged can be merged by hand'],
    ],
    ['nothing new', { commits: [] }, strict, ['build b_1 has nothing that base does not have']],
    ['a waiting task', task('waiting', 'Which?\nmore'), lenient, ["task 'a' waits for a human: Which?"]],
    ['a skipped task', task('skipped'), strict, ["task 'a' was skipped"]],
    ['a skipped task that is allowed', task('skipped'), lenient, []],
    [
      'a task that was removed while an agent worked',
      removed('session'),
      strict,
      ["task 'pay' (Take payments) was removed from the plan while an agent of the build worked"],
    ],
    ['one that is allowed', removed('session'), lenient, []],
    ['a task that was removed while nobody worked', removed('pause'), strict, []],
    ['an accepted task', accepted, strict, ["task 'a' (cccccccccc) was accepted unverified by Ada"]],
    ['an accepted task that is allowed', accepted, lenient, []],
    ['an accepted task, whose checks are run when it is shipped', { ...accepted, evidence: null }, lenient, []],
    ['changed evidence, which nobody can allow', broken, lenient, ['cccccccccc: changed']],
    [
      'a commit that was never intended, which nobody can allow',
      { unintended: ['c'.repeat(40)] },
      lenient,
      ['cccccccccc says that Ralph made it, and Ralph knows of no such landing'],
    ],
    [
      'a branch that had to be put back, which nobody can allow',
      { warnings: [restored] },
      lenient,
      [
        "a commit that Ralph did not make was found on the build branch (dddddddddd 'feat: x'); it was set aside as refs/ralph/foreign/b_1/d, and the build went on without it",
      ],
    ],
    [
      'a task that was set to done in the store, which nobody can allow',
      { warnings: [{ type: 'statusRejected', taskId: 'a' as TaskId, status: 'done' }] },
      lenient,
      [
        "task 'a' was set to done in the store, but Ralph recorded nothing of the kind; that does not count, and the build goes on with it",
      ],
    ],
    ['evidence of another tree', { tree: 't2' as TreeId }, lenient, ['the tree to be shipped was never verified']],
    ['no evidence', { evidence: null }, lenient, ['the tree to be shipped was never verified']],
    [
      'red checks and validators',
      {
        evidence: {
          ...evidence,
          checks: [
            { ...unit, exit: 1 },
            { ...unit, name: 'html', kind: 'validator', exit: 1 },
          ],
        },
      },
      lenient,
      ['unit: red on the tree to be shipped', 'html: red on the tree to be shipped'],
    ],
    [
      'no tests',
      { evidence: { ...evidence, checks: [{ ...unit, tests: null }] } },
      lenient,
      ['not a single test ran on the tree to be shipped'],
    ],
    [
      'no tests where none are required',
      { evidence: { ...evidence, checks: [{ ...unit, tests: null }] }, requireTests: 'not-required' },
      strict,
      [],
    ],
    [
      'a deploy whose end is not known',
      { deploy: 'unknown' },
      lenient,
      ['a deploy was begun before, and how it ended is not known'],
    ],
  ])('%s', (_, changes, allowed, expected) => {
    expect(shipGate({ ...ready, ...changes }, allowed).map(({ what }) => what)).toEqual(expected)
  })

  it('lists every reason at once, and each says what clears it', () => {
    const commits = [...broken.commits, ...ready.commits]
    const reasons = shipGate({ ...ready, commits, ...task('waiting'), state: 'paused', evidence: null }, strict)
    expect(reasons.map(({ code }) => code)).toEqual(['notReady', 'waiting', 'evidence', 'checks'])
    expect(reasons.every(({ clear }) => clear.length > 0)).toBe(true)
    expect(shipGate(null, lenient)).toEqual([
      { code: 'noBuild', what: 'there is no build to ship', clear: 'ralph build' },
    ])
  })
})
