// Skips the cases of a campaign that this run's share leaves out. A group is a `describe`, or the tests at the top of a file;
// for the first cases alone it is the whole file.
import { beforeEach, type RunnerTestCase } from 'vitest'
import { DAYS, has, shareOf } from './share.ts'

const share = shareOf(process.env['RALPH_TEST_SHARE'])

if (share.is !== 'all')
  beforeEach(({ task, skip }) => {
    if (share.is === 'day' && STORIES.test(task.file.filepath)) {
      if (!has(share, numberOf(task.file.filepath), DAYS)) skip('not in this share')
      return
    }
    const group = share.is === 'first' ? casesIn(task.file) : casesBeside(task)
    if (!has(share, group.indexOf(task), group.length)) skip('not in this share')
  })

/** Files whose cases build on each other: a day plays all of them or none. */
const STORIES = /\/test\/browser\/[^/]+$/

function numberOf(path: string): number {
  return [...(path.split('/').at(-1) ?? '')].reduce((sum, letter) => sum + letter.charCodeAt(0), 0)
}

type Group = NonNullable<RunnerTestCase['suite']> | RunnerTestCase['file']

/** As they were before the first of them ran: a case that is skipped here counts all the same. */
const groups = new WeakMap<Group, readonly unknown[]>()

function casesBeside(task: Readonly<RunnerTestCase>): readonly unknown[] {
  const group = task.suite ?? task.file
  return remembered(group, () => group.tasks.filter(({ type, mode }) => type === 'test' && mode === 'run'))
}

function casesIn(file: RunnerTestCase['file']): readonly unknown[] {
  const below = (tasks: Group['tasks']): unknown[] =>
    tasks.flatMap((task) => (task.type === 'suite' ? below(task.tasks) : task.mode === 'run' ? [task] : []))
  return remembered(file, () => below(file.tasks))
}

function remembered(group: Group, cases: () => readonly unknown[]): readonly unknown[] {
  const found = groups.get(group) ?? cases()
  groups.set(group, found)
  return found
}
