import { describe, expect, it } from 'vitest'
import { filesToShow, listFiles, snippets, wordsToSearch } from './snippets.ts'

describe('the files for an agent that cannot read them', () => {
  it('comes in the order of its worth, once each, and only what is there', () => {
    const files = [
      'README.md',
      'package-lock.json',
      'package.json',
      'src/a.ts',
      'src/b.ts',
      'src/c.ts',
      'test/a.test.ts',
    ]
    const shown = filesToShow({
      files,
      expected: ['src/new.ts', 'src/c.ts'],
      text: 'See `src/b.ts` and a.test.ts. It failed in ./src/c.ts:12.',
      hits: new Map([
        ['README.md', 1],
        ['package-lock.json', 9],
        ['src/a.ts', 3],
        ['gone.ts', 4],
      ]),
    })
    expect(shown).toEqual(['src/c.ts', 'src/b.ts', 'test/a.test.ts', 'package.json', 'src/a.ts', 'README.md'])
  })

  it('is searched for by the words that look like code first', () => {
    expect(wordsToSearch('The function parseLine() must return an AST node for user_name')).toEqual(
      ['parseLine', 'user_name', 'node', 'user'].filter((word) => word !== 'user'),
    )
  })

  it('is bounded: whole files while there is room, then beginnings that say so', () => {
    const line = `${'x'.repeat(99)}\n`
    const texts = new Map([
      ['a', 'short'],
      ['long', line.repeat(1000)],
      ['binary', 'a\0b'],
      ...Array.from({ length: 5 }, (_, at) => [`more${at}`, line.repeat(300)] as const),
    ])
    const shown = snippets([...texts.keys(), 'missing'], texts)
    expect(shown.length).toBeLessThanOrEqual(24_000 * 4 + 100)
    expect(shown).toContain('<file path="a">\nshort\n</file>')
    expect(shown).toMatch(/<file path="long" shown="lines 1 to \d+ of 1001">/)
    expect(shown).not.toContain('binary')
    expect(
      listFiles(Array.from({ length: 500 }, (_, at) => `f${at}`))
        .split('\n')
        .at(-1),
    ).toBe('… and 100 more')
    expect([snippets([], texts), listFiles([])]).toEqual(['None.', 'None: the project is empty.'])
  })
})
