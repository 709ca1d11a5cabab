// What the guide to plans shows, with a planner that plays a script.
import { beforeAll, describe, expect, it } from 'vitest'
import { blocksOf, readGuide, typed } from './guided.ts'
import { project } from '../rig/project.ts'

const blocks = blocksOf(readGuide('plans.md'))

const number = (id: string, digit: number, depends_on: string[] = []) => ({
  id,
  title: `Add ${id}()`,
  goal: `There is a number ${id}.`,
  acceptance: [`${id}() gives ${digit}`],
  depends_on,
  files_expected: [`${id}.js`, `${id}.test.js`],
  status: 'todo',
  type: 'api',
})
const plan = {
  tasks: [number('two', 2), number('three', 3, ['two'])],
  notes: 'Each number is a function of its own.',
}
const TOML = `[agents]
default = "scripted"
[agent.scripted]
scenario = "../scenario.json"
[checks]
unit = "npm test"
`

describe('docs/guide/plans.md', () => {
  let printed: string[]
  beforeAll(() => {
    const script = [{ role: 'planner', steps: [{ answer: plan }] }]
    const made = project({ script, files: {}, toml: TOML, atEnd: () => {} })
    // The guide shows another agent.
    printed = typed(made, blocks).map((text) => text.replaceAll('scripted plans', 'claude plans'))
    return made.remove
  })

  it('says what every command prints', () => {
    expect(blocks.length).toBeGreaterThan(3)
    expect(blocks.filter(({ output }) => output === null)).toEqual([])
  })

  it.each(blocks.map((block, index) => ({ ...block, index })))('$commands', ({ output, index }) => {
    expect(printed[index]).toBe(output)
  })
})
