import { describe, expect, it } from 'vitest'
import { type TaskId, taskId } from '../../core/values/id.ts'
import { newTask, type Task } from '../../core/task/task.ts'
import { planIn } from './plan-items.ts'

const file = (...tasks: string[]): string => `# Progress: x\n\n## Tasks\n\n${tasks.join('\n')}\n`
const known = (...tasks: Task[]): Map<TaskId, Task> => new Map(tasks.map((task) => [task.id, task]))

describe('what stands below a task', () => {
  it('tells what it is, and what it waits for', () => {
    const text = file(
      '- [ ] a',
      '- [ ] b',
      '  Why.',
      '',
      '  Acceptance:',
      '  - seen',
      '  Type: docs',
      '  Depends on: a',
    )
    const { items, problems } = planIn(text, 'P.md', known())
    expect(problems).toEqual([])
    expect(items).toMatchObject([
      { id: 'a', text: { title: 'a', description: null } },
      { id: 'b', text: { description: 'Why.', acceptance: ['seen'], type: 'docs' }, deps: ['a'] },
    ])
    expect(items[0]).not.toHaveProperty('deps')
  })

  it('waits for nothing that was done before the store knew it', () => {
    const text = file('- [x] a', '- [ ] b', '  Depends on: a')
    expect(planIn(text, 'P.md', known()).items).toMatchObject([{ id: 'b', deps: [] }])
    const a = { ...newTask(taskId('a'), { title: 'a', spec: 'P.md' }, [], 0), status: 'done' as const }
    expect(planIn(text, 'P.md', known(a)).items).toMatchObject([{ id: 'a' }, { id: 'b', deps: ['a'] }])
  })

  it('is refused where tasks wait for each other', () => {
    const text = file('- [ ] a', '  Depends on: b', '- [ ] b', '  Depends on: a')
    expect(planIn(text, 'P.md', known()).problems).toEqual([
      'line 5 of P.md: its tasks wait for each other: a -> b -> a',
    ])
  })

  it.each([
    ['Depends on: c', ["line 6 of P.md: what 'b' depends on is taken as description, since the file has no task 'c'"]],
    ['Depends on: a, c', [expect.stringContaining("no task 'c'")]],
    ['Depends on: what a does', []],
    ['Depends on: a', []],
  ])('is told where it names no task of the file: %s', (line, notes) => {
    expect(planIn(file('- [ ] a', '- [ ] b', `  ${line}`), 'P.md', known()).notes).toEqual(notes)
  })
})
