import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutToBytes, cutToLength, utf8Length } from './text-bounds.ts'

/** Any units, lone surrogates too. */
const anyText = fc
  .array(fc.oneof(fc.nat({ max: 0xffff }), fc.constantFrom(0xd83d, 0xde00, 0x7f, 0x80, 0x7ff, 0x800)))
  .map((units) => String.fromCharCode(...units))

const firstCharacter = (text: string): string => Array.from(text)[0] ?? ''

const anyCharacters = fc.string({ unit: 'binary' })

describe('utf8Length', () => {
  it('counts as Node does', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(utf8Length(text)).toBe(Buffer.byteLength(text, 'utf8'))
      }),
    )
  })
})

describe('cutToBytes', () => {
  it('keeps as much as fits, in whole characters', () => {
    fc.assert(
      fc.property(anyCharacters, fc.nat({ max: 60 }), (text, bytes) => {
        const kept = cutToBytes(text, bytes)
        const next = firstCharacter(text.slice(kept.length))
        expect(text.startsWith(kept) && !/\p{Cs}/u.test(kept)).toBe(true)
        expect(utf8Length(kept)).toBeLessThanOrEqual(bytes)
        expect(next === '' || utf8Length(kept + next) > bytes).toBe(true)
      }),
    )
  })

  it('keeps nothing where nothing fits', () => {
    expect([cutToBytes('é', 1), cutToBytes('a', 0), cutToBytes('a', -5)]).toEqual(['', '', ''])
  })
})

describe('cutToLength', () => {
  it('keeps as much as fits, in whole characters', () => {
    fc.assert(
      fc.property(anyCharacters, fc.nat({ max: 30 }), (text, length) => {
        const kept = cutToLength(text, length)
        const next = firstCharacter(text.slice(kept.length))
        expect(text.startsWith(kept) && !/\p{Cs}/u.test(kept)).toBe(true)
        expect(kept.length).toBeLessThanOrEqual(length)
        expect(next === '' || kept.length + next.length > length).toBe(true)
      }),
    )
  })
})
