// The client over a real server: its verbs, what it says of a refusal, and a feed that survives a bad line.
import { createServer, connect, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'
import { build } from 'esbuild'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createClient, type FactEvent } from '../../src/index.ts'
import { routes } from '../../src/operations/contract/contract.ts'
import { calls } from '../../src/operations/contract/calls.ts'
import { refusal } from './refusal.ts'
import { served } from './served.ts'
import { project } from '../rig/project.ts'
import { work } from '../rig/sessions.ts'

const sessions = ['two', 'three'].map((task) => ({ role: 'implementer', task, steps: work(task) }))

/** A proxy that cuts each connection after so many bytes. The server knows itself by its own name. */
async function badLine(to: string, bytesOf: (line: number) => number): Promise<{ url: string; lines: () => number }> {
  const server = new URL(to)
  let lines = 0
  const open = new Set<Socket>()
  const proxy = createServer((near) => {
    const own = `127.0.0.1:${(proxy.address() as AddressInfo).port}`
    const far = connect(Number(server.port), server.hostname)
    let left = bytesOf((lines += 1))
    for (const socket of [near, far]) {
      open.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        near.destroy()
        far.destroy()
      })
    }
    near.on('data', (part) => far.write(part.toString('latin1').replace(own, server.host), 'latin1'))
    far.on('data', (part) => {
      near.write(part.subarray(0, left))
      left -= part.length
      if (left <= 0) near.end()
    })
  }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    proxy.close()
  })
  await once(proxy, 'listening')
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, lines: () => lines }
}

describe('the client', () => {
  it('starts a build, steers it and reads it, and its feed goes on over a line that is cut again and again', async () => {
    const made = project({ script: sessions })
    const server = await served(made)
    const line = await badLine(server.address, (at) => 500 + at * 400)
    const far = createClient({ url: line.url, token: server.token })
    const client = createClient({ url: `${server.address}/`, token: server.token })
    expect(await client.status({ ideaId: 'shop' })).toEqual({ status: 'not_started' })
    const told: FactEvent[] = []
    const reading = (async () => {
      for await (const fact of far.follow('shop')) {
        told.push(fact)
        if (fact.type === 'buildComplete') return
      }
    })()
    const { sessionId } = await client.start({ ideaId: 'shop' })
    await reading
    const { facts, next } = await client.facts({ id: 'shop', limit: 1_000 })
    expect([told, next]).toEqual([facts, null])
    expect(line.lines()).toBeGreaterThan(3)
    expect(await client.status({ ideaId: 'shop' })).toMatchObject({ sessionId, completedTasks: ['two', 'three'] })
    const { tasks } = await client.tasks({ status: 'done', limit: 1 })
    expect(tasks.map(({ id }) => id)).toEqual(['two'])
  })

  it('says what was refused and why, and does not try for ever', async () => {
    const server = await served(project())
    const { address, token } = server
    const client = createClient({ url: address, token })
    const untrackedFile = createClient({ url: address, token: 'x'.repeat(24) })
    const unknown = await refusal(client.task({ id: 'a/b' }))
    expect({ status: unknown.status, code: unknown.code, message: unknown.message }).toEqual({
      status: 404,
      code: 'RALPH_TASK_NOT_FOUND',
      message: "task 'a/b' not found",
    })
    const bad = await refusal(client.answer({ sessionId: 'shop', text: '' }))
    expect([bad.status, bad.faults.map(({ path }) => path)]).toEqual([422, ['body.text']])
    const early = await refusal(client.publish({ project_id: 'shop' }))
    expect([early.status, early.reasons.map(({ code }) => code)]).toEqual([409, ['notReady']])
    expect((await refusal(untrackedFile.tasks())).status).toBe(401)
    expect((await refusal(untrackedFile.follow('shop').next())).status).toBe(401)
    expect((await refusal(client.follow('b_none').next())).code).toBe('RALPH_BUILD_NOT_FOUND')
    const { message } = await refusal(createClient({ url: 'http://127.0.0.1:65535' }).tasks())
    expect(message).toBe(
      "no server answers at http://127.0.0.1:65535 (connect ECONNREFUSED 127.0.0.1:65535); 'ralph serve' starts one",
    )
    const over = new AbortController()
    const waiting = client.follow('shop', { signal: over.signal }).next()
    over.abort()
    expect(await waiting).toEqual({ done: true, value: undefined })
    await expect(client.tasks({}, { signal: over.signal })).rejects.toMatchObject({ name: 'AbortError' })
  })

  it('loads nothing that a page would not want', async () => {
    const entry = 'src/operations/contract/client.ts'
    const { metafile } = await build({
      entryPoints: [entry],
      bundle: true,
      platform: 'browser',
      metafile: true,
      write: false,
    })
    expect(Object.keys(metafile.inputs).toSorted()).toEqual([
      'src/operations/contract/calls.ts',
      'src/operations/contract/client-feed.ts',
      entry,
    ])
  })

  it('has every verb of the contract by its own path', () => {
    const contract = Object.entries(routes).map(([name, { method, path }]) => [name, `${method} ${path}`])
    expect(Object.fromEntries(contract)).toEqual(calls)
    const client: object = createClient({ url: 'http://127.0.0.1:1' })
    const feeds = ['follow', 'followIdeas', 'followTranscript']
    expect(Object.keys(client).toSorted()).toEqual([...Object.keys(calls), ...feeds].toSorted())
  })
})
