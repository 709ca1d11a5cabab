import { describe, expect, it } from 'vitest'
import { asTyped } from './program.ts'

describe('a command', () => {
  it('is shown as one would type it', () => {
    expect(asTyped(['a', '-p', '{prompt}', "it's", '', 'x y'])).toBe(`a -p {prompt} 'it'\\''s' '' 'x y'`)
  })
})
