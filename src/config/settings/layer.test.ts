import { describe, expect, it } from 'vitest'
import { allKeys, type Given, type Problem, take, throwFirst } from './layer.ts'

const at = (line: number, problem: string): Problem => ({ where: `ralph.toml line ${line}`, line, problem })

describe('throwFirst', () => {
  it('throws what stands first in the file', () => {
    const elsewhere = { where: 'flag -n', line: Number.POSITIVE_INFINITY, problem: 'd' }
    expect(() => throwFirst([elsewhere, at(7, 'a'), at(3, 'b'), at(3, 'c')])).toThrow(
      expect.objectContaining({ code: 'CONFIG_BAD', message: 'ralph.toml line 3: b' }),
    )
  })

  it('throws the first of those from elsewhere', () => {
    const elsewhere = (where: string): Problem => ({ where, line: Number.POSITIVE_INFINITY, problem: 'x' })
    expect(() => throwFirst([elsewhere('environment A'), elsewhere('flag -n')])).toThrow('environment A: x')
  })

  it('lets pass what has no problem', () => {
    expect(() => throwFirst([])).not.toThrow()
  })
})

describe('take', () => {
  it('keeps a value that fits and blames one that does not', () => {
    const layer = { given: new Map<string, Given>(), problems: [] as Problem[] }
    const said = { path: ['checks', 'a.b'], value: '20m', origin: 'ralph.toml line 2', line: 2 }
    take(layer, { kind: 'duration', min: 0, max: 9_000_000 }, said)
    take(layer, { kind: 'switch' }, said)
    expect([...layer.given]).toEqual([['checks."a.b"', { ...said, value: 1_200_000 }]])
    expect(layer.problems).toEqual([at(2, 'checks."a.b" must be true or false, not "20m"')])
  })
})

describe('allKeys', () => {
  it('knows the keys of tables in tables', () => {
    expect(allKeys.get('sandbox.network.checks')?.path).toEqual(['sandbox', 'network', 'checks'])
    expect(allKeys.has('sandbox.network')).toBe(false)
  })
})
