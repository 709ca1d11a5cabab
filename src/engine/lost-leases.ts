// Two loops that take each other's tasks, for example because their clocks differ, make no progress however many
// sessions they begin. A loop that loses a task waits before it takes the next one, longer each time, so that the other
// can finish; a loop that keeps losing gives way.
import type { AgentId, TaskId } from '../core/values/id.ts'
import { sleepUntil } from './effects/wait.ts'
import type { Loop } from './deps.ts'
import type { Stop, StopSwitch } from './stop.ts'

const PAUSE_MS = 1_000
const LOST_IN_A_ROW_MAX = 5

export interface LostLeases {
  /** Null: continue with the next task, after a pause. */
  readonly afterLoss: (loop: Loop, takenBy: string, stops: StopSwitch) => Promise<Stop | null>
  readonly afterWork: () => void
}

export function lostLeases(): LostLeases {
  let inRow = 0
  return {
    afterWork: () => {
      inRow = 0
    },
    afterLoss: async ({ engine }, takenBy, stops) => {
      inRow += 1
      if (inRow >= LOST_IN_A_ROW_MAX) return giveWay(takenBy)
      await sleepUntil(engine.now() + PAUSE_MS * 2 ** (inRow - 1), engine.now, stops.asking)
      return null
    },
  }
}

function giveWay(takenBy: string): Stop {
  const detail = `${LOST_IN_A_ROW_MAX} sessions in a row lost their lease to another loop (${takenBy}). See that the clocks of all machines are right, or end the other loop; then 'ralph build' goes on.`
  return { reason: 'NoProgress', detail }
}

/** The loop that has the task now, for people; null: a human or this loop itself settled or freed it. */
export async function takerOf({ engine, agentId }: Loop, task: TaskId): Promise<string | null> {
  const row = await engine.store.tasks.find(engine.scope, task)
  const taker = row?.status === 'active' ? row.assignee : null
  if (taker === null || taker === agentId) return null
  const words = await wordsFor(engine, taker)
  engine.watcher.leaseLost?.(words)
  return words
}

async function wordsFor({ store }: Loop['engine'], id: AgentId): Promise<string> {
  const known = (await store.agents.list()).find((agent) => agent.id === id)
  return known === undefined ? id : `${id}, process ${known.pid} on ${known.hostname}`
}
