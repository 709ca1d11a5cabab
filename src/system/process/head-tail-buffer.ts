// Keeps the beginning and the end of an output: a build's log says what ran at the top and what broke at the bottom.
// Keeps bytes, because a cut or a hostile child may split a character.
import { Buffer } from 'node:buffer'

const KIB = 1024

export interface Keep {
  readonly headBytes: number
  readonly tailBytes: number
}

/** Per stream; two streams of 50 parallel children stay below 26 MB. */
export const KEEP_DEFAULT: Keep = { headBytes: 64 * KIB, tailBytes: 192 * KIB }

export interface HeadTailBuffer {
  readonly head: Buffer
  readonly tail: Buffer
  /** Bytes between head and tail. */
  readonly omittedBytes: number
  readonly totalBytes: number
}

export interface Capture {
  add(chunk: Uint8Array): void
  captured(): HeadTailBuffer
}

export const NOTHING_CAPTURED: HeadTailBuffer = {
  head: Buffer.alloc(0),
  tail: Buffer.alloc(0),
  omittedBytes: 0,
  totalBytes: 0,
}

export function startCapture(keep: Keep = KEEP_DEFAULT): Capture {
  const head = startHead(keep.headBytes)
  const tail = startTail(keep.tailBytes)
  return {
    add: (chunk) => tail.add(chunk.subarray(head.add(chunk))),
    captured: () => {
      const kept = { head: head.bytes(), tail: tail.bytes() }
      const totalBytes = kept.head.length + tail.totalBytes()
      return { ...kept, omittedBytes: totalBytes - kept.head.length - kept.tail.length, totalBytes }
    },
  }
}

/** Doubles its size as needed, so a child that prints one line costs 4 KiB and not the whole limit. */
function startHead(limit: number): { add(chunk: Uint8Array): number; bytes(): Buffer } {
  let store = Buffer.alloc(0)
  let length = 0
  return {
    add: (chunk) => {
      const taken = Math.min(chunk.length, limit - length)
      if (length + taken > store.length) {
        const grown = Buffer.allocUnsafeSlow(Math.min(limit, Math.max(4 * KIB, 2 * store.length, length + taken)))
        store.copy(grown, 0, 0, length)
        store = grown
      }
      store.set(chunk.subarray(0, taken), length)
      length += taken
      return taken
    },
    bytes: () => store.subarray(0, length),
  }
}

/** A ring: the next byte overwrites the oldest one, at `total % limit`. */
function startTail(limit: number): { add(chunk: Uint8Array): void; bytes(): Buffer; totalBytes(): number } {
  let ring = Buffer.alloc(0)
  let total = 0
  return {
    add: (chunk) => {
      if (chunk.length === 0) return
      if (ring.length === 0) ring = Buffer.allocUnsafeSlow(limit)
      const kept = chunk.subarray(Math.max(0, chunk.length - limit))
      total += chunk.length
      if (limit === 0) return
      const at = (total - kept.length) % limit
      const first = kept.subarray(0, limit - at)
      ring.set(first, at)
      ring.set(kept.subarray(first.length), 0)
    },
    bytes: () => {
      if (total <= limit) return Buffer.from(ring.subarray(0, total))
      const at = total % limit
      return Buffer.concat([ring.subarray(at), ring.subarray(0, at)])
    },
    totalBytes: () => total,
  }
}

/** Every byte that the child printed, or null where some were dropped. */
export function outputBytes({ head, tail, omittedBytes }: HeadTailBuffer): Buffer | null {
  return omittedBytes === 0 ? Buffer.concat([head, tail]) : null
}

/** For people: bad UTF-8 becomes U+FFFD, and one line says how much is missing in the middle. */
export function outputText(captured: HeadTailBuffer): string {
  const whole = outputBytes(captured)
  if (whole !== null) return whole.toString('utf8')
  const head = captured.head.subarray(0, captured.head.length - tornEnd(captured.head))
  const tail = captured.tail.subarray(tornStart(captured.tail))
  const omitted = captured.totalBytes - head.length - tail.length
  const before = head.toString('utf8')
  const gap = before === '' || before.endsWith('\n') ? '' : '\n'
  return `${before}${gap}… ${omitted.toLocaleString('en-US')} bytes left out …\n${tail.toString('utf8')}`
}

/** Bytes at the end that begin a character cut off after them. */
function tornEnd(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (isContinuation(byte)) continue
    const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return size > back ? back : 0
  }
  return 0
}

/** Bytes at the start that end a character cut off before them. */
function tornStart(bytes: Buffer): number {
  let torn = 0
  while (torn < Math.min(3, bytes.length) && isContinuation(bytes[torn] ?? 0)) torn++
  return torn
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80
}
