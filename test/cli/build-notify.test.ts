// Notices by webhook and by command, each also where the other fails.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { project } from '../rig/project.ts'
import { SIA_GIVES_UP, work } from '../rig/sessions.ts'

async function listen(status: number): Promise<{ address: string; heard: Record<string, unknown>[] }> {
  const heard: Record<string, unknown>[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      heard.push(JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown>)
      response.writeHead(status).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook/secret`, heard }
}

const stuck = { steps: [{ signal: { kind: 'TASK_STUCK', reason: 'which port?' } }] }
const spend = { usage: { inputTokens: 10, outputTokens: 0, costUsd: 2 } }

it('that a human is needed, the budget is spent, the build is complete', async () => {
  const { address, heard } = await listen(200)
  const made = project({
    script: [
      { task: 'two', role: 'implementer', ...stuck },
      { task: 'three', role: 'implementer', steps: [spend, { hang: {} }] },
      SIA_GIVES_UP,
    ],
  })
  const log = join(made.root, 'told.jsonl')
  made.write('ralph.toml', `${made.read('ralph.toml')}[notify]\nwebhook = "${address}"\ncommand = "cat >> '${log}'"\n`)
  const first = await made.start(['build', '--budget', '1']).ended
  expect(first.code).toBe(3)
  made.ralph(['skip', 'two'])
  made.play({ task: 'three', role: 'implementer', steps: work('three', 3) })
  const second = await made.start(['build', '--budget', '5']).ended
  expect([second.code, `${first.stdout}${first.stderr}${second.stdout}${second.stderr}`.includes('secret')]).toEqual([
    0,
    false,
  ])

  const build = made.build()
  expect(heard).toMatchObject([
    {
      type: 'humanNeeded',
      build,
      task: 'two',
      repository: 'project',
      sentence: expect.stringMatching(/^Task two \(Add two\) waits for you: I cannot count/),
      answer: expect.arrayContaining(["ralph answer two -m 'what to know'"]),
    },
    { type: 'budgetExhausted', task: null, answer: ['ralph build --budget 2'] },
    { type: 'buildComplete', sentence: `Build ${build} is complete; its work is on the branch ralph/${build}.` },
  ])
  const lines = readFileSync(log, 'utf8').trim().split('\n')
  expect(lines.map((line) => (JSON.parse(line) as { id: string }).id)).toEqual(heard.map(({ id }) => id))
  expect(made.ralph(['doctor']).stdout).toContain(`notify webhook  ${new URL(address).host}\n`)
})

it('and where nobody can be told, the build goes on as if nothing were', async () => {
  const { address, heard } = await listen(503)
  const made = project({ script: [{ task: 'two', steps: work('two', 2) }] })
  made.write('ralph.toml', `${made.read('ralph.toml')}[notify]\nwebhook = "${address}"\ncommand = "exit 7"\n`)
  const { code, stderr } = await made.start(['build']).ended
  expect([code, heard.length]).toEqual([0, 3])
  const notes = stderr.split('\n').filter((line) => line.includes('could not be told'))
  expect(notes.toSorted()).toEqual([
    'Note: the command could not be told (exit code 7); the build goes on without it.',
    `Note: the webhook at ${new URL(address).host} could not be told (HTTP 503); the build goes on without it.`,
  ])
})
