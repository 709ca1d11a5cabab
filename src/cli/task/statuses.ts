import { refuse } from '../../core/error/error.ts'
import { TASK_STATUSES, type TaskStatus } from '../../core/task/task.ts'

/** `open,active` */
export function statuses(text: string): TaskStatus[] {
  return text.split(',').map((word) => {
    const known = TASK_STATUSES.find((status) => status === word.trim())
    if (known === undefined) throw refuse('STATUS_UNKNOWN', { status: word.trim(), known: TASK_STATUSES.join(', ') })
    return known
  })
}
