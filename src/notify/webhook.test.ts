import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Message } from './notify.ts'
import { webhook } from './webhook.ts'

const message: Message = {
  id: 'b_1/7',
  type: 'humanNeeded',
  build: 'b_1',
  task: 'login',
  sentence: 'Task login waits for you: größe?',
  answer: ['ralph open login'],
  at: 1_000,
  seq: 7,
  repository: 'shop',
}
const never = new AbortController().signal

interface Heard {
  readonly headers: IncomingMessage['headers']
  readonly url: string
  readonly body: unknown
}

async function listen(answer: (response: ServerResponse) => void): Promise<{ host: string; heard: Heard[] }> {
  const heard: Heard[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { headers, url = '' } = request
      heard.push({ headers, url, body: JSON.parse(Buffer.concat(parts).toString()) })
      answer(response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, heard }
}

const status =
  (code: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(code, headers).end('whatever')

describe('a webhook', () => {
  it('gets the message as JSON, with a text that chats show', async () => {
    const { host, heard } = await listen(status(204))
    const way = webhook(`http://ada:pa%3Ass@${host}/hook?key=secret`)
    expect(await way.send(message, never)).toEqual({ is: 'sent' })
    const text = 'shop: Task login waits for you: größe?'
    expect(heard).toMatchObject([
      {
        url: '/hook?key=secret',
        headers: {
          'content-type': 'application/json',
          'idempotency-key': 'b_1/7',
          authorization: `Basic ${Buffer.from('ada:pa:ss').toString('base64')}`,
        },
        body: { ...message, text, content: text },
      },
    ])
    expect(way.name).toBe(`webhook at ${host}`)
  })

  it.each([
    [404, 'useless'],
    [401, 'useless'],
    [408, 'useful'],
    [429, 'useful'],
    [500, 'useful'],
    [503, 'useful'],
  ])('that answers %i is tried again where that is %s', async (code, again) => {
    const { host } = await listen(status(code))
    const sent = await webhook(`http://${host}/`).send(message, never)
    expect(sent).toEqual({ is: 'failed', reason: `HTTP ${code}`, again })
  })

  it('that sends us elsewhere is not followed', async () => {
    const other = await listen(status(200))
    const { host } = await listen(status(307, { location: `http://${other.host}/` }))
    expect(await webhook(`http://${host}/`).send(message, never)).toMatchObject({ is: 'failed', reason: 'HTTP 307' })
    expect(other.heard).toEqual([])
  })

  it('that nobody listens to fails without its secret', async () => {
    const sent = await webhook('http://127.0.0.1:1/secret').send(message, never)
    expect(sent).toMatchObject({ is: 'failed', again: 'useful' })
    expect(JSON.stringify(sent)).not.toContain('secret')
  })

  it('that never answers is given up when it is to stop', async () => {
    const stop = new AbortController()
    const { host } = await listen(() => stop.abort())
    expect(await webhook(`http://${host}/`).send(message, stop.signal)).toMatchObject({ is: 'failed' })
  })
})
