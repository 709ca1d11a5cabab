import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fillTemplate, placesIn } from './template.ts'

describe('a template', () => {
  it.each<[string, string[], string]>([
    ['no place', [], 'no place'],
    ['{{a}} and {{ b }} and {{a}}', ['a', 'b'], 'A and B and A'],
    ['\\{{a}} {{a}}', ['a'], '{{a}} A'],
    ['{a} {{}} {{a\n}} {{{a}}}', ['', 'a'], '{a} {{}} {{a\n}} {A}'],
  ])('%j has the places %j', (template, places, expected) => {
    expect(placesIn(template)).toEqual(places)
    expect(fillTemplate(template, { a: 'A', b: 'B' })).toBe(expected)
  })

  it('takes every value literally', () => {
    const values = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('$&', "$'", '$1', '{{b}}', '\\{{a}}', '\\'),
    )
    fc.assert(
      fc.property(values, values, (a, b) => {
        expect(fillTemplate('<{{a}}|{{b}}>', { a, b })).toBe(`<${a}|${b}>`)
      }),
    )
  })
})
