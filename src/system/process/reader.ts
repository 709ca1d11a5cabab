// Reads one stream of a child to its end. It reads a pipe into one buffer again and again: an ordinary stream would
// allocate 16,000 buffers for a 1 GB flood, and 80 MB would pile up before they are collected.
import { Socket } from 'node:net'
import type { Readable } from 'node:stream'

/** The most that Linux returns in one read of a pipe. */
const READ_BYTES = 64 * 1024

/** Free buffers: new ones for every child would burden the garbage collector. */
const spare: Buffer[] = []
const SPARE_MAX = 8

/** A file descriptor of a pipe, or a stream that Node has made. */
export type Source = number | Readable

export interface Reader {
  /** Settles when nothing more comes: the last writer closed it, it broke, or `close` was called. */
  readonly done: Promise<void>
  close(): void
}

/** `take` gets bytes that are valid until its promise settles; nothing is read meanwhile. It must not fail. */
export function readAll(source: Source, take: (bytes: Buffer) => void | Promise<void>): Reader {
  const stream = typeof source === 'number' ? pipeStream(source, take) : nodeStream(source, take)
  // An error here only ends the output; `close` follows.
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
