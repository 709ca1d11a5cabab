// Runs the commands of the guide in order, as one person would type them, and compares their output with the guide's.
import { beforeAll, describe, expect, it } from 'vitest'
import { task } from '../../src/cli/task/commands.ts'
import { blocksOf, readGuide, typed } from './guided.ts'
import { sharedScratch, timeless } from '../rig/scratch.ts'

const guide = readGuide('tasks.md')
const blocks = blocksOf(guide)

describe('docs/guide/tasks.md', () => {
  let printed: string[]
  beforeAll(() => {
    const scratch = sharedScratch()
    printed = withAgent(typed(scratch, blocks))
    return scratch.remove
  })

  const shown = blocks.flatMap(({ commands, output }, index) => (output === null ? [] : [{ commands, output, index }]))
  it.each(shown)('$commands', ({ output, index }) => {
    expect(timeless(printed[index] ?? '')).toBe(timeless(output))
  })

  it('shows most of what it does', () => {
    expect(shown.length).toBeGreaterThan(10)
    expect(printed).toHaveLength(blocks.length + 1)
  })

  it('has a row for every command', () => {
    const rows = guide.split('\n').filter((line) => line.startsWith('| `'))
    const calls = rows.flatMap((row) => row.split('|')[1]?.match(/`[^`]+`/g) ?? [])
    const named = new Set(calls.map((call) => /^`([a-z-]+)/.exec(call)?.[1]))
    expect([...named].toSorted()).toEqual(Object.keys(task.commands).toSorted())
  })
})

/** The agent's id as in the guide. */
function withAgent(printed: readonly string[]): string[] {
  const id = /^assignee: ([0-9a-f]{4})$/m.exec(printed.join(''))?.[1]
  return printed.map((text) => text.replaceAll(`assignee: ${id}\n`, 'assignee: a7f2\n'))
}
