import { describe, expect, it } from 'vitest'
import { contradictions } from './attestation.ts'
import type { CheckRun, Evidence } from './evidence.ts'

function unit(...passed: string[]): CheckRun {
  return {
    name: 'unit',
    kind: 'check',
    checkHash: 'sha256:1',
    argv: [],
    exit: 0,
    how: 'exited',
    durationMs: 1,
    tests: { source: 'x', run: passed.length, failed: 0, skipped: 0 },
    names: { passed, failed: [], skipped: [] },
    outputDigest: '',
    outputTail: '',
    report: null,
    cached: false,
  }
}

describe('names of tests in evidence', () => {
  it.each<[string, CheckRun, CheckRun, CheckRun | null, readonly string[]]>([
    ['the same', unit('a'), unit('a'), null, []],
    ['another', unit('a', 'b'), unit('a', 'c'), null, ['unit: b passed then and did not pass now']],
    [
      'another, in two runs',
      unit('a', 'b'),
      unit('a', 'c'),
      unit('a', 'c'),
      ['unit: b passed then and did not pass now'],
    ],
    ['a random one', unit('a', 'id 1'), unit('a', 'id 2'), unit('a', 'id 3'), []],
    [
      'a random one and another',
      unit('a', 'b', 'id 1'),
      unit('a', 'c', 'id 2'),
      unit('a', 'c', 'id 3'),
      ['unit: b, id 1 passed then and did not pass now'],
    ],
    ['fewer', unit('a', 'id 1'), unit('a'), unit('a'), ['unit ran 2 tests and runs 1 now']],
  ])('%s', (_, then, now, again, expected) => {
    const evidence = { checks: [then] } as unknown as Evidence
    expect(contradictions(evidence, [now], again === null ? [] : [again])).toEqual(expected)
  })
})
