import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { startLines } from './lines.ts'

function linesOf(chunks: readonly Uint8Array[], bytesMax: number): string[] {
  const seen: string[] = []
  const lines = startLines(bytesMax, (line) => seen.push(line))
  for (const chunk of chunks) {
    // Lent, as the process room does: after the call the bytes are gone.
    const borrowed = Buffer.from(chunk)
    lines.add(borrowed)
    borrowed.fill(0)
  }
  lines.end()
  return seen
}

/** Cut into chunks of the given sizes, over and over. */
function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = []
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1
    chunks.push(bytes.subarray(at, at + size))
    at += size
  }
  return chunks
}

describe('lines', () => {
  it.each<[string, string, string[]]>([
    ['nothing', '', []],
    ['one that a newline ends', 'a\n', ['a']],
    ['one that nothing ends', 'a', ['a']],
    ['empty ones', '\n\na\n\n', ['', '', 'a', '']],
    ['Windows ends', 'a\r\nb\r\n', ['a', 'b']],
    ['a carriage return inside', 'a\rb\n', ['a\rb']],
  ])('are taken apart: %s', (_, text, expected) => {
    expect(linesOf([Buffer.from(text)], 100)).toEqual(expected)
  })

  it('are the same however the bytes arrive', () => {
    const texts = fc.array(fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/[\r\n]/g, '')))
    const sizes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 })
    fc.assert(
      fc.property(texts, sizes, (lines, chunks) => {
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
        expect(linesOf(cut(bytes, chunks), 10_000)).toEqual(lines.map((line) => line.toWellFormed()))
      }),
    )
  })

  it('keep the beginning of one that is too long, whole characters only, and count the rest', () => {
    const bytes = Buffer.from(`ok\n${'é'.repeat(5)}\nnext`)
    for (const size of [1, 2, 3, 1000])
      expect(linesOf(cut(bytes, [size]), 5)).toEqual(['ok', 'éé… 5 bytes left out', 'next'])
  })

  it('replace what is not UTF-8', () => {
    expect(linesOf([Buffer.from([0x61, 0xff, 0x62, 0x0a, 0xc3])], 10)).toEqual(['a\uFFFDb', '\uFFFD'])
  })
})
