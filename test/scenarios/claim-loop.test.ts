// The loop of an agent that chooses its task, where the store does not answer.
import { expect, it } from 'vitest'
import { refuse } from '../../src/core/error/error.ts'
import { agentId, taskId } from '../../src/core/values/id.ts'
import { runClaimLoop } from '../../src/engine/claim/claim-loop.ts'
import { stopSwitch } from '../../src/engine/stop.ts'
import { skipTask } from '../../src/operations/builds/escalations.ts'
import { engineProject } from '../rig/engine-project.ts'

it('takes a store that cannot be read for one that soon can', async () => {
  const made = await engineProject({ script: [], tasks: [{ id: 'a', title: 'A' }] })
  const build = await made.start()
  const engine = await made.openAgain()
  await skipTask(made.context, taskId('a'))
  const asked: string[] = []
  const tasks: typeof engine.store.tasks = {
    ...engine.store.tasks,
    claimable: async (...request) => {
      asked.push(`peek -n ${request[1]}`)
      if (asked.length === 1) throw refuse('STORE_BUSY', { path: 'it', seconds: 30 })
      return engine.store.tasks.claimable(...request)
    },
  }
  const stops = stopSwitch({ iterations: 0, whenSpent: { reason: 'Failed' }, until: null, now: Date.now })
  const stop = await runClaimLoop({ ...engine, store: { ...engine.store, tasks } }, build.id, agentId('aaaa'), stops)
  expect([stop, asked]).toEqual([{ reason: 'AllTasksComplete' }, ['peek -n 10', 'peek -n 10']])
})
