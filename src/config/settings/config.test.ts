import { describe, expect, it } from 'vitest'
import { originOf } from './config.ts'
import { sealConfig } from './config-hash.ts'
import { resolveSettings } from './resolve.ts'

describe('originOf', () => {
  it('is where the value came from, or default', () => {
    const config = sealConfig(resolveSettings(new Map()), { 'limits.attempts': 'flag -n' })
    expect(originOf(config, 'limits.attempts')).toBe('flag -n')
    expect(originOf(config, 'limits.iterations')).toBe('default')
    expect(originOf(config, 'toString')).toBe('default')
  })
})
