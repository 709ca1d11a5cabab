// Skips the cases of a campaign that this run's share leaves out. A group is a `describe`, or the tests at the top of a file.
import { beforeEach, type RunnerTestCase } from 'vitest'
import { has, shareOf } from './share.ts'

const share = shareOf(process.env['RALPH_TEST_SHARE'])

if (share.is !== 'all')
  beforeEach(({ task, skip }) => {
    const group = casesBeside(task)
    if (!has(share, group.indexOf(task), group.length)) skip('not in this share')
  })

type Group = NonNullable<RunnerTestCase['suite']> | RunnerTestCase['file']

/** As they were before the first of them ran: a case that is skipped here counts all the same. */
const groups = new WeakMap<Group, readonly unknown[]>()

function casesBeside(task: Readonly<RunnerTestCase>): readonly unknown[] {
  const group = task.suite ?? task.file
  const cases = groups.get(group) ?? group.tasks.filter(({ type, mode }) => type === 'test' && mode === 'run')
  groups.set(group, cases)
  return cases
}
