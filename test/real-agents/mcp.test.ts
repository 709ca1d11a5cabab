// Ralph's MCP server in one session of each real agent: its tools reach the engine by the session's socket, their
// answers and refusals reach the model, and roles that only read have none of them. claude and codex have tests of
// their own.
import { execPath } from 'node:process'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Role } from '../../src/agents/agent.ts'
import { sessionIn, tempFolder } from '../../src/agents/trial.conformance.ts'
import { refuse } from '../../src/core/error/error.ts'
import { openSockets } from '../../src/socket/unix-sockets.ts'
import { RALPH } from '../rig/scratch.ts'
import { inOrder } from '../model-server/scenario.ts'
import { call, say } from '../model-server/turn.ts'
import { CLAUDE_ACP, GEMINI, GEMINI_ACP, OPENCODE, OPENCODE_ACP, openReal, type RealAgent } from './other-agents.ts'

const SETTINGS = { timeoutMs: 200_000, idleTimeoutMs: 200_000, env: [], credentials: 'none' } as const
const USER = { PATH: process.env['PATH'], HOME: '/nonexistent' }

const scenario = inOrder(
  call('mcp__ralph__task_peek', { limit: 3 }),
  call('mcp__ralph__task_done', { id: 't1' }),
  call('mcp__ralph__report_iteration', { signal: 'ITERATION_DONE' }),
  say('It is done.\n\nITERATION_DONE'),
)

/** An engine that has no task left and refuses to take one as done. */
async function ran(real: RealAgent, role: Role) {
  const requests: unknown[] = []
  const socket = await openSockets([execPath, RALPH]).open(async (request) => {
    requests.push(request)
    if ((request as { do: string }).do === 'done') throw refuse('SESSION_OVER', { id: 't1' })
    return []
  })
  onTestFinished(socket.close)
  const { agent, server } = await openReal(real, scenario, SETTINGS, USER)
  const reach = { socket: socket.path, ralph: socket.ralph }
  const { failure } = await agent.run(sessionIn(await tempFolder(), { role, reach }))
  const asks = server.log.all().flatMap(({ ask }) => ask ?? [])
  const told = asks.at(-1)?.messages.flatMap(({ results }) => results.map(({ text }) => text)) ?? []
  const ours = new Set(asks.flatMap(({ tools }) => tools).filter((tool) => /ralph_/.test(tool)))
  return { failure, requests, told, tools: ours.size }
}

const agents: readonly (readonly [name: string, real: RealAgent, isThere: boolean])[] = [
  ['gemini', GEMINI, GEMINI.command !== null],
  ['opencode', OPENCODE, OPENCODE.command !== null],
  ['gemini --acp', GEMINI_ACP, CLAUDE_ACP.command !== null],
  ['opencode acp', OPENCODE_ACP, CLAUDE_ACP.command !== null],
  ['claude-agent-acp', CLAUDE_ACP, CLAUDE_ACP.command !== null],
]

describe.each(agents)('MCP in a session of %s', (_, real, isThere) => {
  it.skipIf(!isThere)('reaches the engine, and the engine the model', async () => {
    const { failure, requests, told, tools } = await ran(real, 'implementer')
    expect({ failure, requests, tools }).toEqual({
      failure: null,
      requests: [
        { do: 'peek', limit: 3 },
        { do: 'done', id: 't1', result: null },
        { do: 'signal', signal: 'ITERATION_DONE', reason: null },
      ],
      tools: 9,
    })
    expect(told).toEqual([
      expect.stringContaining('No tasks to claim, and none is being worked on.'),
      expect.stringContaining(refuse('SESSION_OVER', { id: 't1' }).message),
      expect.stringContaining('Reported ITERATION_DONE.'),
    ])
  })

  it.skipIf(!isThere)('is not there for who only reads', async () => {
    const { requests, tools } = await ran(real, 'reviewer')
    expect({ requests, tools }).toEqual({ requests: [], tools: 0 })
  })
})
