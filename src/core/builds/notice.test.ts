import { describe, expect, it } from 'vitest'
import { CAUSES } from '../../../test/arbitraries/sample-facts.ts'
import type { Fact } from '../fact/fact.ts'
import type { BuildId } from '../values/id.ts'
import { LONG_WAIT_MS, type Memory, type Notice, NOTHING_TOLD, noticeOf } from './notice.ts'

const BUILD = 'b_1' as BuildId
const NOON = Date.UTC(2026, 5, 15, 12, 0, 0)

/** The notices of facts that come a second apart. */
function told(...facts: readonly Fact[]): Notice[] {
  let memory: Memory = NOTHING_TOLD
  return facts.flatMap((fact, at) => {
    const [next, notice] = noticeOf(memory, BUILD, { seq: at + 1, at: NOON + at * 1000, fact })
    memory = next
    return notice === null ? [] : [notice]
  })
}

const { taskId } = CAUSES.humanNeeded
const wait = (ms: number, agent = 'claude'): Fact => ({
  type: 'waiting',
  taskId,
  until: NOON + ms,
  reason: 'too much',
  agent,
})
const started: Fact = { type: 'iterationStarted', taskId, attempt: 1, iteration: 1 }
const spent: Fact = { type: 'budgetExhausted', sentence: 'All is spent.', goOn: 'ralph build --budget 2' }
const about = { id: 'b_1/1', build: BUILD, at: NOON, seq: 1 }

describe('what is told', () => {
  it.each<[Fact, Pick<Notice, 'task' | 'sentence' | 'answer'>]>([
    [
      CAUSES.humanNeeded,
      {
        task: taskId,
        sentence: 'Task login (Add login) waits for you: red',
        answer: [
          'ralph open login',
          "ralph resolve login -m 'what you did'",
          "ralph answer login -m 'what to know'",
          'ralph retry login',
          'ralph skip login',
        ],
      },
    ],
    [
      { type: 'buildComplete' },
      {
        task: null,
        sentence: 'Build b_1 is complete; its work is on the branch ralph/b_1.',
        answer: ['ralph report', 'ralph ship'],
      },
    ],
    [
      { type: 'buildFailed', error: 'no login' },
      { task: null, sentence: 'Build b_1 failed: no login', answer: ['ralph status', 'ralph build'] },
    ],
    [spent, { task: null, sentence: 'All is spent.', answer: ['ralph build --budget 2'] }],
    [
      wait(LONG_WAIT_MS),
      {
        task: taskId,
        sentence: 'The build waits for claude until 2026-06-15 12:10:00 UTC: too much',
        answer: ['ralph status', 'ralph pause', 'ralph build --agent NAME', 'ralph build --no-wait'],
      },
    ],
  ])('%j', (fact, notice) => {
    expect(told(fact)).toEqual([{ ...about, type: fact.type, ...notice }])
  })

  it('is bounded', () => {
    const [notice] = told({ type: 'buildFailed', error: '😀'.repeat(2_000) })
    expect(notice?.sentence.length).toBeLessThanOrEqual(1_501)
    expect(notice?.sentence).toMatch(/😀…$/u)
  })
})

describe('what is not told', () => {
  it('what goes on by itself', () => {
    const quiet = Object.values(CAUSES).filter(({ type }) => type !== 'humanNeeded')
    expect(told(started, wait(LONG_WAIT_MS - 1), ...quiet)).toEqual([])
  })

  it('the same wait of several loops, or of one that was killed; another one is', () => {
    const seqs = (...facts: readonly Fact[]) => told(...facts).map(({ seq }) => seq)
    expect(seqs(wait(3_600_000), wait(3_605_000), wait(3_600_000))).toEqual([1])
    expect(seqs(wait(3_600_000), wait(3_600_000, 'codex'), wait(20_000_000))).toEqual([1, 2, 3])
    const planning: Fact = { type: 'planningLimited', until: NOON + 3_600_000, reason: 'too much', agent: 'claude' }
    expect(told(planning, wait(3_600_000))).toMatchObject([{ type: 'waiting', task: null, seq: 1 }])
  })

  it('the same budget twice, by loops that ended one after the other', () => {
    expect(told(spent, spent, started, spent).map(({ seq }) => seq)).toEqual([1, 4])
  })
})
