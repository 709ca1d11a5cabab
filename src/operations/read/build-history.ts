// How the phase of a build changed over time, and which task had the last patch, derived from the facts alone.
import type { StepPhase } from '../../core/builds/build.ts'
import { type Decision, type Fact, type RecordedFact, taskOf, type Verdict } from '../../core/fact/fact.ts'
import type { TaskId } from '../../core/values/id.ts'
import type { HistoryEntry, WireReview } from '../contract/build-state.ts'

const ENTRIES_MAX = 1_000

export interface BuildHistory {
  readonly entries: readonly HistoryEntry[]
  /** The planner's notes on the plan. */
  readonly notes: string
  /** The task whose work was harvested last. */
  readonly patched: TaskId | null
  /** The review of what was verified last; null before it. */
  readonly review: WireReview | null
}

export const NO_HISTORY: BuildHistory = { entries: [], notes: '', patched: null, review: null }

export function withFacts(history: BuildHistory, facts: readonly RecordedFact[]): BuildHistory {
  const entries = [...history.entries]
  let { notes, patched, review } = history
  for (const { seq, at, fact } of facts) {
    const phase = phaseAfter(fact)
    const task = taskOf(fact)
    const last = entries.at(-1)
    if (phase !== null && (last?.phase !== phase || last.task_id !== task))
      entries.push({ ts: at, phase, task_id: task, seq, event: fact.type })
    if (fact.type === 'planned') notes = fact.notes
    if (fact.type === 'iterationDone' || fact.type === 'taskResolved') patched = fact.taskId
    if (fact.type === 'verified') review = byRule(fact.verdict)
    if (fact.type === 'reviewed') review = reviewOf(fact.decision, fact.reasons)
  }
  return { entries: entries.slice(-ENTRIES_MAX), notes, patched, review }
}

/** Work that is not green needs changes, whatever a reviewer would say. */
function byRule(verdict: Verdict): WireReview | null {
  if (verdict.is === 'green') return null
  return { decision: 'request_changes', reasons: [`the checks are ${verdict.is}`], required_fixes: [verdict.error] }
}

function reviewOf(decision: Decision, reasons: readonly string[]): WireReview {
  if (decision.is === 'approve') return { decision: 'approve', reasons: [...reasons], required_fixes: [] }
  const fixes = decision.is === 'request_changes' ? [...decision.requiredFixes] : [decision.reason]
  return { decision: 'request_changes', reasons: [...reasons], required_fixes: fixes }
}

/** Null: this fact changes no phase. */
function phaseAfter(fact: Fact): StepPhase | null {
  switch (fact.type) {
    case 'planning':
      return 'planning'
    case 'iterationStarted':
      return fact.attempt > 1 ? 'iterating' : 'implementing'
    case 'verifying':
      return 'verifying'
    case 'reviewing':
    case 'merging':
      return 'reviewing'
    case 'siaTriggered':
    case 'humanNeeded':
      return 'iterating'
    case 'buildComplete':
      return 'ready'
    case 'buildAborted':
      return 'aborted'
    case 'buildFailed':
      return 'error'
    default:
      return null
  }
}
