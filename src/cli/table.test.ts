import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { table } from './table.ts'

describe('table', () => {
  it.each([
    ['a head alone', ['ID', 'TITLE'], [], 'ID  TITLE\n'],
    ['an empty cell', ['A', 'B'], [['', 'x']], 'A  B\n-  x\n'],
    [
      'columns by their widest',
      ['A', 'B'],
      [
        ['long', 'x'],
        ['s', 'y'],
      ],
      'A     B\nlong  x\ns     y\n',
    ],
    [
      'East Asian letters, two columns each',
      ['A', 'B'],
      [
        ['日本', 'x'],
        ['abcd', 'y'],
      ],
      'A     B\n日本  x\nabcd  y\n',
    ],
    [
      'emoji',
      ['A', 'B'],
      [
        ['🎉', 'x'],
        ['ab', 'y'],
      ],
      'A   B\n🎉  x\nab  y\n',
    ],
    [
      'marks on a letter',
      ['A', 'B'],
      [
        ['e\u0301', 'x'],
        ['a', 'y'],
      ],
      'A  B\ne\u0301  x\na  y\n',
    ],
    [
      'an emoji made of several',
      ['A', 'B'],
      [
        ['👩‍👩‍👧', 'x'],
        ['🇩🇪', 'y'],
        ['ab', 'z'],
      ],
      'A   B\n👩‍👩‍👧  x\n🇩🇪  y\nab  z\n',
    ],
    ['wide letters in the head', ['作業', 'B'], [['abcde', '完了']], '作業   B\nabcde  完了\n'],
    [
      'other letters',
      ['A', 'B'],
      [
        ['größe', 'x'],
        ['да', 'y'],
      ],
      'A      B\ngröße  x\nда     y\n',
    ],
  ])('%s', (_, head, rows, text) => {
    expect(table(head, rows)).toBe(text)
  })

  it('starts every cell where its column starts', () => {
    const cell = fc.stringMatching(/^[a-z]{0,12}$/)
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell, cell), { maxLength: 20 }), (rows) => {
        const lines = table(['A', 'B', 'C'], rows).split('\n')
        const [head = ''] = lines
        expect(lines).toHaveLength(rows.length + 2)
        for (const [index, row] of rows.entries())
          expect(
            row.map((text, column) => lines[index + 1]?.startsWith(text || '-', head.indexOf('ABC'[column] ?? ''))),
          ).toEqual([true, true, true])
      }),
    )
  })

  it('takes more rows than a call takes arguments', () => {
    const rows = Array.from({ length: 200_000 }, () => ['x'])
    expect(table(['A'], rows)).toHaveLength(2 * 200_001)
  })
})
