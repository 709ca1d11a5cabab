import { inflateSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { STORED_BYTES_MAX, storedBytes } from './zlib-stored.ts'

it('is what zlib reads, whatever the bytes', () => {
  const bytes = fc.uint8Array({ maxLength: STORED_BYTES_MAX, size: 'max' })
  fc.assert(
    fc.property(bytes, (some) => {
      expect(inflateSync(storedBytes(some))).toEqual(Buffer.from(some))
    }),
  )
  for (const most of [new Uint8Array(), new Uint8Array(STORED_BYTES_MAX).fill(255)])
    expect(inflateSync(storedBytes(most))).toEqual(Buffer.from(most))
})
