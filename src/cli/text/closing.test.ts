import { describe, expect, it } from 'vitest'
import { sampleReport } from '../../../test/rig/sample-report.ts'
import type { TaskId } from '../../core/values/id.ts'
import { DONE_REASONS, type DoneReason } from '../../core/builds/done-reason.ts'
import { closingJson, closingSentence, closingText, type RunEnd, mergedText } from './closing.ts'

const reasons = Object.keys(DONE_REASONS) as DoneReason[]

describe('the end of a run', () => {
  it('has a sentence of its own for every reason', () => {
    expect(new Set(reasons.map((reason) => closingSentence({ reason }))).size).toBe(reasons.length)
  })

  it.each<[RunEnd, string]>([
    [{ reason: 'Failed', detail: 'the store is full\nat x' }, 'The build failed: the store is full'],
    [{ reason: 'Paused', detail: 'The time has come.' }, 'The time has come.'],
    [
      { reason: 'UnverifiedDone', detail: 'Not verified: a.' },
      'The progress file says RALPH_DONE, but not every task is verified. Not verified: a.',
    ],
  ])('%j', (ended, sentence) => {
    expect(closingSentence(ended)).toBe(sentence)
  })

  it('names what was removed meanwhile', () => {
    const pay = { id: 'pay' as TaskId, title: 'Take payments', at: 5, during: 'pause' } as const
    const mail = { ...pay, id: 'mail' as TaskId, title: 'Send mail' }
    expect(closingSentence({ reason: 'AllTasksComplete' }, [pay])).toBe(
      "All tasks are complete; 1 was removed while it ran: 'pay' Take payments.",
    )
    expect(closingSentence({ reason: 'HumanNeeded' }, [pay, mail])).toBe(
      "A human is needed to go on. Of its tasks 2 were removed while it ran: 'pay' Take payments, 'mail' Send mail.",
    )
  })

  it('lists what was merged, and why it may be', async () => {
    const { merged } = await sampleReport()
    expect(mergedText('b_1', merged)).toBe(
      [
        'Merged into ralph/b_1:',
        'COMMIT      TASK    EVIDENCE                         TITLE',
        'c100000000  login   green: 3 tests (unit)            Add login',
        'c200000000  logout  unverified, accepted by ada@box  Add logout',
        '',
      ].join('\n'),
    )
    expect(mergedText('b_1', [])).toBe('Nothing was merged.\n')
  })

  it('asks the question only where a human is needed, and says how to take it when all is complete', async () => {
    const report = await sampleReport()
    expect(closingText({ reason: 'HumanNeeded' }, report)).toContain('Task pay waits for you: Take | payments\n')
    expect(closingText({ reason: 'Paused' }, report)).not.toContain('waits for you')
    const shipped = { ...(await sampleReport('complete')), isShipped: true }
    expect(closingText({ reason: 'AllTasksComplete' }, shipped)).toMatch(/complete\.\nIt is shipped\.\n$/)
    expect(closingText({ reason: 'AllTasksComplete' }, await sampleReport('complete'))).toContain(
      "look with 'git log -p ralph/b_1', take it over with 'ralph ship'",
    )
  })

  it.each(reasons)('%s: the last JSON line has its exit code', async (reason) => {
    const line = closingJson({ reason }, await sampleReport())
    expect(line).toMatchObject({ type: 'done', reason, exit: DONE_REASONS[reason].exit, sessionId: 'b_1' })
    expect(line['commits']).toHaveLength(2)
  })
})
