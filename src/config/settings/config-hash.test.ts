import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Settings } from './config.ts'
import { sealConfig } from './config-hash.ts'
import { resolveSettings } from './resolve.ts'

const settings = resolveSettings(new Map())

/** The same value with the names of every table in another order. */
function shuffled(value: unknown, turn: number): unknown {
  if (Array.isArray(value)) return value.map((item) => shuffled(item, turn))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, member]) => [name, shuffled(member, turn)])
  const cut = turn % Math.max(1, entries.length)
  return Object.fromEntries([...entries.slice(cut), ...entries.slice(0, cut)])
}

function everyPart(value: unknown): readonly unknown[] {
  return typeof value === 'object' && value !== null ? [value, ...Object.values(value).flatMap(everyPart)] : []
}

describe('sealed', () => {
  it('freezes every part', () => {
    const config = sealConfig(settings, { 'limits.attempts': 'flag -n' })
    expect(everyPart(config).filter((part) => !Object.isFrozen(part))).toEqual([])
  })

  it('leaves the origins it was given open', () => {
    const origins = { 'limits.attempts': 'flag -n' }
    sealConfig(settings, origins)
    expect(Object.isFrozen(origins)).toBe(false)
  })

  it('has a hash that knows neither the order of names nor the origins', () => {
    const { hash } = sealConfig(settings, {})
    expect(hash).toMatch(/^sha256:[0-9a-f]{64}$/)
    fc.assert(
      fc.property(fc.nat(50), (turn) => {
        expect(sealConfig(shuffled(settings, turn) as Settings, { verify: 'x' }).hash).toBe(hash)
      }),
    )
  })

  it('has another hash where a value or the order of a list differs', () => {
    const ordered = (names: readonly string[]): Settings => ({ ...settings, protect: { paths: names } })
    const variants = [
      settings,
      { ...settings, limits: { ...settings.limits, attempts: 4 } },
      ordered([]),
      ordered(['a', 'b']),
      ordered(['b', 'a']),
      ordered(['a,b']),
    ]
    expect(new Set(variants.map((one) => sealConfig(one, {}).hash)).size).toBe(variants.length)
  })

  it('is plain JSON, so that a build can keep it', () => {
    const config = sealConfig(settings, { 'limits.attempts': 'flag -n' })
    expect(JSON.parse(JSON.stringify(config))).toEqual(config)
  })
})
