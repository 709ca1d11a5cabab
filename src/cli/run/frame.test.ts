import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { taskId } from '../../core/values/id.ts'
import { width } from '../table.ts'
import { frame, type Scene } from './frame.ts'
import { NOTHING_SEEN, type Working } from './live-state.ts'

const plain = (_: string, text: string): string => text
const login: Working = {
  name: 'Add login',
  attempt: 2,
  iteration: 3,
  doing: 'agent at work',
  since: 1_000,
  until: null,
}
const scene: Scene = {
  state: { ...NOTHING_SEEN, working: new Map([[taskId('login'), login]]), settled: 2, iterations: 7 },
  unsettled: 4,
  startedAt: 0,
  now: 42_000,
  said: new Map([[taskId('login'), ['reading src/login.ts', 'writing a test']]]),
}

describe('a frame of the live view', () => {
  it('tells how far the build is, what is worked on, and what the agent says', () => {
    expect(frame(scene, { columns: 100, rows: 24 }, plain)).toEqual([
      '━━━━━━━━──────────────── 2/6 tasks · 7 iterations · 0:42',
      'login  agent at work · attempt 2, iteration 3 · 0:41  Add login',
      '  │ reading src/login.ts',
      '  │ writing a test',
    ])
  })

  it('tells who works in whose place, once for all roles, while that lasts', () => {
    const one = { agent: 'claude', by: 'codex', until: new Date(2026, 5, 15, 3, 0).getTime() }
    const replaced = new Map([
      ['implementer claude', one],
      ['reviewer claude', one],
    ])
    const at = (now: number): string | undefined =>
      frame({ ...scene, state: { ...scene.state, replaced }, now }, { columns: 120, rows: 24 }, plain)[1]
    expect(at(one.until - 600_000)).toBe('codex works in place of claude until 03:00, 10 min left')
    expect(at(one.until)).toMatch(/^login /)
  })

  it('tells how long a limit is still waited for', () => {
    const limited = { ...login, doing: 'waiting for claude', until: new Date(2026, 5, 15, 3, 0).getTime() }
    const state = { ...scene.state, working: new Map([[taskId('login'), limited]]) }
    const now = new Date(2026, 5, 15, 0, 50, 30).getTime()
    expect(frame({ ...scene, state, now, said: new Map() }, { columns: 120, rows: 24 }, plain)[1]).toBe(
      'login  waiting for claude until 03:00, 2 h 10 min left · attempt 2, iteration 3  Add login',
    )
  })

  it('says that the build is being planned', () => {
    const planning = { ...NOTHING_SEEN, planning: { doing: 'planner at work', since: 0, until: null } }
    expect(
      frame({ ...scene, state: planning, said: new Map([[null, ['hm']]]) }, { columns: 100, rows: 24 }, plain),
    ).toEqual(['planning: planner at work · 0:42', '  │ hm'])
    const limited = { doing: 'waiting for claude', since: 0, until: 7_842_000 }
    const first = (now: number): string | undefined =>
      frame({ ...scene, now, state: { ...planning, planning: limited } }, { columns: 100, rows: 24 }, plain)[0]
    expect(first(42_000)).toMatch(/^planning: waiting for claude until \d\d:\d\d, 2 h 10 min left · 0:42$/)
    expect(first(7_842_000)).toBe('planning: planner at work · 2:10:42')
  })

  it('says how many tasks wait', () => {
    const waiting = { ...scene.state, working: new Map(), waiting: new Set([taskId('a')]) }
    expect(frame({ ...scene, state: waiting, said: new Map() }, { columns: 100, rows: 24 }, plain)).toEqual([
      '━━━━━━━━──────────────── 2/6 tasks · 1 waiting for you · 7 iterations · 0:42',
    ])
  })

  it('shows at most five lines of words', () => {
    const said = new Map([[taskId('login'), ['1', '2', '3', '4', '5', '6', '7']]])
    const lines = frame({ ...scene, said }, { columns: 80, rows: 40 }, plain)
    expect(lines.slice(2)).toEqual(['3', '4', '5', '6', '7'].map((word) => `  │ ${word}`))
  })

  it("keeps the agents' words apart where several work, and shows at most four tasks", () => {
    const working = new Map(['a', 'b', 'c', 'd', 'e', 'f'].map((id, at) => [taskId(id), { ...login, since: at }]))
    const said = new Map([...working.keys()].map((id) => [id, [`old ${id}`, `new ${id}`]]))
    const lines = frame({ ...scene, state: { ...scene.state, working }, said }, { columns: 80, rows: 40 }, plain)
    expect(lines.slice(1).map((line) => line.slice(0, 12).trim())).toEqual([
      ...['f', 'e', 'd', 'c'].flatMap((id) => [`${id}  agent at`, `│ new ${id}`]),
      'and 2 more',
    ])
  })

  it('fits any window, whatever is in it', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 200 })
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 1, max: 50 }),
        text,
        text,
        (columns, rows, a, b) => {
          const id = taskId(`x${a.replaceAll(/[\s\p{C}]/gu, '').slice(0, 100)}`)
          const working = new Map([[id, { ...login, name: b }]])
          const said = new Map([[id, [a, b]]])
          const lines = frame({ ...scene, state: { ...scene.state, working }, said }, { columns, rows }, plain)
          expect(lines.length).toBeLessThanOrEqual(Math.max(1, rows - 1))
          for (const line of lines) expect(width(line)).toBeLessThanOrEqual(Math.max(1, columns - 1))
        },
      ),
    )
  })
})
