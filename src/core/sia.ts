// The self-improvement agent: what it may try on a task that keeps failing, and what it may answer.
import type { TaskId } from './id.ts'
import type { TaskText } from './task.ts'

export const TECHNIQUES = [
  'decomposition',
  'tool_change',
  'prompt_restructure',
  'context_pruning',
  'example_injection',
  'constraint_relaxation',
  'dependency_reordering',
  'abstraction_shift',
  'error_pattern_match',
  'fresh_start',
] as const
export type Technique = (typeof TECHNIQUES)[number]

/** A part of a task that SIA split: its text, and which other parts it waits for. */
export interface Subtask {
  readonly id: TaskId
  readonly text: Partial<TaskText> & { readonly title: string }
  readonly deps: readonly TaskId[]
}

export type Intervention =
  | { readonly type: 'fixed'; readonly technique: Technique; readonly task: Partial<TaskText> }
  | { readonly type: 'decomposed'; readonly technique: Technique; readonly subtasks: readonly Subtask[] }
  | { readonly type: 'escalate'; readonly reason: string }

export function untried(tried: readonly Technique[]): Technique[] {
  return TECHNIQUES.filter((technique) => !tried.includes(technique))
}
