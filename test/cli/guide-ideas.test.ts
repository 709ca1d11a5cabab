// What the guide to ideas shows, with an agent that plays a script.
import { beforeAll, describe, expect, it } from 'vitest'
import { blocksOf, readGuide, typed } from './guided.ts'
import { project } from '../rig/project.ts'
import { steady } from '../rig/story.ts'
import { wire, work } from '../rig/sessions.ts'

const blocks = blocksOf(readGuide('ideas.md'))
const plan = { tasks: [wire({ id: 'two' }), wire({ id: 'three', depends_on: ['two'] })], notes: 'Small ones.' }
const TOML = `[agents]
default = "scripted"
[agent.scripted]
scenario = "../scenario.json"
[checks]
unit = "node --test"
`

/** The person and the time differ in each run. */
function alike(text: string): string {
  return steady(text).replaceAll(/by \S+@\S+:/g, 'by YOU:')
}

describe('docs/guide/ideas.md', () => {
  let printed: string[]
  beforeAll(() => {
    const workers = ['two', 'three'].map((id) => ({ role: 'implementer', task: id, steps: work(id) }))
    const script = [{ role: 'planner', steps: [{ answer: plan }] }, ...workers]
    const made = project({ script, tasks: {}, toml: TOML, atEnd: () => {} })
    // The guide shows another agent.
    printed = typed(made, blocks).map((text) => text.replaceAll(/scripted (?=plans|works)/g, 'claude '))
    return made.remove
  })

  it('says what every command prints', () => {
    expect(blocks.length).toBeGreaterThan(5)
    expect(blocks.filter(({ output }) => output === null)).toEqual([])
  })

  it.each(blocks.map((block, index) => ({ ...block, index })))('$commands', ({ output, index }) => {
    expect(alike(printed[index] ?? '')).toBe(alike(output ?? ''))
  })
})
