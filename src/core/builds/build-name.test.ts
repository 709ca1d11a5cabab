import { expect, it } from 'vitest'
import { type BuildWords, buildName } from './build-name.ts'

const none: BuildWords = { seed: null, source: null, title: null, tasks: [] }
const documents = { from: 'documents', brief: {}, build_plan: { name: ' ' }, product_doc: { title: 'A shop' } } as const

it.for<[what: string, words: Partial<BuildWords>, name: string | null]>([
  ['nothing', {}, null],
  ['one task', { tasks: ['Add two'], title: 'Build b_1 over the open tasks' }, 'Add two'],
  ['several tasks', { tasks: ['Add two', 'Add three', 'Add four'] }, 'Add two and 2 more'],
  ['a goal', { seed: { from: 'goal', text: 'x' }, title: 'Add a\n login', tasks: ['Add two'] }, 'Add a login'],
  ['an idea', { seed: { from: 'idea', id: 'i_1', text: 'x' }, title: 'A login' }, 'A login'],
  ['an idea that is gone', { seed: { from: 'idea', id: 'i_1', text: 'x' }, tasks: ['Add two'] }, 'Add two'],
  ['a list', { seed: { from: 'list', path: 'PLAN.md' }, title: 'Build b_1 over PLAN.md' }, 'PLAN.md'],
  ['a progress file', { source: 'PROGRESS.md', tasks: ['Add two'] }, 'PROGRESS.md'],
  ['documents', { seed: documents, title: 'brief:' }, 'A shop'],
  ['a long title', { tasks: ['x'.repeat(300)] }, `${'x'.repeat(199)}…`],
])('of %s', ([, words, name]) => expect(buildName({ ...none, ...words })).toBe(name))
