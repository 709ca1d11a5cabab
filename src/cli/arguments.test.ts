import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { refused } from '../../test/arbitraries/refusal.ts'
import { type Flag, readArguments } from './arguments.ts'

const known: readonly Flag[] = [
  { long: 'priority', short: 'p', takes: 'value' },
  { long: 'deps', takes: 'list' },
  { long: 'all', short: 'a', takes: 'nothing' },
  { long: 'by', takes: 'value' },
]

const read = (argv: readonly string[], wordsMax = 2) => {
  const { words, flags } = readArguments(argv, known, wordsMax)
  return { words, flags: Object.fromEntries(flags) }
}

describe('readArguments', () => {
  it.each([
    [[], { words: [], flags: {} }],
    [['x', 'y'], { words: ['x', 'y'], flags: {} }],
    [['-p', '1', 'x'], { words: ['x'], flags: { priority: '1' } }],
    [['x', '--priority', '1'], { words: ['x'], flags: { priority: '1' } }],
    [['--priority=a=b'], { words: [], flags: { priority: 'a=b' } }],
    [['--priority='], { words: [], flags: { priority: '' } }],
    [['-p', '-1'], { words: [], flags: { priority: '-1' } }],
    [['-p', '--all'], { words: [], flags: { priority: '--all' } }],
    [['-p', '--'], { words: [], flags: { priority: '--' } }],
    [['-p', '1', '-p', '2'], { words: [], flags: { priority: '2' } }],
    [['--deps', 'a,b', '--deps=c'], { words: [], flags: { deps: 'a,b,c' } }],
    [['-a'], { words: [], flags: { all: '' } }],
    [['-', ''], { words: ['-', ''], flags: {} }],
    [['--', '-a', '--'], { words: ['-a', '--'], flags: {} }],
  ])('%j → %j', (argv, read_) => {
    expect(read(argv)).toEqual(read_)
  })

  it.each([
    [['--priorities'], 'FLAG_UNKNOWN'],
    [['-x'], 'FLAG_UNKNOWN'],
    [['-p1'], 'FLAG_UNKNOWN'],
    [['-undefined'], 'FLAG_UNKNOWN'],
    [['-p'], 'FLAG_VALUE_MISSING'],
    [['--by'], 'BLOCKER_MISSING'],
    [['--all=yes'], 'FLAG_VALUE_UNEXPECTED'],
    [['x', 'y', 'z'], 'ARGUMENT_UNEXPECTED'],
    [['--', 'x', 'y', 'z'], 'ARGUMENT_UNEXPECTED'],
  ])('%j is refused: %s', (argv, code) => {
    expect(refused(() => read(argv))?.[0]).toBe(code)
  })

  it('takes any value as it is, and after -- any word', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (value, one, other) => {
        expect(read(['-p', value, `--by=${value}`, '--', one, other])).toEqual({
          words: [one, other],
          flags: { priority: value, by: value },
        })
      }),
    )
  })
})
