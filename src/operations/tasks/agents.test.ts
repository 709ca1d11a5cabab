import { describe, expect, it } from 'vitest'
import { agentId } from '../../core/values/id.ts'
import { madeStore } from '../../../test/rig/sqlite-store.ts'
import { type AgentStoreContext, deregisterAgent, listAgents, registerAgent } from './agents.ts'

const NOW = 1_800_000_000_000

/** Where the picks come one after the other, and the last one for ever. */
async function context(...picks: number[]): Promise<AgentStoreContext> {
  const { store } = await madeStore(() => NOW)
  return { store, now: () => NOW, pick: () => (picks.length > 1 ? picks.shift() : picks[0]) ?? 0 }
}

describe('registerAgent', () => {
  it.each([
    [0, '0000'],
    [0xa_bc, '0abc'],
    [0xff_ff, 'ffff'],
  ])('makes of %i the id %s', async (pick, id) => {
    const at = await context(pick)
    expect(await registerAgent(at, 42, 'here')).toBe(id)
    expect(await listAgents(at)).toEqual([{ id, pid: 42, hostname: 'here', startedAt: NOW }])
  })

  it('passes over what is taken', async () => {
    const at = await context(1, 1, 1, 2)
    expect([await registerAgent(at, 1, 'h'), await registerAgent(at, 2, 'h')]).toEqual(['0001', '0002'])
  })

  it('gives up where nothing is free, and takes again what was given back', async () => {
    const at = await context(7)
    await registerAgent(at, 1, 'h')
    await expect(registerAgent(at, 2, 'h')).rejects.toMatchObject({ code: 'AGENT_IDS_TAKEN' })
    await deregisterAgent(at, agentId('0007'))
    expect(await registerAgent(at, 2, 'h')).toBe('0007')
  })
})

it('deregisterAgent refuses who is not there', async () => {
  await expect(deregisterAgent(await context(), agentId('beef'))).rejects.toMatchObject({ code: 'AGENT_NOT_FOUND' })
})
