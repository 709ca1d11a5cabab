import { describe, expect, it } from 'vitest'
import type { CheckRun } from './evidence.ts'
import { findingText } from '../fact/finding.ts'
import { checksToRunAgain, inventoryFindings, inventoryNotes, lostSinceRed, unsteadyNotes } from './inventory.ts'

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

/** Red, with these tests. */
function red(passed: readonly string[], failed: readonly string[], named: 'named' | 'counted' = 'named'): CheckRun {
  const tests = { source: 'x', run: passed.length + failed.length, failed: failed.length, skipped: 0 }
  return { ...unit(0, []), exit: 1, tests, names: named === 'named' ? { passed, failed, skipped: [] } : null }
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
    ['one that failed, green now', red(['a'], ['b']), unit(2, ['a', 'b']), []],
    [
      'one that failed, renamed',
      red(['a'], ['b']),
      unit(2, ['a', 'B']),
      ["unit: the test 'b' failed before and did not run now"],
    ],
    [
      'one that failed, skipped',
      red(['a'], ['b']),
      unit(2, ['a', 'c'], ['b']),
      ["unit: the test 'b' failed before and is skipped now"],
    ],
    [
      'a file that did not load and loads now',
      { ...red(['a'], []), tests: { source: 'x', run: 1, failed: 1, skipped: 0 } },
      unit(2, ['a', 'b']),
      [],
    ],
    [
      'a file that did not load and is gone',
      { ...red(['a'], []), tests: { source: 'x', run: 1, failed: 1, skipped: 0 } },
      unit(1, ['a']),
      ['unit: a file of tests did not load before, and no more tests ran now than then'],
    ],
    [
      'some that passed and some that failed',
      red(['a', 'b'], ['c', 'd']),
      unit(4, ['w', 'x', 'y', 'z']),
      [
        "unit: the tests 'a' and 'b' passed before and did not run now",
        "unit: the tests 'c' and 'd' failed before and did not run now",
      ],
    ],
    [
      'one that was skipped',
      unit(1, ['a'], ['b']),
      unit(1, ['a']),
      ["unit: the test 'b' was skipped before and is gone now"],
    ],
  ])('%s', (_, before, now, expected) => {
    expect(inventoryFindings([before], [now]).map(findingText)).toEqual(expected)
  })

  it('compares a check with itself only', () => {
    expect(inventoryFindings([{ ...unit(5, ['a']), checkHash: 'sha256:2' }], [unit(1, ['b'])])).toEqual([])
  })

  it.each<[string, CheckRun, CheckRun, CheckRun, readonly string[], readonly string[]]>([
    [
      'a random number in a name',
      unit(2, ['a', 'id 1']),
      unit(2, ['a', 'id 2']),
      unit(2, ['a', 'id 3']),
      [],
      ['unit: 1 test has another name in every run of the base, so only the number of tests was compared'],
    ],
    [
      'a renamed test',
      unit(2, ['a', 'b']),
      unit(2, ['a', 'b']),
      unit(2, ['a', 'c']),
      ["unit: the test 'b' passed before and did not run now"],
      [],
    ],
    [
      'one of each',
      unit(3, ['a', 'b', 'at 10:00']),
      unit(3, ['a', 'b', 'at 10:01']),
      unit(3, ['a', 'c', 'at 10:02']),
      ["unit: the test 'b' passed before and did not run now"],
      ['unit: 1 test has another name in every run of the base, so only the number of tests was compared'],
    ],
    [
      'one that is gone behind random numbers',
      unit(3, ['a', 'id 1', 'id 2']),
      unit(3, ['a', 'id 3', 'id 4']),
      unit(2, ['a', 'id 5']),
      ['unit: 3 tests ran before and 2 now'],
      ['unit: 2 tests have other names in every run of the base, so only the number of tests was compared'],
    ],
    [
      'a second run that broke off',
      unit(2, ['a', 'b']),
      unit(1, ['a']),
      unit(2, ['a', 'c']),
      ["unit: the test 'b' passed before and did not run now"],
      [],
    ],
  ])('asks the base again: %s', (_, before, again, now, expected, notes) => {
    expect(checksToRunAgain([before], [now])).toEqual(['unit'])
    expect(inventoryFindings([before], [now], [again]).map(findingText)).toEqual(expected)
    expect(unsteadyNotes([before], [again])).toEqual(notes)
  })

  it.each([
    ['nothing is gone', unit(1, ['a']), unit(2, ['a', 'b'])],
    ['nothing is new', unit(2, ['a', 'b']), unit(1, ['a'])],
    ['one is skipped', unit(2, ['a', 'b']), unit(2, ['a', 'c'], ['b'])],
    ['there are no names', unit(2, null), unit(2, ['a', 'c'])],
  ])('does not ask the base again where %s', (_, before, now) => {
    expect(checksToRunAgain([before], [now])).toEqual([])
  })

  it.each<[string, CheckRun, CheckRun, string | null]>([
    ['red before, as many now', red(['a'], ['b']), unit(2, ['a', 'b']), null],
    ['red before, renamed now', red(['a'], ['b']), unit(2, ['a', 'B']), null],
    [
      'red before, one of two gone',
      red(['a'], ['b']),
      unit(1, ['a']),
      "1 instead of 2: the test 'b' failed before and did not run now; bring",
    ],
    [
      'red before, one that passed gone',
      red(['a'], ['b']),
      unit(1, ['b']),
      "1 instead of 2: the test 'a' passed before and did not run now; bring",
    ],
    ['red before, fewer by number', red(['a'], ['b'], 'counted'), unit(1, null), '1 instead of 2: bring'],
    ['red before, as many by number', red(['a'], ['b'], 'counted'), unit(2, null), null],
    ['red before, without a count', { ...red([], []), tests: null, names: null }, unit(0, null), null],
    ['green before', unit(2, ['a', 'b']), unit(1, ['a']), null],
    ['still red', red(['a'], ['b']), red([], ['a']), null],
  ])('takes fewer tests for no success: %s', (_, before, now, expected) => {
    expect(lostSinceRed(before, now)).toEqual(expected === null ? null : expect.stringContaining(expected))
  })

  it('says where only a number is known', () => {
    const runs = [unit(5, null), unit(5, ['a']), { ...unit(0, null), name: 'lint', tests: null }]
    expect(inventoryNotes(runs)).toEqual([
      'unit: the runner does not name its tests, so only their number was compared',
    ])
  })
})
