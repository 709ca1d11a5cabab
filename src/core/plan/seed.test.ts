import { describe, expect, it } from 'vitest'
import { groupOf, isSamePlan, type Seed, seedName, seedText, versionOf } from './seed.ts'

const digest = (text: string): string => text.length.toString(16).padStart(64, '0').split('').toReversed().join('')

const goal = (text: string): Seed => ({ from: 'goal', text })
const idea = (id: string, text: string): Seed => ({ from: 'idea', id, text })
const spec = (path: string, text = 'x'): Seed => ({ from: 'spec', path, text })
const documents: Seed = { from: 'documents', brief: { name: 'Shop' }, build_plan: {}, product_doc: { pages: [1] } }

describe('what a build is planned from', () => {
  it.each<[Seed, name: string, text: string, group: string]>([
    [idea('i_1', ' Add two\n'), 'idea i_1', 'Add two', 'idea:i_1'],
    [
      goal('  Add a\nlogin page '),
      'the goal "Add a login page"',
      'Add a\nlogin page',
      `goal:add-a-login-page-${digest('Add a\nlogin page').slice(0, 8)}`,
    ],
    [
      goal('word '.repeat(30)),
      `the goal "${'word '.repeat(15)}word…"`,
      'word '.repeat(30).trim(),
      `goal:word-word-word-word-word-word-word-word-${digest('word '.repeat(30).trim()).slice(0, 8)}`,
    ],
    [goal('¡!'), 'the goal "¡!"', '¡!', `goal:task-${digest('¡!').slice(0, 8)}`],
    [spec('docs/SPEC.md', ' Login\n'), 'docs/SPEC.md', 'Login', 'docs/SPEC.md'],
    [{ from: 'list', path: 'prd.json' }, 'prd.json', '', 'prd.json'],
    [
      documents,
      'the documents it was started with',
      'brief:\n{\n  "name": "Shop"\n}\n\nbuild_plan:\n{}\n\nproduct_doc:\n{\n  "pages": [\n    1\n  ]\n}',
      `documents:seed-${digest(seedText(documents)).slice(0, 8)}`,
    ],
  ])('%j', (seed, name, text, group) => {
    expect([seedName(seed), seedText(seed), groupOf(seed, digest)]).toEqual([name, text, group])
    expect(versionOf(seed, digest)).toBe(`sha256:${digest(text).slice(0, 16)}`)
  })

  it.each<[Seed, Seed, boolean]>([
    [goal('a'), goal(' a\n'), true],
    [goal('a'), goal('b'), false],
    [goal('a'), spec('a.md', 'a'), false],
    [spec('a.md', 'old'), spec('a.md', 'new'), true],
    [spec('a.md'), spec('b.md'), false],
    [spec('a.md'), { from: 'list', path: 'a.md' }, true],
    [idea('i_1', 'old'), idea('i_1', 'new'), true],
    [idea('i_1', 'a'), idea('i_2', 'a'), false],
    [goal('a'), idea('i_1', 'a'), false],
    [documents, { ...documents }, true],
    [documents, { ...documents, brief: {} }, false],
  ])('%j and %j: the same plan is %j', (one, other, same) => {
    expect(isSamePlan(one, other)).toBe(same)
  })
})
