import { describe, expect, it } from 'vitest'
import { tasksOfPrd } from './prd.ts'

const read = (document: unknown) => tasksOfPrd(JSON.stringify(document), 'prd.json')

const plain = {
  description: null,
  acceptance: [],
  steps: [],
  filesExpected: [],
  priority: 2,
  category: null,
  type: null,
}

describe('a list of user stories', () => {
  it('is read as it is known', () => {
    const story = {
      id: 'US-001',
      title: 'Log in',
      description: 'As a user, I want to log in.',
      acceptanceCriteria: ['a wrong password says so', 'Typecheck passes'],
      priority: 1,
      passes: false,
      notes: 'no OAuth',
    }
    expect(
      read({
        project: 'Shop',
        branchName: 'ralph/login',
        userStories: [story, { ...story, id: 'US-002', title: 'Log out', passes: true, notes: '' }],
      }),
    ).toEqual([
      {
        id: 'US-001',
        text: {
          ...plain,
          title: 'Log in',
          description: 'As a user, I want to log in.\n\nNotes: no OAuth',
          acceptance: story.acceptanceCriteria,
          priority: 1,
        },
        deps: [],
        line: 1,
        checked: false,
      },
      expect.objectContaining({ id: 'US-002', checked: true, line: 2 }),
    ])
  })

  it('is taken under other names too', () => {
    expect(
      read([
        { id: 1, name: 'One', acceptance: 'it is there', priority: 'HIGH', type: 'api', category: 'core' },
        { id: 'step two', title: 'Two', depends_on: [1], status: 'Completed', steps: ['a', ' '] },
        { description: 'Three is\nmore than two', dependencies: ['step two'], priority: '7' },
      ]),
    ).toEqual([
      {
        id: '1',
        text: { ...plain, title: 'One', acceptance: ['it is there'], priority: 1, type: 'api', category: 'core' },
        deps: [],
        line: 1,
        checked: false,
      },
      { id: 'step-two', text: { ...plain, title: 'Two', steps: ['a'] }, deps: ['1'], line: 2, checked: true },
      {
        id: 'three-is-more-than-two',
        text: { ...plain, title: 'Three is more than two', description: 'Three is\nmore than two', priority: 7 },
        deps: ['step-two'],
        line: 3,
        checked: false,
      },
    ])
  })

  it.each<[unknown, string]>([
    [{ userStories: [] }, 'prd.json lists no user stories'],
    [[7], 'prd.json, story 1: it must be an object; nothing was written'],
    [[{ id: 'a' }], "prd.json, story 1 ('a'): it needs a 'title'; nothing was written"],
    [[{ id: 'a', title: 7 }], "prd.json, story 1 ('a'): 'title' must be a text; nothing was written"],
    [[{ id: {}, title: 'x' }], "prd.json, story 1: 'id' must be a text; nothing was written"],
    [[{ id: ' ', title: 'x' }], "prd.json, story 1 (' '): 'id' must be 1 to 128 characters; nothing was written"],
    [
      [{ id: 'a', title: 'x', acceptanceCriteria: [{}] }],
      "prd.json, story 1 ('a'): 'acceptanceCriteria' must be a list of texts; nothing was written",
    ],
    [
      [{ id: 'a', title: 'x', priority: -1 }],
      "prd.json, story 1 ('a'): 'priority' must be a whole number from 0 on, or high, medium or low; nothing was written",
    ],
    [
      [
        { id: 'a', title: 'x' },
        { id: 'a', title: 'y' },
      ],
      "prd.json, story 2 ('a'): its id is given twice; nothing was written",
    ],
    [
      [{ id: 'a', title: 'x', dependsOn: ['b'] }],
      "prd.json, story 1 ('a'): it waits for 'b', which is not in the list; nothing was written",
    ],
    [
      [
        { id: 'a', title: 'x', dependsOn: ['b'] },
        { id: 'b', title: 'y', dependsOn: ['a'] },
      ],
      'this would make a dependency cycle: a -> b -> a',
    ],
  ])('is refused: %j', (document, sentence) => {
    expect(() => read(document)).toThrow(sentence)
  })
})
