import { describe, expect, it } from 'vitest'
import { claimOf, claimSentence, PREFIXES_WITHOUT_CLAIM, type TaskClaim, VERBS_WITHOUT_CLAIM } from './claim.ts'
import { TASK_TYPES, type TaskType } from './task.ts'

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

it.each<[claim: TaskClaim, sentence: string]>([
  [behaviour, 'it claims new behaviour, which a test must show'],
  [of('X', 'api'), 'it claims new behaviour, which a test must show (its type is api)'],
  [of('X', 'docs'), 'it claims no new behaviour (its type is docs)'],
  [of('Rename x'), 'it claims no new behaviour (its title begins with "Rename")'],
])('%j', (claim, sentence) => {
  expect(claimSentence(claim)).toBe(sentence)
})
