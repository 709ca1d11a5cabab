// A worker of task/claims: our store, through the operations that the command line calls.
import { agentId } from '../src/core/values/id.ts'
import { RalphError } from '../src/core/error/error.ts'
import { claimTask, completeTask, type TaskStoreContext } from '../src/operations/tasks/tasks.ts'
import { openSqliteStore } from '../src/store/sqlite/sqlite-store.ts'
import { serveSlices } from './claim-slices.ts'
import { LEASE_SECONDS, RESULT } from './claim-terms.ts'

const [path = '', repo = '', branch = ''] = process.argv.slice(2)
const agent = agentId(`agent-${process.pid}`)
const context: TaskStoreContext = {
  store: await openSqliteStore(path, Date.now),
  scope: { repo, branch },
  now: Date.now,
}

serveSlices({
  claim: async () => {
    try {
      return (await claimTask(context, { agent, leaseSeconds: LEASE_SECONDS })).task.id
    } catch (error) {
      if (error instanceof RalphError && error.code === 'NO_ELIGIBLE_TASKS') return null
      throw error
    }
  },
  done: async (id) => void (await completeTask(context, id, agent, RESULT)),
})
