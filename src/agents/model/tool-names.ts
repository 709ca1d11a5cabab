// The tools of a model session by role: a reading role can only read.
import type { Role } from '../agent.ts'

export const READING = ['repo_read', 'repo_search'] as const
export const WORKING = ['repo_apply_patch', 'run_checks', 'write_scratchpad'] as const
export type ToolName = (typeof READING)[number] | (typeof WORKING)[number]

export function toolNames(tools: 'own' | 'none', role: Role): readonly ToolName[] {
  if (tools === 'none') return []
  return role === 'implementer' ? [...READING, ...WORKING] : READING
}
