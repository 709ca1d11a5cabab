// The live feed yields exactly the facts of the store, from any writer and over any number of reconnects.
import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openStoreContext, openServedRepository } from '../../src/compose.ts'
import type { BuildId, IdeaId } from '../../src/core/values/id.ts'
import { serveHttp } from '../../src/http/serve.ts'
import { type Body, caller, type Served, served } from './served.ts'
import { HANG_MS } from '../rig/hang.ts'
import { project } from '../rig/project.ts'
import { work } from '../rig/sessions.ts'

const NAMES = ['two', 'three', 'four']
const sessions = NAMES.map((task) => ({ role: 'implementer', task, steps: work(task) }))

type At = Pick<Served, 'address' | 'token'>

function stream({ address, token }: At, ref: string, after: number | string): WebSocket {
  const url = `${address.replace('http', 'ws')}/api/build/${ref}/stream?after=${after}`
  return new WebSocket(url, ['ralph', `ralph.bearer.${token}`])
}

/** Reads so many facts, or until the build is complete, and hangs up. */
function readSome(at: At, ref: string, after: number | string, most: number): Promise<Body[]> {
  const socket = stream(at, ref, after)
  const facts: Body[] = []
  return new Promise((resolve, reject) => {
    socket.addEventListener('message', ({ data }) => {
      if (facts.length >= most) return
      facts.push(JSON.parse(String(data)) as Body)
      if (facts.length >= most || facts.at(-1)?.['type'] === 'buildComplete') socket.close()
    })
    socket.addEventListener('close', () => resolve(facts))
    let isOpen = false
    socket.addEventListener('open', () => (isOpen = true))
    socket.addEventListener('error', () => (isOpen ? resolve(facts) : reject(new Error('the handshake was refused'))))
  })
}

async function readSse(at: At, path: string, headers: Record<string, string>, until: string): Promise<string> {
  const over = new AbortController()
  const own = { authorization: `Bearer ${at.token}`, ...headers }
  const answer = await fetch(`${at.address}${path}`, { headers: own, signal: over.signal })
  expect(answer.headers.get('content-type')).toBe('text/event-stream')
  let text = ''
  for await (const part of answer.body ?? []) {
    text += new TextDecoder().decode(part)
    if (text.includes(until)) break
  }
  over.abort()
  return text
}

describe('the feed of a build', () => {
  it('waits for the first build of an idea, and goes on with its next one', async () => {
    const made = project({ script: sessions })
    const server = await served(made)
    const reading = readSome(server, 'shop', 0, 1_000)
    await server.post('/api/build/shop/start')
    const first = await reading
    expect([first[0]?.['type'], first.at(-1)?.['type']]).toEqual(['buildStarted', 'buildComplete'])
    made.ok('create', 'five', 'Add five')
    made.play({ role: 'implementer', task: 'five', steps: work('five') })
    const next = readSome(server, 'shop', `${made.build()}:${first.length}`, 1_000)
    const { body } = await server.post('/api/build/shop/start')
    const second = await next
    expect(new Set(second.map((fact) => fact['sessionId']))).toEqual(new Set([body['sessionId']]))
    expect(second.map((fact) => fact['seq'])).toEqual(second.map((_, at) => at + 1))
  })

  it('as server-sent events: the same facts, with ids to go on from', async () => {
    const made = project({ script: sessions.slice(0, 1) })
    const server = await served(made)
    await server.post('/api/build/shop/start')
    await server.until('shop', 'complete')
    const text = await readSse(server, '/api/build/shop/events', {}, 'event: buildComplete\ndata')
    const events = text
      .split('\n\n')
      .flatMap((event) => /^id: (\S+)\nevent: (\w+)\ndata: (.*)$/m.exec(event)?.slice(1) ?? [])
    const { facts } = (await server.get('/api/builds/shop/facts')).body as { facts: Body[] }
    const id = made.build()
    expect(events).toEqual(
      facts.flatMap((fact) => [`${id}:${String(fact['seq'])}`, fact['type'], JSON.stringify(fact)]),
    )
    const rest = await readSse(
      server,
      '/api/build/shop/events',
      { 'last-event-id': `${id}:${facts.length - 1}` },
      'buildComplete',
    )
    expect(rest.match(/^id: .*$/gm)).toEqual([`id: ${id}:${facts.length}`])
  })

  it('opens to nobody without the token, from elsewhere, or with a place that is none', async () => {
    const server = await served(project())
    const upgrade = {
      connection: 'upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': `${'a'.repeat(22)}==`,
    }
    const path = '/api/build/shop/stream'
    const token = { authorization: `Bearer ${server.token}` }
    const answers = []
    for (const headers of [
      upgrade,
      { ...upgrade, 'sec-websocket-protocol': 'ralph.bearer.wrong' },
      { ...upgrade, ...token, origin: 'http://evil.example' },
      { ...upgrade, ...token, host: 'evil.example' },
      { ...upgrade, ...token, origin: 'null' },
      { ...upgrade, cookie: `ralph-${new URL(server.address).port}=${server.token}` },
      { ...upgrade, 'sec-websocket-protocol': `ralph.bearer.${server.token}`, origin: 'https://127.0.0.1' },
    ])
      answers.push((await server.ask('GET', path, headers)).status)
    answers.push((await server.ask('GET', `${path}?after=-1`, { ...upgrade, ...token })).status)
    answers.push((await server.ask('GET', '/api/build/b_none/stream', { ...upgrade, ...token })).status)
    answers.push((await server.ask('GET', `${path}?token=${server.token}`, upgrade)).status)
    expect(answers).toEqual([401, 401, 403, 403, 403, 401, 403, 422, 404, 401])
  })
})

