import { expect, it } from 'vitest'
import type { IdeaId, TaskId } from '../values/id.ts'
import { groupOf } from '../plan/seed.ts'
import { plannedSpec, seedOfIdea, specText, writtenSpec } from './spec-text.ts'

const graph = {
  tasks: [
    {
      id: 'two' as TaskId,
      title: 'Add two()',
      goal: 'There is two.',
      acceptance: ['two() is 2', 'it has a test'],
      dependsOn: ['one' as TaskId],
      filesExpected: [],
      type: null,
    },
  ],
  notes: 'Small ones.\n',
}
const TASKS = `## Tasks

### two: Add two()

There is two.

After: one

- two() is 2
- it has a test
`

it.each([
  ['Numbers', 'Numbers', graph, `# Numbers\n\n## Notes\n\nSmall ones.\n\n${TASKS}`],
  ['Numbers', '# Numbers\n\nTwo and more.', { ...graph, notes: '' }, `# Numbers\n\nTwo and more.\n\n${TASKS}`],
] as const)('the spec of %s, in words %j', (title, text, made, expected) => {
  expect(specText({ title, text }, made)).toBe(expected)
})

it('a spec has the id of what is planned from it', () => {
  expect(writtenSpec('i_1', 'Add two')).toEqual({ id: 'idea:i_1', text: 'Add two', graph: null })
  const spec = plannedSpec({ id: 'i_1' as IdeaId, title: 'Two', text: 'Two' }, graph)
  expect(spec).toEqual({ ...writtenSpec('i_1', spec.text), graph })
  const seed = seedOfIdea({ id: 'i_1' as IdeaId, text: 'Two', spec })
  expect(groupOf(seed, () => '')).toBe(spec.id)
})

it('an idea is planned from its spec, else from its words', () => {
  const idea = { id: 'i_1' as IdeaId, text: 'a' }
  expect(seedOfIdea({ ...idea, spec: null })).toEqual({ from: 'idea', id: 'i_1', text: 'a' })
  expect(seedOfIdea({ ...idea, spec: writtenSpec('i_1', 'b') })).toEqual({ from: 'idea', id: 'i_1', text: 'b' })
})
