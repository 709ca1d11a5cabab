import { expect, it } from 'vitest'
import type { Fact, RecordedFact } from '../../core/fact/fact.ts'
import { type CommitId, type EvidenceId, taskId, type TreeId } from '../../core/values/id.ts'
import { NO_HISTORY, withFacts } from './build-history.ts'

const two = { taskId: taskId('two'), attempt: 1 }
const tree = 't' as TreeId
const evidence = 'sha256:e' as EvidenceId

const recorded = (...facts: readonly Fact[]): RecordedFact[] =>
  facts.map((fact, at) => ({ seq: at + 1, at: 100 * at, fact }))

const facts = recorded(
  { type: 'planning', attempt: 1 },
  { type: 'planned', taskCount: 1, tasks: [], notes: 'as asked' },
  { type: 'buildStarted', taskCount: 1 },
  { type: 'taskStarted', taskName: 'Add two', ...two },
  { type: 'iterationStarted', iteration: 1, ...two },
  { type: 'iterationDone', iteration: 1, signal: null, tree, error: null, ...two },
  { type: 'verifying', tree, ...two },
  { type: 'verified', tree, verdict: { is: 'red', error: 'unit failed' }, evidence, ...two },
  { type: 'iterationStarted', iteration: 1, ...two, attempt: 2 },
  { type: 'iterationDone', iteration: 1, signal: null, tree, error: null, ...two, attempt: 2 },
  { type: 'verifying', tree, ...two, attempt: 2 },
  { type: 'verified', tree, verdict: { is: 'green' }, evidence, ...two, attempt: 2 },
  { type: 'reviewing', ...two, attempt: 2 },
  { type: 'reviewed', decision: { is: 'approve' }, reasons: ['fine'], ...two, attempt: 2 },
  { type: 'merging', tree, ...two, attempt: 2 },
  { type: 'taskComplete', taskName: 'Add two', commitHash: 'c' as CommitId, taskId: two.taskId },
  { type: 'buildComplete' },
)

it('tells each change of the phase once, with the fact that made it', () => {
  const { entries, notes, patched, review } = withFacts(NO_HISTORY, facts)
  expect(entries.map(({ seq, phase, task_id, event, ts }) => [seq, phase, task_id, event, ts])).toEqual([
    [1, 'planning', null, 'planning', 0],
    [5, 'implementing', 'two', 'iterationStarted', 400],
    [7, 'verifying', 'two', 'verifying', 600],
    [9, 'iterating', 'two', 'iterationStarted', 800],
    [11, 'verifying', 'two', 'verifying', 1000],
    [13, 'reviewing', 'two', 'reviewing', 1200],
    [17, 'ready', null, 'buildComplete', 1600],
  ])
  expect({ notes, patched, review }).toEqual({
    notes: 'as asked',
    patched: 'two',
    review: { decision: 'approve', reasons: ['fine'], required_fixes: [] },
  })
})

it('comes to the same page by page, wherever the pages end', () => {
  const whole = withFacts(NO_HISTORY, facts)
  for (let cut = 0; cut <= facts.length; cut += 1)
    expect(withFacts(withFacts(NO_HISTORY, facts.slice(0, cut)), facts.slice(cut))).toEqual(whole)
})

it.for([
  [8, { decision: 'request_changes', reasons: ['the checks are red'], required_fixes: ['unit failed'] }],
  [12, null],
] as const)('what was verified last is what the review is about: after fact %s', ([count, review]) => {
  expect(withFacts(NO_HISTORY, facts.slice(0, count)).review).toEqual(review)
})

it('keeps the last 1,000 changes', () => {
  const many = Array.from({ length: 1_500 }, (_, at): Fact => {
    return at % 2 === 0 ? { type: 'verifying', tree, ...two } : { type: 'reviewing', ...two }
  })
  const { entries } = withFacts(NO_HISTORY, recorded(...many))
  expect([entries.length, entries[0]?.seq, entries.at(-1)?.seq]).toEqual([1_000, 501, 1_500])
})