const SHORT = { heartbeatMs: 500, patienceMs: 300 }
/** Long enough for an answer on a busy machine. */
const PATIENT = { heartbeatMs: 300, patienceMs: 3_000 }

/** A server in this process. */
async function serving(
  feedTimes?: typeof SHORT,
): Promise<At & { fill(count: number): Promise<void>; readers(): number; stop(): Promise<void> }> {
  const made = project()
  const { store, scope } = await openStoreContext(made.folder, made.env)
  const build = 'b_long' as BuildId
  const now = { startedAt: 0, lastActivityAt: 0 }
  const rest = { idea: 'long' as IdeaId, spec: null, configHash: '', lastError: null, state: 'running' as const }
  await store.builds.create(scope, { id: build, ...rest, ...now }, [])
  const servedRepo = openServedRepository({
    context: { store, scope, now: Date.now, unique: () => '1', person: 'ada' },
    name: 'project',
    root: made.folder,
    env: made.env,
    note: () => {},
  })
  const at = await serveHttp({
    servedRepos: [servedRepo],
    note: servedRepo.note,
    host: '127.0.0.1',
    port: 0,
    token: null,
    version: '0',
    ...(feedTimes === undefined ? {} : { feedTimes }),
  })
  onTestFinished(async () => {
    await at.stop()
    store.close()
  })
  const error = 'x'.repeat(64 * 1024)
  return {
    ...at,
    fill: async (count) => {
      for (let one = 0; one < count; one += 1) await store.builds.note(build, { type: 'buildFailed', error })
    },
  }
}

/** Asks for the feed, and then takes and says nothing. */
async function silent({ address, token }: At): Promise<Socket> {
  const { hostname, port, host } = new URL(address)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.write(
    `GET /api/build/long/stream HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\nConnection: Upgrade\r\n` +
      `Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${'a'.repeat(22)}==\r\n\r\n`,
  )
  socket.pause()
  await once(socket, 'connect')
  return socket
}

describe('a reader that takes nothing', () => {
  it('is cut off while what waits for it is bounded, and loses nothing', async () => {
    const server = await serving(SHORT)
    await server.fill(400)
    const before = process.memoryUsage().rss
    const socket = await silent(server)
    await vi.waitUntil(() => server.readers() === 1, { timeout: HANG_MS, interval: 10 })
    await vi.waitUntil(() => server.readers() === 0, { timeout: HANG_MS, interval: 10 })
    const grown = process.memoryUsage().rss - before
    let received = 0
    socket.on('data', (part: Buffer) => (received += part.length))
    socket.on('error', () => {})
    socket.resume()
    await once(socket, 'close')
    expect(received).toBeLessThan(400 * 64 * 1024)
    expect(grown).toBeLessThan(200 * 1024 * 1024)
    const facts: Body[] = []
    while (facts.length < 401) facts.push(...(await readSome(server, 'long', facts.length, 401 - facts.length)))
    expect(facts.map((fact) => fact['seq'])).toEqual(Array.from({ length: 401 }, (_, at) => at + 1))
  })

  // By itself, the library waits 30 s for the other side to hang up.
  it('does not keep a server from stopping', async () => {
    const server = await serving()
    const socket = await silent(server)
    await vi.waitUntil(() => server.readers() === 1, { timeout: HANG_MS, interval: 10 })
    await server.stop()
    socket.on('error', () => {})
    socket.resume()
    await once(socket, 'close')
    expect(server.readers()).toBe(0)
  })

  it('one that reads is kept alive by heartbeats, and is told when the server stops', async () => {
    const server = await serving(PATIENT)
    const socket = stream(server, 'long', 1)
    const closed = new Promise<CloseEvent>((resolve) => socket.addEventListener('close', resolve))
    await new Promise((resolve) => socket.addEventListener('open', resolve))
    const told = new Promise<Body>((resolve) =>
      socket.addEventListener('message', ({ data }) => resolve(JSON.parse(String(data)) as Body)),
    )
    await new Promise((resolve) => setTimeout(resolve, PATIENT.heartbeatMs + PATIENT.patienceMs + 500))
    await server.fill(1)
    expect((await told)['seq']).toBe(2)
    await server.stop()
    const { code, reason } = await closed
    expect({ code, reason }).toEqual({ code: 1001, reason: 'the server stops' })
  })
})

describe('many readers', () => {
  it('each has every fact', async () => {
    const server = await serving()
    const reading = Array.from({ length: 50 }, () => readSome(server, 'long', 0, 21))
    await server.fill(20)
    const seqs = Array.from({ length: 21 }, (_, at) => at + 1)
    for (const facts of await Promise.all(reading)) expect(facts.map((fact) => fact['seq'])).toEqual(seqs)
    expect((await caller(server.address, server.token).get('/api/builds/long/facts?limit=1')).body).toMatchObject({
      next: 1,
    })
  })
})
