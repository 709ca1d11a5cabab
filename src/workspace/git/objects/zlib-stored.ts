// Stores bytes in zlib's format without compression. A file takes 4 KiB of the disk however short it is, and each start
// of deflate takes 256 KiB of memory, which the garbage collector then has to find.

/** With the 11 bytes around it, one block of the disk; zlib allows 65,535 in one part. */
export const STORED_BYTES_MAX = 4_000

const HEADER = [0x78, 0x01]
const LAST_PART = 0x01

export function storedBytes(bytes: Uint8Array): Buffer {
  const form = Buffer.alloc(bytes.length + 11)
  form.set([...HEADER, LAST_PART])
  form.writeUInt16LE(bytes.length, 3)
  form.writeUInt16LE(bytes.length ^ 0xffff, 5)
  form.set(bytes, 7)
  form.writeUInt32BE(adler32(bytes), bytes.length + 7)
  return form
}

/** RFC 1950; for so few bytes both sums stay below 2^32, so one division at the end is enough. */
function adler32(bytes: Uint8Array): number {
  let low = 1
  let high = 0
  for (const byte of bytes) {
    low += byte
    high += low
  }
  return (high % 65_521) * 65_536 + (low % 65_521)
}
