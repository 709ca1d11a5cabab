import { describe, expect, it } from 'vitest'
import type { CheckRun } from './evidence.ts'
import { findingText } from './finding.ts'
import { inventoryFindings, inventoryNotes } from './inventory.ts'

function unit(run: number, passed: readonly string[] | null, skipped: readonly string[] = []): CheckRun {
  return {
    name: 'unit',
    kind: 'check',
    checkHash: 'sha256:1',
    argv: [],
    exit: 0,
    how: 'exited',
    durationMs: 1,
    tests: { source: 'x', run, failed: 0, skipped: skipped.length },
    names: passed === null ? null : { passed, failed: [], skipped },
    outputDigest: '',
    outputTail: '',
    report: null,
    cached: false,
  }
}

describe('the inventory of tests', () => {
  it.each<[string, CheckRun, CheckRun, readonly string[]]>([
    ['more tests', unit(1, ['a']), unit(2, ['a', 'b']), []],
    ['one gone', unit(2, ['a', 'b']), unit(2, ['a', 'c']), ["unit: the test 'b' passed before and did not run now"]],
    [
      'many gone',
      unit(7, ['a', 'b', 'c', 'd', 'e', 'f', 'g']),
      unit(0, []),
      ["unit: the tests 'a', 'b', 'c', 'd', 'e' and 2 more passed before and did not run now"],
    ],
    [
      'one skipped',
      unit(2, ['a', 'b']),
      unit(1, ['a'], ['b']),
      ["unit: the test 'b' passed before and is skipped now"],
    ],
    ['fewer by number', unit(5, null), unit(4, null), ['unit: 5 tests ran before and 4 now']],
    ['more skipped by number', unit(5, null), unit(5, null, ['x']), ['unit: 1 more test is skipped than before']],
    ['names lost', unit(5, ['a']), unit(5, null), ['unit: its tests could be named before and cannot be now']],
    ['names won', unit(5, null), unit(5, ['a']), []],
  ])('%s', (_, before, now, expected) => {
    expect(inventoryFindings([before], [now]).map(findingText)).toEqual(expected)
  })

  it('compares a check with itself only', () => {
    expect(inventoryFindings([{ ...unit(5, ['a']), checkHash: 'sha256:2' }], [unit(1, ['b'])])).toEqual([])
  })

  it('says where only a number is known', () => {
    const runs = [unit(5, null), unit(5, ['a']), { ...unit(0, null), name: 'lint', tests: null }]
    expect(inventoryNotes(runs)).toEqual([
      'unit: the runner does not name its tests, so only their number was compared',
    ])
  })
})
