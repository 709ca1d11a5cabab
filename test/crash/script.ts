// The writes of the crash tests to one task: ten, each of which adds known facts to the log.
import type { AgentCause, Fact } from '../../src/core/fact/fact.ts'
import type { BuildId, CommitId, EvidenceId, IdeaId, TaskId, TreeId } from '../../src/core/values/id.ts'
import type { Build } from '../../src/core/builds/build.ts'

export const SCOPE = { repo: 'r', branch: 'b' }
export const BUILD: Build = {
  id: 'b1' as BuildId,
  idea: 'i1' as IdeaId,
  spec: null,
  state: 'running',
  configHash: '',
  lastError: null,
  startedAt: 0,
  lastActivityAt: 0,
}
export const LIMITS = { attempts: 3, interventions: 3, iterations: 10 }

export function outcomesOf(taskId: TaskId): AgentCause[] {
  const about = { taskId, attempt: 1 }
  const tree = 't1' as TreeId
  const evidence = 'e1' as EvidenceId
  return [
    { type: 'iterationDone', ...about, iteration: 1, tree, error: null, signal: { kind: 'TASK_COMPLETE' } },
    { type: 'verified', ...about, tree, verdict: { is: 'green' }, evidence },
    { type: 'reviewed', ...about, decision: { is: 'approve' }, reasons: [] },
    { type: 'merged', ...about, tree, commit: 'c1' as CommitId, proof: { by: 'evidence', evidence } },
  ]
}

/** Writes to one task: create, claim, and to begin and to record each of its four effects. */
export const WRITES = 10

/** The facts of a task after so many of its writes. */
export const LOG_AFTER: Readonly<Record<number, readonly Fact['type'][]>> = logs([
  [],
  [],
  ['taskStarted', 'iterationStarted'],
  ['iterationDone'],
  ['verifying'],
  ['verified'],
  ['reviewing'],
  ['reviewed'],
  ['merging'],
  ['merged', 'taskComplete'],
])

function logs(added: readonly (readonly Fact['type'][])[]): Record<number, readonly Fact['type'][]> {
  return Object.fromEntries([0, ...added.keys().map((index) => index + 1)].map((n) => [n, added.slice(0, n).flat()]))
}
