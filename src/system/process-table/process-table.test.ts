import { describe, expect, it } from 'vitest'
import { parseStat, type Entry } from './proc-entry.ts'
import { allEntries, entryOf, signalSame } from './process-table.ts'
import { parsePsLine, psEntries, psEntry } from './process-table-ps.ts'

const tail = '0 0 20 0 1 0 117816 2703360 315'

describe('a line of /proc/<pid>/stat', () => {
  const expected: Entry = { pid: 71, parent: 70, group: 69, session: 68, startedAt: 117_816, hasEnded: false }
  it.each([
    ['plain', `71 (cat) R 70 69 68 0 -1 4194304 55 0 0 0 0 0 ${tail}`, expected],
    ['a name with brackets and spaces', `71 (a) R 1 (b) S 70 69 68 0 -1 4194304 55 0 0 0 0 0 ${tail}`, expected],
    ['one on its way out', `71 (cat) R 70 69 68 0 -1 4195340 55 0 0 0 0 0 ${tail}`, { ...expected, hasEnded: true }],
    [
      'a first thread that left two others',
      `71 (cat) Z 70 69 68 0 -1 4194316 55 0 0 0 0 0 0 0 20 0 3 0 117816 0 0`,
      expected,
    ],
    ['a zombie', `71 (cat) Z 70 69 68 0 -1 4194304 55 0 0 0 0 0 ${tail}`, { ...expected, hasEnded: true }],
  ])('%s', (_, line, entry) => {
    expect(parseStat(line)).toEqual(entry)
  })
})

describe('a line of ps', () => {
  const expected: Entry = { pid: 71, parent: 1, group: 69, session: 0, startedAt: 1_763_179_860, hasEnded: false }
  it.each([
    ['Linux', '     71       1      69 S Sat Nov 15 04:11:00 2025', expected],
    ['macOS', '   71     1    69 Ss   Sat Nov 15 04:11:00 2025    ', expected],
    ['a zombie', '71 1 69 Z+ Sat Nov 15 04:11:00 2025', { ...expected, hasEnded: true }],
    ['nothing', '', null],
  ])('%s', (_, line, entry) => {
    expect(parsePsLine(line)).toEqual(entry)
  })
})

describe('the table', () => {
  const own = entryOf(process.pid)

  it('knows this process, by itself and among all', async () => {
    expect(own).toMatchObject({ pid: process.pid, parent: process.ppid, hasEnded: false })
    expect((await allEntries()).find((entry) => entry.pid === process.pid)).toEqual(own)
  })

  it('tells the same through ps, but for session and start', async () => {
    const expected = { pid: process.pid, parent: process.ppid, group: own?.group, hasEnded: false }
    expect(psEntry(process.pid)).toMatchObject(expected)
    expect((await psEntries()).find((entry) => entry.pid === process.pid)).toMatchObject(expected)
  })

  it('has nothing for a number that nobody has', () => {
    expect([entryOf(2 ** 30), psEntry(2 ** 30)]).toEqual([null, null])
  })
})

it('signals neither this process nor the first one', () => {
  const starts = [1, process.pid].map((pid) => ({ pid, startedAt: entryOf(pid)?.startedAt ?? 0 }))
  expect(starts.map((seen) => signalSame(seen, 'SIGTERM'))).toEqual(['refused', 'refused'])
})
