import { describe, expect, it } from 'vitest'
import { tasksOfChecklist } from './checklist.ts'

const LIST = `# Fix plan

## Now

- [ ] T7: Parse numbers
  Signs as well.
  - [ ] a failing test
  - [x] read the grammar
* [x] Parse words
1. [ ] Parse dates

## Later

+ [ ] ${'very '.repeat(40)}long
`

describe('a checklist', () => {
  it('has a task for each outer box, with what stands below it', () => {
    const text = { description: null, steps: [] }
    expect(tasksOfChecklist(LIST, 'fix_plan.md')).toEqual([
      {
        id: 'T7',
        text: { title: 'Parse numbers', description: 'Signs as well.', steps: ['a failing test'], priority: 0 },
        deps: [],
        line: 5,
        checked: false,
      },
      { id: 'parse-words', text: { ...text, title: 'Parse words', priority: 1 }, deps: [], line: 9, checked: true },
      { id: 'parse-dates', text: { ...text, title: 'Parse dates', priority: 2 }, deps: [], line: 10, checked: false },
      {
        id: 'very-very-very-very-very-very-very-very-very-very-very-very',
        text: {
          title: `${'very '.repeat(23)}very…`,
          description: `${'very '.repeat(40)}long`,
          steps: [],
          priority: 3,
        },
        deps: [],
        line: 14,
        checked: false,
      },
    ])
  })

  it('without boxes lists nothing', () => {
    expect(() => tasksOfChecklist('- one\n', 'x.md')).toThrow("x.md lists no tasks; add lines like '- [ ] Title'")
  })
})
