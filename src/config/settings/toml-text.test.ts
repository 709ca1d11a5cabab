import fc from 'fast-check'
import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { dottedKey, keyText, tomlString, shownValue } from './toml-text.ts'

describe('shown', () => {
  it.each([
    ['three', '"three"'],
    ['a"b\n', '"a\\"b\\n"'],
    ['x'.repeat(50), `"${'x'.repeat(39)}…"`],
    ['😀'.repeat(41), `"${'😀'.repeat(39)}…"`],
    [2.5, '2.5'],
    [Number.NaN, 'NaN'],
    [true, 'true'],
    [[1], 'a list'],
    [{ a: 1 }, 'a table'],
    [new Date(0), 'a date'],
  ])('%j → %s', (value, text) => {
    expect(shownValue(value)).toBe(text)
  })
})

describe('dotted', () => {
  it('quotes what TOML wants quoted', () => {
    expect(dottedKey(['checks', 'a.b', 'it-1_x', 'é', ''])).toBe('checks."a.b".it-1_x."é".""')
  })
})

describe('keyText and quoted', () => {
  it('are read back by TOML as the same name and text', () => {
    const letters = fc.string({ unit: 'binary' })
    fc.assert(
      fc.property(letters, letters, (name, text) => {
        const table = parse(`${keyText(name)} = ${tomlString(text)}`)
        expect(Object.entries(table)).toEqual([[name, text]])
      }),
    )
  })
})
