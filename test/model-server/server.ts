// A model that says what a scenario tells it to, behind real HTTP on this machine only.
//
//   request ──> wire.read ──> ask ──> scenario ──> turn ──> wire.whole | stream | refusal ──> bytes, lag, cut
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Ask } from './ask.ts'
import { chatWire } from './chat-wire.ts'
import { geminiWire } from './gemini-wire.ts'
import { messagesWire } from './messages-wire.ts'
import { responsesWire } from './responses-wire.ts'
import { type Logged, openLog, type RequestLog } from './request-log.ts'
import type { Scenario } from './scenario.ts'
import type { Delivery, Turn } from './turn.ts'
import { type Answer, json, type Wire } from './wire.ts'

/** The real API takes 32 MB. */
const BODY_BYTES_MAX = 32 * 1024 * 1024

const wires: readonly Wire[] = [messagesWire, chatWire, responsesWire, geminiWire]

export interface ModelServer {
  /** `http://127.0.0.1:PORT` */
  readonly address: string
  readonly log: RequestLog
  readonly close: () => Promise<void>
}

export async function startModelServer(scenario: Scenario, port = 0): Promise<ModelServer> {
  const log = openLog()
  let answered = 0
  const server = createServer((request, response) => {
    answered += 1
    answer(request, response, { scenario, log, id: answered }).catch((error: unknown) =>
      response.destroy(error as Error),
    )
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    log,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

interface VerbContext {
  readonly scenario: Scenario
  readonly log: RequestLog
  readonly id: number
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { scenario, log, id }: VerbContext,
): Promise<void> {
  const { method = '', headers, url = '/' } = request
  const path = new URL(url, 'http://localhost').pathname
  const body = await bodyOf(request)
  const note = (more: Pick<Logged, 'ask' | 'turn'>): void =>
    log.add({ method, path, headers, body: body ?? '', ...more })
  if (method === 'HEAD' || body === null) {
    note({ ask: null, turn: null })
    return send(response, method === 'HEAD' ? json(200, {}) : problem(413, 'the request is larger than 32 MB'))
  }
  const found = read(method, path, body)
  if ('answer' in found) {
    note({ ask: null, turn: null })
    return send(response, found.answer)
  }
  const turn = scenario(found.ask)
  note({ ask: found.ask, turn })
  await deliver(response, { ...found, turn, id })
}

async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length
    if (bytes <= BODY_BYTES_MAX) chunks.push(chunk as Buffer)
  }
  return bytes > BODY_BYTES_MAX ? null : Buffer.concat(chunks).toString('utf8')
}

function read(method: string, path: string, body: string): { wire: Wire; ask: Ask } | { answer: Answer } {
  if (method !== 'POST') return { answer: problem(404, `there is nothing at ${method} ${path}`) }
  const value = parsed(body)
  if (value === undefined) return { answer: problem(400, 'the request is not JSON') }
  for (const wire of wires) {
    const asked = wire.read(path, value)
    if (asked !== null) return 'ask' in asked ? { wire, ask: asked.ask } : asked
  }
  return { answer: problem(404, `there is nothing at ${method} ${path}`) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function problem(status: number, message: string): Answer {
  return json(status, { type: 'error', error: { type: 'invalid_request_error', message } })
}

interface Spoken {
  readonly wire: Wire
  readonly ask: Ask
  readonly turn: Turn
  readonly id: number
}

async function deliver(response: ServerResponse, { wire, ask, turn, id }: Spoken): Promise<void> {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const pause = (ms = 0): Promise<unknown> => (ms === 0 ? Promise.resolve() : sleep(ms, null, gone).catch(() => null))
  await pause(turn.lagMs)
  if ('refuses' in turn) return deliverWhole(response, wire.refusal(turn, id, Date.now()), turn)
  if (!ask.streams) return deliverWhole(response, wire.whole(turn, ask, id), turn)
  response.writeHead(200, { 'content-type': 'text/event-stream', 'request-id': `req_${id}` })
  response.flushHeaders()
  let parts = 0
  for (const part of wire.stream(turn, ask, id)) {
    if (parts === turn.cut?.afterParts) return cutOff(response, turn.cut.by, wire)
    if (!response.write(part)) await Promise.race([once(response, 'drain'), once(gone.signal, 'abort')])
    if (gone.signal.aborted) return
    parts += 1
    await pause(turn.paceMs)
  }
  response.end()
}

/** One document is one part. */
function deliverWhole(response: ServerResponse, whole: Answer, { cut }: Delivery): void {
  if (cut?.afterParts !== 0) return send(response, whole)
  if (cut.by !== 'hang') response.destroy()
}

function cutOff(response: ServerResponse, by: NonNullable<Delivery['cut']>['by'], wire: Wire): void {
  if (by === 'hang') return
  if (by === 'drop') response.destroy()
  else response.end(wire.refusalPart({ refuses: by }))
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, headers)
  response.end(body)
}
