import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'

/** An answer of server-sent events that has begun; whoever loses it comes again after a second. */
export function openEvents(reply: FastifyReply): ServerResponse {
  const { raw } = reply.hijack()
  raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), 'content-type': 'text/event-stream' })
  raw.on('error', () => {})
  raw.write('retry: 1000\n\n')
  return raw
}
