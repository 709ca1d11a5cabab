import { describe, expect, it } from 'vitest'
import { CAUSES, commit } from '../../../test/arbitraries/sample-facts.ts'
import type { Fact } from '../../core/fact/fact.ts'
import { taskId } from '../../core/values/id.ts'
import { type LiveState, NOTHING_SEEN, onlyHeld, stateAfter } from './live-state.ts'

const task = taskId('login')
const about = { taskId: task, attempt: 2 }
const started: Fact = { type: 'iterationStarted', ...about, iteration: 3 }

/** One fact a second. */
function after(...facts: readonly Fact[]): LiveState {
  return facts.reduce((state, fact, at) => stateAfter(state, { seq: at + 1, at: at * 1000, fact }), NOTHING_SEEN)
}

const working = { name: null, attempt: 2, iteration: 3, doing: 'agent at work', since: 0, until: null }
const none = {
  planning: null,
  working: new Map(),
  settled: 0,
  waiting: new Set(),
  replaced: new Map(),
  iterations: 1,
  seq: 2,
}

describe('the live state', () => {
  it('knows who works on what, in which attempt and iteration, and since when', () => {
    expect(after(started)).toEqual({ ...none, seq: 1, working: new Map([[task, working]]) })
    const named: Fact = { type: 'taskStarted', ...about, taskName: 'Add login' }
    expect(after(named, started).working.get(task)).toEqual({ ...working, name: 'Add login', since: 1000 })
  })

  it.each<[Fact, string]>([
    [{ type: 'verifying', ...about, tree: CAUSES.merged.tree }, 'verifying'],
    [{ type: 'reviewing', ...about }, 'in review'],
    [{ type: 'merging', ...about, tree: CAUSES.merged.tree }, 'merging'],
    [{ type: 'siaTriggered', taskId: task, interventionNumber: 1 }, 'SIA at work'],
  ])('says what is being done: %j', (fact, doing) => {
    expect(after(started, fact).working.get(task)).toEqual({ ...working, doing, since: 1000 })
  })

  it('knows how long a limit lasts, and that it is over when something else begins', () => {
    const waiting: Fact = { type: 'waiting', taskId: task, until: 5_000, reason: 'x', agent: 'claude' }
    const limited = { ...working, doing: 'waiting for claude', since: 1000, until: 5_000 }
    expect(after(started, waiting).working.get(task)).toEqual(limited)
    expect(after(started, waiting, started).working.get(task)).toEqual({ ...working, since: 2000 })
  })

  it('counts a verified report as settled, and shows a refused one as nobody’s', () => {
    const report = { taskId: task, commit: commit('c1') }
    expect(after({ type: 'reportVerified', ...report, checks: 'unit green' })).toMatchObject({
      settled: 1,
      working: new Map(),
    })
    expect(after({ type: 'reportRefused', ...report, reason: 'unit is red' })).toMatchObject({
      settled: 0,
      working: new Map(),
    })
  })

  it('knows who works in whose place, until the first is back', () => {
    const roles = { role: 'implementer', agent: 'claude' }
    const replaced: Fact = { type: 'agentReplaced', ...roles, by: 'codex', until: 5_000, reason: 'x' }
    const later: Fact = { ...replaced, by: 'command', until: 9_000 }
    const of = (...facts: readonly Fact[]) => [...after(started, ...facts).replaced.values()]
    expect(of(replaced)).toEqual([{ agent: 'claude', by: 'codex', until: 5_000 }])
    expect(of(replaced, later)).toEqual([{ agent: 'claude', by: 'command', until: 9_000 }])
    expect(of(replaced, { type: 'agentReturned', ...roles })).toEqual([])
    expect(after(started, replaced).working.get(task)).toEqual(working)
  })

  it.each<[string, Fact, Partial<LiveState>]>([
    ['done', { type: 'taskComplete', taskId: task, taskName: '', commitHash: commit('c1') }, { settled: 1 }],
    ['skipped', CAUSES.taskSkipped, { settled: 1 }],
    ['waiting for a human', CAUSES.humanNeeded, { waiting: new Set([task]) }],
    ['split', { type: 'siaDecomposed', originalTaskId: task, newTaskCount: 2 }, {}],
    ['interrupted', CAUSES.interrupted, {}],
  ])('a task that is %s is no longer worked on', (_, fact, rest) => {
    expect(after(started, fact)).toEqual({ ...none, ...rest })
  })

  it('a human takes a task back out of waiting, and a revert out of what is settled', () => {
    expect(after(started, CAUSES.humanNeeded, CAUSES.taskRetried)).toEqual({ ...none, seq: 3 })
    const done: Fact = { type: 'taskComplete', taskId: task, taskName: '', commitHash: commit('c1') }
    expect(after(started, done, CAUSES.taskReverted)).toEqual({ ...none, seq: 3 })
  })

  it('knows that the build is being planned, and how that ends', () => {
    const planning: Fact = { type: 'planning', attempt: 1 }
    const limited: Fact = { type: 'planningLimited', until: 5, reason: 'x', agent: 'claude' }
    expect(after(planning).planning).toEqual({ doing: 'planner at work', since: 0, until: null })
    expect(after(planning, limited).planning).toEqual({ doing: 'waiting for claude', since: 1000, until: 5 })
    const ends: Fact[] = [
      { type: 'planned', taskCount: 0, tasks: [], notes: '' },
      { type: 'planningFailed', attempt: 1, error: 'x' },
      { type: 'planningInterrupted', reason: 'x' },
    ]
    expect(ends.map((end) => after(planning, end).planning)).toEqual([null, null, null])
    expect(after(planning, { type: 'buildPaused', by: 'ada' }).planning).not.toBeNull()
  })

  it('forgets what nobody works on any more', () => {
    const state = after({ type: 'planning', attempt: 1 }, started)
    const attempt = 1
    expect(onlyHeld(state, { held: new Set([task]), planning: { attempt, isHeld: true } })).toEqual(state)
    const nobody = { ...state, working: new Map(), planning: null }
    expect(onlyHeld(state, { held: new Set(), planning: { attempt, isHeld: false } })).toEqual(nobody)
    expect(onlyHeld(state, { held: new Set(), planning: null })).toEqual(nobody)
  })

  it('is not moved by what is said of the build as a whole', () => {
    expect(after(started, { type: 'buildPaused', by: 'ada' })).toEqual({ ...after(started), seq: 2 })
  })
})
