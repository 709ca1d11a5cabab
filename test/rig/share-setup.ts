// Skips the cases of a campaign that this run's share leaves out. A group is a `describe`, or the tests at the top of a file.
import { beforeEach, type RunnerTestCase } from 'vitest'
import { has, shareOf } from './share.ts'

const share = shareOf(process.env['RALPH_TEST_SHARE'])

if (share.is !== 'all')
  beforeEach(({ task, skip }) => {
    const group = casesBeside(task)
    if (!has(share, group.indexOf(task), group.length)) skip('not in this share')
  })

function casesBeside(task: Readonly<RunnerTestCase>): readonly unknown[] {
  return (task.suite ?? task.file).tasks.filter(
    ({ type, mode }) => type === 'test' && mode !== 'skip' && mode !== 'todo',
  )
}
