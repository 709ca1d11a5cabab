// Node refuses some requests before they become one, such as an address that is too long. The answer has the form of every
// other refusal, written by hand.
import type { ConnectionError } from 'fastify'
import type { Socket } from 'node:net'
import { refuse } from '../core/error/error.ts'
import { failureOf } from './failures.ts'

export function refuseUnreadable(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy(error)
    return
  }
  const isTooLong = error.code === 'HPE_HEADER_OVERFLOW'
  const problem = isTooLong ? 'the address and the headers are too long' : 'the request cannot be read'
  const text = JSON.stringify(failureOf(refuse('INPUT_BAD', { problem }, error)).body)
  const head = [
    `HTTP/1.1 ${isTooLong ? '431 Request Header Fields Too Large' : '400 Bad Request'}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`)
}
