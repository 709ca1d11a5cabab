// A recorded stream, heard by its agent as the program opens it.
import { join } from 'node:path'
import { execPath } from 'node:process'
import { expect, it } from 'vitest'
import type { AgentEvent, FailureKind, Outcome } from '../../src/agents/agent.ts'
import { openAgents } from '../../src/agents/registry.ts'
import { FROM_SOURCE } from '../../src/agents/scripted/player-program.ts'
import { sessionIn, tempFolder } from '../../src/agents/trial.conformance.ts'
import { HANG_MS } from '../rig/hang.ts'

const PROGRAM = join(import.meta.dirname, 'replay-program.ts')

export interface Replayed extends Outcome {
  readonly events: readonly AgentEvent[]
}

export async function replayed(agent: string, name: string): Promise<Replayed> {
  const bounds = { timeoutMs: HANG_MS, idleTimeoutMs: HANG_MS }
  const settings = { env: [], credentials: 'none', args: [], model: null, scenario: null } as const
  const command = [execPath, ...FROM_SOURCE, PROGRAM, agent, name]
  const agents = { planner: agent, implementer: agent, reviewer: agent, sia: agent }
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent' }
  const { implementer } = openAgents(
    { agents, agent: { [agent]: { ...bounds, ...settings, command } } },
    { root: '/', env },
  )
  const events: AgentEvent[] = []
  const outcome = await implementer.run(sessionIn(await tempFolder(), { onEvent: (event) => events.push(event) }))
  return { ...outcome, events }
}

export const DONE = 'It is done.\n\nTASK_COMPLETE'

export interface Meaning {
  /** Every case that was recorded. */
  readonly cases: readonly string[]
  /** Which final message. */
  readonly good: Readonly<Record<string, string>>
  readonly bad: Readonly<Record<string, readonly [kind: FailureKind, words: string, until?: unknown]>>
}

export function describeMeaning(agent: string, { cases, good, bad }: Meaning): void {
  it('every recorded case has its meaning here', () => {
    expect([...Object.keys(good), ...Object.keys(bad)].toSorted()).toEqual(cases.toSorted())
  })

  it.each(Object.entries(good))('%s went well', async (name, finalMessage) => {
    expect(await replayed(agent, name)).toMatchObject({ failure: null, finalMessage, survivors: 0 })
  })

  it.each(Object.entries(bad))('%s did not', async (name, [kind, words, until = null]) => {
    const { failure, finalMessage } = await replayed(agent, name)
    expect({ failure, finalMessage }).toEqual({
      failure: { kind, sentence: expect.stringContaining(words), until },
      finalMessage: '',
    })
  })
}
