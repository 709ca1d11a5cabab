import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { agentId, taskId } from '../../core/values/id.ts'
import { newTask, type Task } from '../../core/task/task.ts'
import { taskPage } from './page.ts'

const AT = Date.UTC(2026, 0, 31, 12, 0, 0)
const task = (fields: Partial<Task>): Task => ({ ...newTask(taskId('a'), { title: 'A' }, [], AT), ...fields })

describe('taskPage', () => {
  it('shows every field there is, in order', () => {
    const full = task({
      category: 'feat',
      description: 'One\nTwo',
      spec: 's',
      ref: 'r',
      assignee: agentId('ann'),
      leaseExpiresAt: AT + 60_000,
      retryCount: 2,
      failReason: 'why',
      result: { commit: 'abc' },
      steps: ['x\ny', 'z'],
      acceptance: ['holds'],
      updatedAt: AT + 1000,
    })
    const blockers = [task({ id: taskId('b'), status: 'done', result: { commit: 'def' } }), task({ id: taskId('c') })]
    expect(taskPage(full, blockers)).toBe(`ID:          a
Title:       A
Status:      open
Priority:    2
Category:    feat
Description: One
             Two
Spec:        s
Ref:         r
Assignee:    ann
Created:     2026-01-31 12:00:00
Updated:     2026-01-31 12:00:01
Lease:       until 2026-01-31 12:01:00
Retries:     2
Fail reason: why
Result:      {"commit":"abc"}
Claims:      new behaviour, which a test must show

Steps:
  1. x
     y
  2. z

Acceptance:
  - holds

Dependencies:
  b (done)
  c (open)

Blocker Results:
  b: {"commit":"def"}
`)
  })

  it('leaves out what is empty', () => {
    expect(taskPage(task({ description: '' }), [])).toBe(`ID:          a
Title:       A
Status:      open
Priority:    2
Created:     2026-01-31 12:00:00
Updated:     2026-01-31 12:00:00
Claims:      new behaviour, which a test must show
`)
  })

  it('lets no text command the terminal', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (description, failReason) => {
        const page = taskPage(task({ description, failReason }), [])
        expect(page).not.toMatch(/(?![\n\t])\p{Cc}/u)
      }),
    )
  })
})
