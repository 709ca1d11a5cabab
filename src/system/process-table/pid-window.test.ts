import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { isLastPid, pidMoment, pidsSince, windowBetween } from './pid-window.ts'
import { hasProc } from './proc-entry.ts'

describe('numbers given out between two moments', () => {
  const at = (last: number, started: number) => ({ last, started })
  const cases: [string, Parameters<typeof windowBetween>, number[] | null][] = [
    ['are those after the first and up to the second', [at(10, 5), at(13, 8), 11, 100], [11, 12, 13]],
    ['go round at the end', [at(97, 5), at(3, 12), 98, 100], [1, 2, 3, 98, 99]],
    ['are none where none was', [at(10, 5), at(10, 5), 11, 100], null],
    ['may be any where half of all were given out', [at(10, 5), at(13, 55), 11, 100], null],
    ['may be any where the counting went back', [at(10, 5), at(13, 4), 11, 100], null],
    ['may be any where a child of that time is not among them', [at(10, 5), at(13, 8), 40, 100], null],
    ['may be any where nobody knows how many there are', [at(10, 5), at(13, 8), 11, 0], null],
  ]
  it.each(cases)('%s', (_, [before, now, child, max], expected) => {
    const isSince = windowBetween(before, now, child, max)
    const all = Array.from({ length: 99 }, (_, pid) => pid + 1)
    expect(isSince === null ? null : all.filter(isSince)).toEqual(expected)
  })
})

it.skipIf(!hasProc)('holds a child and not its parent', async () => {
  const before = pidMoment()
  const child = spawn('/bin/sleep', ['60'])
  try {
    const isSince = pidsSince(before, child.pid ?? 0)
    expect([child.pid, process.pid].map((pid) => isSince?.(pid ?? 0))).toEqual([true, false])
    expect(pidsSince(before, process.pid)).toBe(null)
    expect(pidsSince(null, child.pid ?? 0)).toBe(null)
  } finally {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
})

it.skipIf(!hasProc)('a number is the last one until another is given out', async () => {
  const numbers = async (script: string): Promise<number> => {
    const child = spawn('/bin/sh', ['-c', script], { stdio: 'ignore' })
    await once(child, 'exit')
    return child.pid ?? 0
  }
  // Others on this machine may start something in between, but not each time.
  const tries = Array.from({ length: 50 })
  const alone = async (): Promise<boolean> => isLastPid(await numbers(':'))
  const withChild = async (): Promise<boolean> => isLastPid(await numbers('/bin/true; :'))
  let wasLast = 0
  for (const _ of tries) {
    wasLast += (await alone()) ? 1 : 0
    expect(await withChild()).toBe(false)
  }
  expect(wasLast).toBeGreaterThan(0)
})
