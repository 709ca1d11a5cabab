import { expect, it } from 'vitest'
import type { AgentId, BuildId, IdeaId, TaskId } from '../../core/values/id.ts'
import { madeStore } from '../../../test/rig/sqlite-store.ts'
import { sessionsOf, shownSession } from './sessions.ts'

const build = 'b_1' as BuildId
const task = 'two' as TaskId
const NO_LIMIT = { usd: null, tokens: null }

it('what was asked again, and by another agent, is one session', async () => {
  let now = 0
  const { store } = await madeStore(() => now)
  const times = { startedAt: 0, lastActivityAt: 0 }
  const made = {
    id: build,
    idea: 'shop' as IdeaId,
    spec: null,
    state: 'running',
    configHash: '',
    lastError: null,
  } as const
  await store.builds.create({ repo: '/srv/shop', branch: 'main' }, { ...made, ...times }, [])
  const hold = async (about: TaskId | null, role: string, agent: string, failure: string | null): Promise<void> => {
    const mark = { build, task: about, attempt: 1, iteration: 1, role, agent, loop: 'loop' as AgentId }
    const granted = await store.spending.reserve(mark, NO_LIMIT)
    if (granted.is !== 'granted') throw new Error(granted.is)
    const used = { inputTokens: 10, outputTokens: 1, costUsd: null }
    await store.spending.settle(granted.id, { used, durationMs: 100, failure })
    now += 1_000
  }
  await hold(null, 'planner', 'one', null)
  await hold(task, 'implementer', 'one', null)
  await hold(task, 'reviewer', 'one', 'rateLimit')
  await hold(task, 'reviewer', 'other', null)
  // A session that chose no task has no name.
  await hold(null, 'implementer', 'one', null)

  const common = { attempt: 1, iteration: 1, costUsd: null, failure: null, state: 'settled' }
  const once = { ...common, agent: 'one', durationMs: 100, inputTokens: 10, outputTokens: 1 }
  const worked = { ...once, id: 'b_1.two.1.1', taskId: task, role: 'implementer', startedAt: 1_000 }
  const twice = { ...common, agent: 'other', durationMs: 200, inputTokens: 20, outputTokens: 2 }
  const reviewed = { ...twice, id: 'b_1.two.1.1.reviewer', taskId: task, role: 'reviewer', startedAt: 2_000 }
  expect((await sessionsOf({ store }, build)).flatMap(shownSession)).toEqual([
    { ...once, id: 'b_1.1.1.planner', taskId: null, role: 'planner', startedAt: 0 },
    worked,
    reviewed,
  ])
  expect((await sessionsOf({ store }, build, task)).flatMap(shownSession)).toEqual([worked, reviewed])
})
