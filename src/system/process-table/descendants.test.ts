import { describe, expect, it } from 'vitest'
import { membersAmong } from './descendants.ts'
import type { Entry } from './proc-entry.ts'

function entry(pid: number, parent: number, more: Partial<Entry> = {}): Entry {
  return { pid, parent, group: pid, session: pid, startedAt: 0, hasEnded: false, ...more }
}

describe('membersAmong', () => {
  const own = process.pid
  const [shell, child, grandchild, dead, stranger] = [own + 1, own + 2, own + 3, own + 4, own + 5]
  const table = [
    entry(1, 0),
    entry(shell, 1),
    entry(own, shell),
    entry(child, own),
    entry(grandchild, child),
    entry(dead, child, { hasEnded: true }),
    entry(stranger, 1),
  ]
  const found = (...seeds: number[]): number[] =>
    membersAmong(table, new Set(table.filter(({ pid }) => seeds.includes(pid)))).map(({ pid }) => pid)

  it.each([
    ['a seed with its descendants, without the dead', [child], [child, grandchild]],
    ['a seed below another only once', [grandchild, child], [child, grandchild]],
    ['never this process', [own], []],
    ['never one that this process comes from', [1, shell], []],
    ['nothing for nothing', [], []],
  ])('finds %s', (_, seeds, members) => {
    expect(found(...seeds)).toEqual(members)
  })
})
