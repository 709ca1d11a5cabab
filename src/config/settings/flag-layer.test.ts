import { describe, expect, it } from 'vitest'
import { type Flags, readFlagLayer } from './flag-layer.ts'

describe('readFlagLayer', () => {
  it('reads texts, numbers and lists, and passes over what was not said', () => {
    const { given, problems } = readFlagLayer({
      'limits.max_iterations': { flag: '-n', value: '5' },
      'limits.budget_usd': { flag: '--budget', value: 2.5 },
      'agents.fallback': { flag: '--fallback', value: ['codex', 'gemini'] },
      'agents.default': undefined,
    })
    expect(problems).toEqual([])
    expect([...given].map(([key, { value, origin }]) => [key, value, origin])).toEqual([
      ['limits.max_iterations', 5, 'flag -n'],
      ['limits.budget_usd', 2.5, 'flag --budget'],
      ['agents.fallback', ['codex', 'gemini'], 'flag --fallback'],
    ])
  })

  it('blames the flag', () => {
    expect(readFlagLayer({ 'limits.max_iterations': { flag: '-n', value: '0' } }).problems).toEqual([
      {
        where: 'flag -n',
        line: Number.POSITIVE_INFINITY,
        problem: 'limits.max_iterations must be a whole number from 1 to 1000000 (iterations per build), not 0',
      },
    ])
  })

  it('throws for a key that is no setting: the caller is wrong, not the user', () => {
    expect(() => readFlagLayer({ 'limits.x': { flag: '-x', value: 1 } } as Flags)).toThrow(
      expect.objectContaining({ code: 'INTERNAL' }),
    )
  })
})
