import { describe, expect, it } from 'vitest'
import { taskId } from '../values/id.ts'
import {
  claimOf,
  claimsSentence,
  claimText,
  PREFIXES_WITHOUT_CLAIM,
  type TaskClaim,
  VERBS_WITHOUT_CLAIM,
} from './claim.ts'
import { newTask, rewordTask, rewriteTask, type Task, TASK_TYPES, type TaskType } from './task.ts'

const of = (title: string, type: TaskType | null = null): TaskClaim => claimOf({ title, type })
const none = (word: string): TaskClaim => ({ claim: 'none', from: 'title', word })
const behaviour: TaskClaim = { claim: 'behaviour', from: 'default' }

describe('the type decides', () => {
  it.each(['docs', 'refactor', 'chore', 'test', 'setup'] as const)('%s claims nothing', (type) => {
    expect(of('Fix the total', type)).toEqual({ claim: 'none', from: 'type', word: type })
  })

  it('every other type claims behaviour, whatever the title says', () => {
    const others = TASK_TYPES.filter((type) => !['docs', 'refactor', 'chore', 'test', 'setup'].includes(type))
    expect(others).toEqual(['database', 'api', 'ui', 'integration'])
    for (const type of others)
      expect(of('Refactor the cart', type)).toEqual({ claim: 'behaviour', from: 'type', word: type })
  })
})

describe('without a type the beginning of the title decides', () => {
  it.each(PREFIXES_WITHOUT_CLAIM)('%s:', (word) => {
    expect([of(`${word}: the cart`), of(`${word}(cart api): totals`)]).toEqual([
      none(`${word}:`),
      none(`${word}(cart api):`),
    ])
  })

  it.each(VERBS_WITHOUT_CLAIM)('%s', (word) => {
    expect([of(`${word} the cart`), of(word), of(` ${word.toUpperCase()}\tthe cart`)]).toEqual([
      none(word),
      none(word),
      none(word.toUpperCase()),
    ])
  })

  it.each<[title: string, claim: TaskClaim]>([
    ['Add tests for the cart', none('Add tests')],
    ['add  tests', none('add  tests')],
    ['Docs: how to install', none('Docs:')],
    ['refactor(): the cart', none('refactor():')],
    ['Add discount codes', behaviour],
    ['Add testsuite selection', behaviour],
    ['Fix the formatting of dates', behaviour],
    ['Removed users keep their orders', behaviour],
    ['Formatter for prices', behaviour],
    ['Documents can be signed', behaviour],
    ['Movement of the pieces', behaviour],
    ['Test-drive the checkout', behaviour],
    ['Build a cart', behaviour],
    ['Style guide page', behaviour],
    ['CI status in the header', behaviour],
    ['feat: rename folders', behaviour],
    ['fix: docs: broken link', behaviour],
    ['feat(docs): a search', behaviour],
    ['refactor!: drop the old field', behaviour],
    ['docs(api)!: drop the old field', behaviour],
    ['refactored: x', behaviour],
    ['Users can rename folders', behaviour],
    ['', behaviour],
  ])('"%s"', (title, claim) => {
    expect(of(title)).toEqual(claim)
  })

  it('a long title costs no time', () => {
    expect(of(`docs(${'('.repeat(500)}`)).toEqual(behaviour)
    expect(of(`add${' '.repeat(500)}`)).toEqual(behaviour)
  })
})

it('a claim that was decided earlier stays, whatever type and title say now', () => {
  expect(claimOf({ title: 'Refactor the cart', type: 'docs', fixedClaim: behaviour })).toEqual(behaviour)
  expect(claimOf({ title: 'Add codes', type: 'api', fixedClaim: none('Rename') })).toEqual(none('Rename'))
  expect(claimOf({ title: 'Rename it', type: null, fixedClaim: null })).toEqual(none('Rename'))
})

it.each<[claim: TaskClaim, text: string]>([
  [behaviour, 'new behaviour, which a test must show'],
  [of('X', 'api'), 'new behaviour, which a test must show (its type is api)'],
  [of('X', 'docs'), 'no new behaviour (its type is docs)'],
  [of('Rename x'), 'no new behaviour (its title begins with "Rename")'],
])('%j', (claim, text) => {
  expect(claimText(claim)).toBe(text)
})

describe('the claims of a build in one sentence', () => {
  const task = (id: string, title: string, type: TaskType | null = null) => ({ id, title, type })
  const changes = "'ralph task update ID --type TYPE' changes what one claims"
  it.each([
    ['no task', [], null],
    ['one', [task('a', 'A')], `one task claims new behaviour, which a test must show; ${changes}`],
    [
      'both kinds',
      [task('a', 'A'), task('b', 'B', 'api'), task('c', 'docs: c'), task('d', 'D', 'chore')],
      `2 tasks claim new behaviour, which a test must show; no new behaviour is claimed by c (its title begins with "docs:"), d (its type is chore); ${changes}`,
    ],
    [
      'many',
      Array.from({ length: 7 }, (_, at) => task(`t${at}`, 'T', 'test')),
      `no new behaviour is claimed by ${[0, 1, 2, 3, 4].map((at) => `t${at} (its type is test)`).join(', ')} and 2 more; ${changes}`,
    ],
  ])('%s', (_, tasks, sentence) => {
    expect(claimsSentence(tasks)).toBe(sentence)
  })
})

describe('who may change a claim', () => {
  const made = newTask(taskId('x'), { title: 'Add codes' }, [], 1)
  const bySession: Task = {
    ...newTask(taskId('x'), { title: 'docs: codes', type: 'docs' }, [], 1),
    fixedClaim: behaviour,
  }
  it.each<[who: string, task: Task, claim: TaskClaim]>([
    ['the operator, by title', rewriteTask(made, { title: 'Rename codes' }, 2), none('Rename')],
    ['the operator, by type', rewriteTask(made, { type: 'docs' }, 2), of('', 'docs')],
    ['SIA, not by title', rewordTask(made, { title: 'Rename codes' }, 'sia', 2), behaviour],
    ['SIA, by type', rewordTask(made, { title: 'Rename', type: 'refactor' }, 'sia', 2), of('', 'refactor')],
    ['a session, not by title', rewordTask(made, { title: 'Rename codes' }, 'session', 2), behaviour],
    ['a session, not by type', rewordTask(made, { type: 'docs' }, 'session', 2), behaviour],
    ['SIA, not upwards either', rewordTask({ ...made, title: 'Move it' }, { title: 'Do it' }, 'sia', 2), none('Move')],
    ['nobody, by another field', rewriteTask(bySession, { priority: 0 }, 2), behaviour],
    ['nobody, by the same title', rewriteTask(bySession, { title: 'docs: codes', type: null }, 2), behaviour],
    ['the operator, by the title of a task of a session', rewriteTask(bySession, { title: 'Tidy' }, 2), none('Tidy')],
    ['not the type of a session', rewriteTask(bySession, { title: 'Codes' }, 2), behaviour],
    ['the operator, by the same type', rewriteTask(bySession, { type: 'docs' }, 2), of('', 'docs')],
  ])('%s', (_, task, claim) => {
    expect(claimOf(task)).toEqual(claim)
  })

  it('a rewording that changes neither title nor type fixes nothing', () => {
    expect(rewordTask(made, { title: 'Add codes', description: 'x' }, 'session', 2).fixedClaim).toBeNull()
  })
})
