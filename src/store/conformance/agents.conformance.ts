import { describe, expect, it } from 'vitest'
import type { Agent } from '../store.ts'
import { agent, type OpenStore, refused, setUp } from './rig.conformance.ts'

const shown = (id: string, startedAt: number): Agent => ({ id: agent(id), pid: 4711, hostname: 'mühle', startedAt })

export function describeAgents(open: OpenStore): void {
  describe('agents', () => {
    it('are registered once, listed by age, and let go', async () => {
      const { store, again } = await setUp(open)
      const [young, old] = [shown('b0f1', 20), shown('a0f1', 10)]
      expect(await store.agents.list()).toEqual([])
      expect(await store.agents.register(young)).toBe(true)
      expect(await store.agents.register(old)).toBe(true)
      expect(await store.agents.register({ ...young, pid: 1, startedAt: 1 })).toBe(false)
      expect(await (await again()).agents.list()).toEqual([old, young])
      await store.agents.deregister(old.id)
      expect(await store.agents.list()).toEqual([young])
      expect(await refused(store.agents.deregister(old.id))).toEqual(['AGENT_NOT_FOUND', "agent 'a0f1' not found"])
      expect(await store.agents.register(old)).toBe(true)
    })
  })
}
