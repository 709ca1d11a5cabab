import type { SessionRole } from '../../operations/contract/task-detail.ts'

export const ROLE_WORDS: Readonly<Record<SessionRole, string>> = {
  planner: 'Planner',
  implementer: 'Implementer',
  reviewer: 'Reviewer',
  sia: 'SIA',
}
