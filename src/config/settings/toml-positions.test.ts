import fc from 'fast-check'
import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { tomlPositions } from './toml-positions.ts'
import { dottedKey, keyText } from './toml-text.ts'

function linesOf(toml: string): Record<string, number> {
  parse(toml)
  return Object.fromEntries(tomlPositions(toml))
}

describe('keyLines', () => {
  it.each<[string, string, Record<string, number>]>([
    ['nothing', '', {}],
    ['comments only', '# a = 1\n\n# [b]', {}],
    ['keys before any table', 'a = 1\n\n b=2', { a: 1, b: 3 }],
    ['tables', '[a]\nb = 1\n[ c . d ] # x\ne = 2', { a: 1, 'a.b': 2, c: 3, 'c.d': 3, 'c.d.e': 4 }],
    ['dotted keys', 'a.b . c = 1\na.d = 2', { a: 1, 'a.b': 1, 'a.b.c': 1, 'a.d': 2 }],
    [
      'quoted keys',
      '"a.b" = 1\n\'c"\' = 2\n[x."y]"]\nz = 3',
      { '"a.b"': 1, '"c\\""': 2, x: 3, 'x."y]"': 3, 'x."y]".z': 4 },
    ],
    ['escaped keys', '"\\u0061\\x62\\t" = 1\n"c\\"=" = 2', { '"ab\\t"': 1, '"c\\"="': 2 }],
    ['inline tables', 'a = { b = 1, c.d = 2 }\ne = 3', { a: 1, 'a.b': 1, 'a.c': 1, 'a.c.d': 1, e: 2 }],
    [
      'inline tables of several lines',
      'a = {\n  b = 1, # }\n  c = [\n{x=1}],\n}\nd = 1',
      { a: 1, 'a.b': 2, 'a.c': 3, d: 6 },
    ],
    ['lists of several lines', 'a = [\n  "b = 1",\n  # c = 2\n  [3, ],\n]\nd = 4', { a: 1, d: 6 }],
    ['keys in texts', 'a = "b = 1 # \\" x"\nc = \'d = "\'\ne = 1 # f = 2', { a: 1, c: 2, e: 3 }],
    ['texts of several lines', 'a = """\n[b]\nc = 1 \\"""\n"" d = 2"""\ne = 3', { a: 1, e: 5 }],
    ['raw texts of several lines', "a = '''\n[b]\n'' \\'''\nc = 1", { a: 1, c: 4 }],
    ['quotes before the end', 'a = """x"""""\nb = \'\'\'\'\'\'\'\'\nc = """"""\nd = ""', { a: 1, b: 2, c: 3, d: 4 }],
    ['lists of tables', '[[a]]\nb = 1\n[[a]]\nb = 2\n[a.c]\nd = 1', { a: 1, 'a.b': 2, 'a.c': 5, 'a.c.d': 6 }],
    ['dates and numbers', 'a = 1979-05-27 07:32:00Z\nb = 1e5\nc = +inf # x', { a: 1, b: 2, c: 3 }],
    ['CRLF', 'a = 1\r\n[b]\r\nc = """\r\n"""\r\nd = 2\r\n', { a: 1, b: 2, 'b.c': 3, 'b.d': 5 }],
    ['a byte order mark', '\uFEFFa = 1\nb = 2', { a: 1, b: 2 }],
    ['an empty key', '"" = 1', { '""': 1 }],
    [
      'names of Object',
      '__proto__ = 1\n[constructor]\ntoString = 1',
      {
        ['__proto__']: 1,
        constructor: 2,
        'constructor.toString': 3,
      },
    ],
  ])('%s', (_, toml, lines) => {
    expect(Object.entries(linesOf(toml))).toEqual(Object.entries(lines))
  })

  it('keeps the order of the text, where a plain table would not', () => {
    expect([...tomlPositions('[checks]\nb = ""\n2 = ""\n1 = ""').keys()]).toEqual([
      'checks',
      'checks.b',
      'checks.2',
      'checks.1',
    ])
  })

  it('finds every key of a random text on the line where it was written', () => {
    fc.assert(
      fc.property(fc.uniqueArray(section, { selector: ({ name }) => name, maxLength: 5 }), (sections) => {
        const { toml, lines } = written(sections)
        expect(Object.entries(linesOf(toml))).toEqual(lines)
      }),
    )
  })

  it('ends for any text, valid or not', () => {
    const soup = fc.string({
      unit: fc.constantFrom('[', ']', '{', '}', '"', "'", '=', '.', ',', '#', '\n', '\\', 'a', ' '),
    })
    fc.assert(
      fc.property(soup, (toml) => {
        expect(tomlPositions(toml).size).toBeLessThanOrEqual(toml.length + 1)
      }),
    )
  })
})

interface Section {
  readonly name: string
  readonly keys: readonly (readonly [name: string, value: string])[]
  readonly gap: string
}

const name = fc.string({ unit: 'binary', maxLength: 6 }).filter((text) => text.isWellFormed())
const value = fc.constantFrom(
  '1',
  '"[x]\\n#"',
  '"""\n[y]\nz = 1\n"""',
  "'''\n''a = \"\n'''",
  '[1, # ]\n 2]',
  '[\n{ q = 1 }, "]"\n]',
  'true # k = 1',
)
const section: fc.Arbitrary<Section> = fc.record({
  name,
  keys: fc.uniqueArray(fc.tuple(name, value), { selector: ([key]) => key, maxLength: 4 }),
  gap: fc.constantFrom('\n', '\n\n', '\r\n', '\n# [c]\n  # d = 1\n'),
})

/** The text, and where its keys are: counted while it is written. */
function written(sections: readonly Section[]): { toml: string; lines: [string, number][] } {
  let toml = ''
  const lines: [string, number][] = []
  const put = (path: readonly string[], text: string): void => {
    lines.push([dottedKey(path), toml.split('\n').length])
    toml += text
  }
  for (const { name: table, keys, gap } of sections) {
    put([table], `[${keyText(table)}]${gap}`)
    for (const [key, text] of keys) put([table, key], ` ${keyText(key)}\t= ${text}${gap}`)
  }
  return { toml, lines: sortedLikeAnObject(lines) }
}

/** Object.entries puts names like `1` first; the comparison must not depend on that. */
function sortedLikeAnObject(lines: [string, number][]): [string, number][] {
  return Object.entries(Object.fromEntries(lines))
}
