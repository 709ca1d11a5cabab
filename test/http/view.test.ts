// A client that reads a build early and folds the later facts ends with the same view as the server.
import { expect, it } from 'vitest'
import type { WireView } from '../../src/operations/contract/view.ts'
import { feedFactOf, type Folded, foldedOf, foldFacts } from '../../src/web/live-build/fold.ts'
import { served } from './served.ts'
import { project } from '../rig/project.ts'
import { SIA_GIVES_UP, work } from '../rig/sessions.ts'

const session = (task: string, ...numbers: number[]) => ({ role: 'implementer', task, steps: work(task, ...numbers) })

it('a build with a red attempt, a question and its answer', async () => {
  const late = { ...session('two', 2), attempt: 2 }
  const stuck = { ...session('three'), steps: [{ signal: { kind: 'TASK_STUCK', reason: 'which?' } }] }
  const made = project({
    script: [{ ...session('two', 1, 2), steps: [{ sleep: 1_500 }, ...work('two', 1, 2)] }, late, stuck, SIA_GIVES_UP],
  })
  const server = await served(made)
  await server.post('/api/build/shop/start')
  await server.saw('shop', 'iterationStarted')
  const early = foldedOf((await server.get('/api/builds/shop/view')).body as unknown as WireView)
  await server.until('shop', 'human_needed')
  made.play(session('three', 3))
  await server.post('/api/build/shop/answer', { text: 'the third' })
  await server.until('shop', 'complete')

  const { body } = await server.get(`/api/builds/shop/facts?after=${early.seq}&limit=1000`)
  const facts = (body['facts'] as readonly Record<string, unknown>[]).map(feedFactOf)
  const last = foldedOf((await server.get('/api/builds/shop/view')).body as unknown as WireView)
  expect(facts.length).toBeGreaterThan(20)
  expect(shown(foldFacts(early, facts))).toEqual(shown(last))
})

/** Without the holder of a task and the time of its row, which no fact carries. */
function shown(folded: Folded | null) {
  if (folded === null) return null
  const { seq, build, attempts, view, used, interventions } = folded
  const { lastActivityAt: _, ...state } = build
  return {
    ...{ seq, state, view, interventions, costUsd: used.costUsd },
    attempts: [...attempts.values()].toSorted((one, other) => (one.task < other.task ? -1 : 1)),
    tasks: folded.tasks.map(({ id, title, status, failReason }) => ({ id, title, status, failReason })),
  }
}
