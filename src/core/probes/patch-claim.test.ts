import { describe, expect, it } from 'vitest'
import type { CheckRun } from '../evidence/evidence.ts'
import type { PatchKind } from '../evidence/probe-report.ts'
import { newTask, type TaskText } from '../task/task.ts'
import { taskId } from '../values/id.ts'
import type { ChangedFile } from './changed-file.ts'
import { acceptedBy, claimFor, makesFiles } from './patch-claim.ts'

function task(title: string, more: Partial<TaskText> = {}) {
  return newTask(taskId('t'), { title, ...more }, [], 0)
}

function file(path: string): ChangedFile {
  return { path, change: 'modified', baseText: '', text: '', base: null, now: null, lines: new Set() }
}

describe('what a patch claims', () => {
  const rows: readonly (readonly [string, PatchKind, readonly string[], 'behaviour' | 'none'])[] = [
    ['Discounts in percent', 'code', ['src/cart.js'], 'behaviour'],
    ['Refactor the totals', 'code', ['src/cart.js'], 'none'],
    ['Discounts in percent', 'inert', ['README.md'], 'behaviour'],
    ['Say in the README how to install', 'inert', ['README.md'], 'none'],
    ['Say in the README how to install', 'code', ['src/cart.js'], 'behaviour'],
    ['Fix the typos in the comments', 'inert', ['src/cart.js'], 'none'],
    ['Cover the cart with tests', 'tests', ['test/cart.test.js'], 'none'],
    ['More tests for the cart', 'tests', ['test/cart.test.js'], 'none'],
    ['Add a test for an empty cart', 'tests', ['test/cart.test.js'], 'none'],
    ['Fix the exit code of the test runner', 'tests', ['test/cart.test.js'], 'behaviour'],
    ['Add test mode to the server', 'tests', ['test/cart.test.js'], 'behaviour'],
    ['Cover the cart with tests', 'code', ['src/cart.js'], 'behaviour'],
    ['Discounts in percent', 'tests', ['test/cart.test.js'], 'behaviour'],
  ]
  it.each(rows)('%s, %s in %j: %s', (title, kind, paths, claim) => {
    expect(claimFor(task(title), kind, paths.map(file))).toBe(claim)
  })
})

describe('what needs no probe', () => {
  it('each changed file matches a pattern that the operator accepts', () => {
    const files = [file('site/a.css'), file('docs/b/c.md')]
    expect(acceptedBy(files, ['**/*.css', 'docs/**'])).toEqual(['**/*.css', 'docs/**'])
    expect(acceptedBy(files, ['**/*.css'])).toEqual([])
    expect(acceptedBy([], ['**'])).toEqual([])
  })

  it('a task that sets something up and names its files, while no test runs yet', () => {
    const lint = { kind: 'check', tests: null } as CheckRun
    const tested = { kind: 'check', tests: { source: 'x', run: 1, failed: 0, skipped: 0 } } as CheckRun
    const setup = task('Set it up', { type: 'setup', filesExpected: ['package.json'] })
    expect(makesFiles(setup, [lint])).toBe(true)
    expect(makesFiles(setup, [tested])).toBe(false)
    expect(makesFiles(task('Set it up', { type: 'setup' }), [lint])).toBe(false)
    expect(makesFiles(task('Add it', { type: 'api', filesExpected: ['a.js'] }), [lint])).toBe(false)
  })
})
