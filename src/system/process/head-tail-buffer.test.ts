import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { outputBytes, outputText, startCapture, type HeadTailBuffer, type Keep } from './head-tail-buffer.ts'

function capturedOf(chunks: readonly Uint8Array[], keep: Keep): HeadTailBuffer {
  const capture = startCapture(keep)
  for (const chunk of chunks) capture.add(chunk)
  return capture.captured()
}

describe('capture', () => {
  it('keeps the first and the last bytes of any chunks, and counts the rest', () => {
    const chunks = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 20 })
    fc.assert(
      fc.property(chunks, fc.nat(50), fc.nat(50), (parts, headBytes, tailBytes) => {
        const all = Buffer.concat(parts)
        const head = all.subarray(0, headBytes)
        const rest = all.subarray(head.length)
        const tail = rest.subarray(Math.max(0, rest.length - tailBytes))
        const captured = capturedOf(parts, { headBytes, tailBytes })
        expect({ ...captured, head: [...captured.head], tail: [...captured.tail] }).toEqual({
          head: [...head],
          tail: [...tail],
          omittedBytes: all.length - head.length - tail.length,
          totalBytes: all.length,
        })
        expect(outputBytes(captured)).toEqual(captured.omittedBytes === 0 ? all : null)
      }),
    )
  })

  it('does not keep the chunk itself, which its owner uses again', () => {
    const capture = startCapture({ headBytes: 2, tailBytes: 2 })
    const chunk = Buffer.from('abcd')
    capture.add(chunk)
    chunk.fill('x')
    expect(outputText(capture.captured())).toBe('abcd')
  })
})

describe('outputText', () => {
  const keep = { headBytes: 4, tailBytes: 4 }
  const cases: readonly (readonly [string, Uint8Array | string, string])[] = [
    ['nothing', '', ''],
    ['all of it', '12345678', '12345678'],
    ['the gap on its own line', '1234abcde5678', '1234\n… 5 bytes left out …\n5678'],
    ['no second line break', '123\nabcde5678', '123\n… 5 bytes left out …\n5678'],
    ['thousands', `1234${'x'.repeat(12_345)}5678`, '1234\n… 12,345 bytes left out …\n5678'],
    ['a character cut at the gap is left out whole', '123€xxx€678', '123\n… 9 bytes left out …\n678'],
    ['a character that just fits stays', '1€xxx€8', '1€\n… 3 bytes left out …\n€8'],
    ['bad UTF-8', Buffer.from([0x61, 0xff, 0x62]), 'a\uFFFDb'],
    ['a lone beginning', Buffer.from([0x61, 0xf0, 0x9f]), 'a\uFFFD'],
    ['continuation bytes only', Buffer.alloc(20, 0x80), `${'\uFFFD'.repeat(4)}\n… 15 bytes left out …\n\uFFFD`],
  ]
  it.each(cases)('%s', (_, bytes, text) => {
    expect(outputText(capturedOf([Buffer.from(bytes)], keep))).toBe(text)
  })

  it('says nothing before the gap where no head is kept', () => {
    expect(outputText(capturedOf([Buffer.from('abcdef')], { headBytes: 0, tailBytes: 2 }))).toBe(
      '… 4 bytes left out …\nef',
    )
  })
})
