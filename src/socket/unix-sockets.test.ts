import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { execPath } from 'node:process'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { refuse } from '../core/error/error.ts'
import { askSocket } from './ask.ts'
import type { OpenSocket } from './socket.ts'
import { openSockets } from './unix-sockets.ts'
import { CONNECTIONS_MAX, REQUEST_BYTES_MAX } from './wire.ts'
import { HANG_MS } from '../../test/rig/hang.ts'

type Answer = (request: unknown) => Promise<unknown>

const echo: Answer = async (request) => ({ heard: request })

async function opened(answer: Answer = echo, ralph: readonly string[] = ['ralph']): Promise<OpenSocket> {
  const socket = await openSockets(ralph).open(answer)
  onTestFinished(() => socket.close())
  return socket
}

/** Sends bytes as they are, and reads to the end. */
async function raw(path: string, bytes: string | Buffer): Promise<string> {
  const connection = connect(path)
  connection.on('error', () => {})
  connection.end(bytes)
  return text(connection)
}

function connected(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const connection: Socket = connect(path, () => resolve(connection)).once('error', reject)
    onTestFinished(() => void connection.destroy())
  })
}

it('answers what is asked, many at a time', async () => {
  const { path } = await opened()
  const asked = Array.from({ length: CONNECTIONS_MAX }, (_, n) => ({ n, text: 'ä\n✓ ' }))
  expect(await Promise.all(asked.map((request) => askSocket(path, request)))).toEqual(
    asked.map((request) => ({ heard: request })),
  )
})

it('answers several requests of one connection in their order, the slow one first', async () => {
  const { path } = await opened(async (request) => {
    if (request === 1) await new Promise((resolve) => setTimeout(resolve, 20))
    return request
  })
  expect(await raw(path, '1\n2\n3')).toBe('{"ok":true,"value":1}\n{"ok":true,"value":2}\n{"ok":true,"value":3}\n')
})

it('passes a refusal on as it was thrown', async () => {
  const { path } = await opened(async () => {
    throw refuse('TASK_NOT_FOUND', { id: 'a' })
  })
  await expect(askSocket(path, {})).rejects.toMatchObject({
    code: 'TASK_NOT_FOUND',
    message: "task 'a' not found",
    exit: 2,
  })
})

it('tells of a fault of its own in one sentence, and goes on', async () => {
  let times = 0
  const { path } = await opened(async () => {
    times += 1
    if (times === 1) throw new TypeError('x is not a function')
    return times
  })
  await expect(askSocket(path, {})).rejects.toMatchObject({ code: 'INTERNAL', message: /x is not a function/ })
  expect(await askSocket(path, {})).toBe(2)
})

const unreadable =
  '{"ok":false,"code":"REQUEST_BAD","message":"the request cannot be read: it is not one line of JSON"}\n'
const tooLong = `{"ok":false,"code":"REQUEST_BAD","message":"the request cannot be read: it is longer than ${REQUEST_BYTES_MAX} bytes"}\n`

it.each([
  ['nothing', '', ''],
  ['an empty line', '\n', unreadable],
  ['half a request', '{"do":', unreadable],
  ['bytes that are no text', Buffer.from([0xff, 0xfe, 0, 10]), unreadable],
  ['a line without end', Buffer.alloc(REQUEST_BYTES_MAX + 1, 'x'), tooLong],
  [
    'a line that is too long',
    Buffer.concat([Buffer.alloc(REQUEST_BYTES_MAX + 1, 'x'), Buffer.from('\n{}\n')]),
    tooLong,
  ],
])('survives %s', async (_, bytes, answer) => {
  const { path } = await opened()
  expect(await raw(path, bytes)).toBe(answer)
  expect(await askSocket(path, 1)).toEqual({ heard: 1 })
})

it('survives JSON of 100,000 levels', async () => {
  const { path } = await opened()
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}\n`
  expect(JSON.parse(await raw(path, deep))).toMatchObject({ ok: false, code: 'INTERNAL' })
  expect(await askSocket(path, 1)).toEqual({ heard: 1 })
})

it('survives who goes away without reading the answer', async () => {
  const { path } = await opened(async () => 'x'.repeat(8 * 1024 * 1024))
  const connection = await connected(path)
  connection.write('1\n')
  connection.destroy()
  expect(await askSocket(path, 1)).toHaveLength(8 * 1024 * 1024)
})

it('takes only so many connections, and others again when some are gone', async () => {
  const { path } = await opened()
  const held = await Promise.all(Array.from({ length: CONNECTIONS_MAX }, () => connected(path)))
  await expect(askSocket(path, 1)).rejects.toMatchObject({ code: 'ENGINE_GONE' })
  const [first, second] = held
  await Promise.all([first, second].map((one) => new Promise((resolve) => one?.once('close', resolve).destroy())))
  await expect.poll(() => askSocket(path, 1).catch(() => null), { timeout: HANG_MS }).toEqual({ heard: 1 })
})

it('is gone when it is closed, after what was asked is answered', async () => {
  const [asked, answers] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const order: string[] = []
  const { path, close } = await opened(async () => {
    asked.resolve()
    await answers.promise
    order.push('answered')
  })
  const connection = await connected(path)
  connection.write('1\n')
  await asked.promise
  const closed = close().then(() => order.push('closed'))
  answers.resolve()
  await closed
  expect(order).toEqual(['answered', 'closed'])
  expect(existsSync(path)).toBe(false)
  await expect(askSocket(path, 1)).rejects.toMatchObject({
    message: 'the engine that started this session does not answer (ENOENT); end the session, what it made is kept',
  })
})

it('gives up on an engine that says nothing', async () => {
  const { path } = await opened(() => new Promise((resolve) => setTimeout(resolve, 200)))
  await expect(askSocket(path, 1, 10)).rejects.toMatchObject({ code: 'ENGINE_GONE', message: /\(ETIMEDOUT\)/ })
})

it('lets nobody else in, and has a ralph that starts this program', async () => {
  const { path, commands, ralph } = await opened(echo, [execPath, '-p', `"it's " + process.argv.slice(1)`])
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700)
  expect(ralph[0]).toBe(execPath)
  const { stdout } = spawnSync(join(commands, 'ralph'), ['--', 'a b', '$HOME'], { encoding: 'utf8' })
  expect(stdout).toBe("it's a b,$HOME\n")
})

it('says what to do where no socket can be opened', async () => {
  await expect(openSockets(['ralph'], '/nonexistent').open(echo)).rejects.toMatchObject({
    message: 'no socket for the session can be opened in /nonexistent (ENOENT); free space there, or set TMPDIR',
  })
})

it('removes what killed engines left, and nothing else', async () => {
  const root = mkdtempSync(join(tmpdir(), 'sockets-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const program = join(import.meta.dirname, '../../test/socket/listener-program.ts')
  const killed = spawnSync(execPath, [program, root, 'SIGKILL'], { encoding: 'utf8' })
  expect([killed.signal, readdirSync(root)]).toEqual(['SIGKILL', [expect.stringMatching(/^ralph-\d+-\d+-\w{6}$/)]])
  const left = readdirSync(root)
  const ended = spawnSync(execPath, [program, root, 'exit'], { encoding: 'utf8' })
  expect([ended.status, ended.stderr, readdirSync(root)]).toEqual([0, '', []])

  const alive = await openSockets(['ralph'], root).open(echo)
  onTestFinished(() => alive.close())
  spawnSync(execPath, [program, root, 'exit'])
  expect(readdirSync(root)).toEqual([dirname(alive.path).slice(root.length + 1)])
  expect(readdirSync(root)).not.toEqual(left)
})
