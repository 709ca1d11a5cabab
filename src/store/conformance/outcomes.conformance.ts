// The possible outcomes of the effects of a task's first attempt.
import type { AgentCause } from '../../core/fact/fact.ts'
import { type CommitId, type EvidenceId, taskId, type TreeId } from '../../core/values/id.ts'
import type { Intervention } from '../../core/role-answers/sia.ts'
import type { TaskText } from '../../core/task/task.ts'

export const tree = (name: string): TreeId => name as TreeId
const evidence = (name: string): EvidenceId => name as EvidenceId
export const commit = (name: string): CommitId => name as CommitId

const proof = { by: 'evidence', evidence: evidence('e1') } as const

type Outcomes = Readonly<
  Record<'complete' | 'unfinished' | 'stuck' | 'green' | 'approve' | 'merged' | 'humanNeeded', AgentCause>
>

export function outcomes(id: string): Outcomes {
  const on = { taskId: taskId(id) }
  const about = { ...on, attempt: 1 }
  const iteration = { type: 'iterationDone', ...about, iteration: 1, tree: tree('t1'), error: null } as const
  return {
    complete: { ...iteration, signal: { kind: 'TASK_COMPLETE' } },
    unfinished: { ...iteration, signal: { kind: 'ITERATION_DONE' } },
    stuck: { ...iteration, signal: { kind: 'TASK_STUCK', reason: 'no such table' } },
    green: { type: 'verified', ...about, tree: tree('t1'), verdict: { is: 'green' }, evidence: evidence('e1') },
    approve: { type: 'reviewed', ...about, decision: { is: 'approve' }, reasons: [] },
    merged: { type: 'merged', ...about, commit: commit('c1'), tree: tree('t1'), proof },
    humanNeeded: { type: 'humanNeeded', ...on, taskName: `Do ${id}`, reason: 'no such table' },
  }
}

export function intervened(id: string, intervention: Intervention): AgentCause {
  return { type: 'intervened', taskId: taskId(id), interventionNumber: 1, intervention }
}

export interface Part {
  readonly id: string
  readonly text?: Partial<TaskText>
  readonly deps?: readonly string[]
}

export function splitInto(id: string, parts: readonly Part[]): AgentCause {
  const subtasks = parts.map((part) => ({
    id: taskId(part.id),
    text: { title: `Do ${part.id}`, ...part.text },
    deps: (part.deps ?? []).map(taskId),
  }))
  return intervened(id, { type: 'decomposed', technique: 'decomposition', subtasks })
}

export const toDone = (id: string): AgentCause[] => {
  const { complete, green, approve, merged } = outcomes(id)
  return [complete, green, approve, merged]
}

export const toWaiting = (id: string): AgentCause[] => {
  const { stuck, humanNeeded } = outcomes(id)
  return [stuck, intervened(id, { type: 'escalate', reason: 'no such table' }), humanNeeded]
}
