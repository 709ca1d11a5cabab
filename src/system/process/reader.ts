// Reads one stream of a child to its end. A pipe is read into one buffer that is used again and again: an ordinary stream
// would make 16,000 buffers of a 1 GB flood and let 80 MB of them pile up before they are collected.
import { Socket } from 'node:net'
import type { Readable } from 'node:stream'

/** What Linux hands over at most in one read of a pipe. */
const READ_BYTES = 64 * 1024

/** Memory that nobody reads into now: to make it anew for every child makes work for the garbage collector. */
const spare: Buffer[] = []
const SPARE_MAX = 8

/** A file descriptor of a pipe, or a stream that Node has made. */
export type Source = number | Readable

export interface Reader {
  /** When nothing more comes: the last writer has closed it, it broke, or `close` was called. */
  readonly done: Promise<void>
  close(): void
}

/** `take` is called with bytes that are only lent. While its promise is pending nothing is read. It must not fail. */
export function readAll(source: Source, take: (bytes: Buffer) => void | Promise<void>): Reader {
  const stream = typeof source === 'number' ? pipeStream(source, take) : nodeStream(source, take)
  // Whatever breaks here is the end of the output, no more; `close` follows.
  stream.on('error', () => {})
  const done = new Promise<void>((resolve) => stream.once('close', resolve))
  return { done, close: () => stream.destroy() }
}

function pipeStream(descriptor: number, take: (bytes: Buffer) => void | Promise<void>): Readable {
  const buffer = spare.pop() ?? Buffer.allocUnsafeSlow(READ_BYTES)
  const socket: Socket = new Socket({
    fd: descriptor,
    readable: true,
    writable: false,
    onread: {
      buffer,
      callback: (length) => {
        const taken = take(buffer.subarray(0, length))
        if (taken === undefined) return true
        void taken.then(() => socket.resume())
        return false
      },
    },
  })
  socket.once('close', () => {
    if (spare.length < SPARE_MAX) spare.push(buffer)
  })
  return socket.resume()
}

function nodeStream(stream: Readable, take: (bytes: Buffer) => void | Promise<void>): Readable {
  stream.on('data', (bytes: Buffer) => {
    const taken = take(bytes)
    if (taken === undefined) return
    stream.pause()
    void taken.then(() => stream.resume())
  })
  return stream
}
