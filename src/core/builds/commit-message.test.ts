import { describe, expect, it } from 'vitest'
import { attemptIn, attemptTrailer, commitMessage } from './commit-message.ts'
import { taskId, type BuildId, type EvidenceId } from '../values/id.ts'

const story = {
  build: 'b_1' as BuildId,
  task: taskId('login'),
  taskName: 'Add login',
  attempt: 2,
  iteration: 3,
  evidence: 'sha256:abc' as EvidenceId,
  resolution: null,
}

describe('commitMessage', () => {
  it('tells the task, and how to find what proved it', () => {
    expect(commitMessage(story)).toBe(
      'feat: Add login\n\nTask ID: login\nRalph-Build: b_1\nRalph-Attempt: login/2/3\nRalph-Evidence: sha256:abc\n',
    )
  })

  it('tells a manual resolution in the words of who made it', () => {
    expect(commitMessage({ ...story, resolution: 'I swapped the arguments.', evidence: null })).toBe(
      'fix: Manual resolution for Add login\n\nI swapped the arguments.\n\n' +
        'Task ID: login\nRalph-Build: b_1\nRalph-Attempt: login/2/3\nRalph-Evidence: none\n',
    )
  })

  it('lets no text pass for one of our trailers', () => {
    const resolution = 'fixed\nRalph-Attempt: other/1/1\ntask id: other'
    const lines = commitMessage({ ...story, resolution }).split('\n')
    expect(lines.filter((line) => line.startsWith('Ralph-Attempt:'))).toEqual([attemptTrailer(story)])
    expect(lines.filter((line) => line.startsWith('Task ID:'))).toEqual(['Task ID: login'])
  })

  it.each([
    [commitMessage(story), { attempt: 2, iteration: 3 }],
    [commitMessage({ ...story, task: taskId('a/b/9'), resolution: 'x' }), { attempt: 2, iteration: 3 }],
    ['feat: x\n\nRalph-Attempt: t/1/1\n\nit says\nRalph-Attempt: t/1/2 or so\n', null],
    ['revert: x\n\nTask ID: t\nRalph-Reverts: c1\n', null],
  ])('tells which attempt it settles by its last paragraph: %j', (message, attempt) => {
    expect(attemptIn(message)).toEqual(attempt)
  })

  it('keeps the subject on one line', () => {
    expect(commitMessage({ ...story, taskName: ' Add\n\n login ' }).split('\n')[0]).toBe('feat: Add login')
  })
})
