import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { notifyCommand } from './notify-command.ts'
import type { Message } from './notify.ts'
import { openWays } from './ways.ts'

const message: Message = {
  id: 'b_1/7',
  type: 'humanNeeded',
  build: 'b_1',
  task: 'login',
  sentence: 'Task login waits; rm -rf "$HOME"',
  answer: ['ralph open login'],
  at: 1_000,
  seq: 7,
  repository: 'shop',
}
const never = new AbortController().signal

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'ralph notify '))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

it('gets the message on stdin and in variables, and nothing else of the environment', async () => {
  const cwd = folder()
  const way = notifyCommand('cat > message.json; env > env.txt', cwd, {
    PATH: process.env['PATH'],
    HOME: '/home/ada',
    API_KEY: 'secret',
  })
  expect(await way.send(message, never)).toEqual({ is: 'sent' })
  expect(JSON.parse(readFileSync(join(cwd, 'message.json'), 'utf8'))).toEqual(message)
  const env = readFileSync(join(cwd, 'env.txt'), 'utf8').split('\n')
  expect(env).toEqual(
    expect.arrayContaining([
      'HOME=/home/ada',
      'RALPH_NOTICE_TYPE=humanNeeded',
      'RALPH_NOTICE_BUILD=b_1',
      'RALPH_NOTICE_TASK=login',
      `RALPH_NOTICE_SENTENCE=${message.sentence}`,
      'RALPH_NOTICE_REPOSITORY=shop',
    ]),
  )
  expect(env.join('\n')).not.toContain('secret')
})

it.each([
  ['echo first >&2; echo no display >&2; exit 3', 'exit code 3: no display'],
  ['exit 1', 'exit code 1'],
  ['no-such-program-here', expect.stringMatching(/^exit code 127: /)],
])('%s fails with a reason', async (line, reason) => {
  const sent = await notifyCommand(line, folder(), { PATH: process.env['PATH'] }).send(message, never)
  expect(sent).toEqual({ is: 'failed', reason, again: 'useful' })
})

it('that hangs is ended when it is to stop', async () => {
  const stop = new AbortController()
  const sending = notifyCommand('sleep 600', folder(), { PATH: process.env['PATH'] }).send(message, stop.signal)
  stop.abort()
  expect(await sending).toEqual({ is: 'failed', reason: 'aborted', again: 'useful' })
})

it('only the ways that are set are opened', () => {
  const context = { folder: '/', env: {} }
  const names = (settings: Parameters<typeof openWays>[0]) => openWays(settings, context).map(({ name }) => name)
  expect(names({ webhook: null, command: null })).toEqual([])
  expect(names({ webhook: 'https://hooks.example.com/T0/secret', command: 'true' })).toEqual([
    'webhook at hooks.example.com',
    'command',
  ])
})
