import { describe, expect, it } from 'vitest'
import type { TaskType } from '../task/task.ts'
import { asksForWords, speaksOfWords, withoutAsked } from './requested-edits.ts'

describe('a task that asks for words', () => {
  it.each<[boolean, string, string | null, TaskType | null]>([
    [true, 'Work', null, 'docs'],
    [true, 'docs: how to install', null, null],
    [true, 'docs(api): parameters', null, null],
    [true, 'Document sum()', null, null],
    [true, 'Describe every exported function', null, null],
    [true, 'Explain why the cache is cleared', null, null],
    [true, 'Add a comment to sum.js', null, null],
    [true, 'Add JSDoc', null, null],
    [true, 'Write docstrings for the parser', null, 'chore'],
    [true, 'Fix all the typos.', null, null],
    [true, 'Fix typos in the README', null, null],
    [true, 'Improve the API documentation', null, null],
    [true, 'Update the licence headers', null, 'chore'],
    [true, 'Tidy up sum.js', 'Remove outdated comments.', 'refactor'],
    [true, 'Tidy up', 'Please document what each flag does.', null],
    [false, 'Add sum()', null, null],
    [false, 'Add sum()', 'As it stands in docs/sum.md; see also the README.', null],
    [false, 'Fix the comment parser', null, null],
    [false, 'Add a comments table', null, null],
    [false, 'Add a comment form', null, null],
    [false, 'Upload a document', null, null],
    [false, 'Add comments below posts', null, 'api'],
    [false, 'Fix sum()', 'It returns the wrong value; the documentation is right.', null],
    [false, 'Write docs/readme-parser.ts', null, null],
  ])('%s: %s (%s, %s)', (expected, title, description, type) => {
    expect(asksForWords({ title, description, type })).toBe(expected)
  })
})

describe('a title that speaks of documents alone', () => {
  it.each([
    ['Say in the README how to install', ['README.md'], true],
    ['Explain the retry policy in docs/limits.md', ['docs/limits.md'], true],
    ['Changelog for 2.0', ['CHANGELOG.md'], true],
    ['Add discounts and mention them in the README', ['README.md'], false],
    ['Add discounts', ['README.md'], false],
    ['Fix the total of an empty cart', ['docs/cart-notes.md'], false],
    ['Fix the total of a cart', ['docs/cart.md'], false],
    ['Fix the docs search', ['README.md'], false],
    ['Fix the release notes parser', ['CHANGELOG.md'], false],
    ['Correct the sums in docs/cart.md', ['docs/cart.md'], true],
  ] as const)('%s', (title, changed, expected) => {
    expect(speaksOfWords({ title }, changed)).toBe(expected)
  })
})

describe('a title that asks for an upgrade', () => {
  const lock = { rule: 'lockfile', path: 'package-lock.json', line: null, what: 'the lockfile changed' } as const
  const bump = {
    rule: 'dependency',
    path: 'package.json',
    line: 7,
    what: 'what the project depends on changed: devDependencies.tiny-dates',
  } as const
  const script = { rule: 'script', path: 'package.json', line: 3, what: 'a command of the project changed' } as const
  it.each([
    ['Bump tiny-dates to 2.0', []],
    ['chore(deps): bump tiny-dates', []],
    ['Update the dependencies', []],
    ['Update tiny-dates to 2.0', []],
    ['Bump left-pad to 2.0', [lock, bump]],
    ['Update the packages page', [lock, bump]],
    ['Update tiny-dates formatting', [lock, bump]],
    ['Show dates in the local form', [lock, bump]],
  ] as const)('%s', (title, left) => {
    expect(withoutAsked([lock, bump, script], { title })).toEqual([...left, script])
  })
})
