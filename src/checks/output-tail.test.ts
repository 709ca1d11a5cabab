import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TAIL_BYTES_MAX, tailOf } from './output-tail.ts'

describe('the end of an output', () => {
  it.each<[string, string, 'whole' | 'cut', string]>([
    ['nothing', '', 'whole', ''],
    ['short, as it is', 'a\nb\n', 'whole', 'a\nb\n'],
    ['without its torn first line', 'half a line\nb\n', 'cut', 'b\n'],
    [
      'without colours, links, bells and returns',
      '\u001b[31mred\u001b[0m\u0007 \u001b]8;;x\u0007y\r\n',
      'whole',
      'red y\n',
    ],
    ['with tabs', 'ok\tpkg\n', 'whole', 'ok\tpkg\n'],
    ['as whole lines', `${'x'.repeat(5000)}\nlast\n`, 'whole', 'last\n'],
    ['of one long line, its end', `${'x'.repeat(5000)}é`, 'whole', `${'x'.repeat(TAIL_BYTES_MAX - 2)}é`],
  ])('%s', (_, text, start, tail) => {
    expect(tailOf(text, start)).toBe(tail)
  })

  it('is the end, within its bytes, and shows nothing that a terminal obeys', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 9000 }), (text) => {
        const tail = tailOf(text, 'whole')
        expect(Buffer.byteLength(tail)).toBeLessThanOrEqual(TAIL_BYTES_MAX)
        expect([...tail].some((character) => character < ' ' && character !== '\n' && character !== '\t')).toBe(false)
      }),
      { numRuns: 300 },
    )
  })
})
