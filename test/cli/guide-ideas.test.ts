// What the guide to ideas shows, with an agent that plays a script.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { steady, work } from '../rig/project.ts'
import { blocksOf, readGuide, typed } from './guided.ts'
import { wire } from '../rig/sessions.ts'
import { sharedScratch } from '../rig/scratch.ts'

const blocks = blocksOf(readGuide('ideas.md'))
const plan = { tasks: [wire({ id: 'two' }), wire({ id: 'three', depends_on: ['two'] })], notes: 'Small ones.' }
const TOML = `[agents]
default = "scripted"
[agent.scripted]
scenario = "../scenario.json"
[checks]
unit = "node --test"
`

/** Who did it, and when, is told anew each time. */
function alike(text: string): string {
  return steady(text).replaceAll(/by \S+@\S+:/g, 'by YOU:')
}

describe('docs/guide/ideas.md', () => {
  let printed: string[]
  beforeAll(() => {
    const made = sharedScratch()
    const workers = ['two', 'three'].map((id) => ({ role: 'implementer', task: id, steps: work(id) }))
    const sessions = [{ role: 'planner', steps: [{ answer: plan }] }, ...workers]
    writeFileSync(join(made.root, 'scenario.json'), JSON.stringify({ sessions }))
    writeFileSync(join(made.folder, 'ralph.toml'), TOML)
    writeFileSync(join(made.folder, 'package.json'), '{"name":"numbers","type":"module"}\n')
    for (const step of work('one') as readonly { write?: { path: string; content: string } }[])
      if (step.write !== undefined) writeFileSync(join(made.folder, step.write.path), step.write.content)
    made.git('config', 'user.name', 'Ada')
    made.git('config', 'user.email', 'ada@example.com')
    made.git('add', '--all')
    made.git('commit', '--quiet', '-m', 'start')
    // Who reads the guide has an agent that is called otherwise.
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
