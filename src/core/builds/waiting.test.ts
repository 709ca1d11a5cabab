import { expect, it } from 'vitest'
import { CAUSES } from '../../../test/arbitraries/sample-facts.ts'
import type { Fact } from '../fact/fact.ts'
import { taskId } from '../values/id.ts'
import { waitedIn } from './waiting.ts'

const wait = (until: number, task = 'login', agent = 'claude', reason = 'too much'): Fact => ({
  type: 'waiting',
  taskId: taskId(task),
  until,
  reason,
  agent,
})
const { waited, interrupted } = CAUSES
const at = (time: number, fact: Fact) => ({ seq: 1, at: time, fact })
const by = (times: number, ms: number, agent = 'claude', reason = 'too much') => ({ agent, times, ms, reason })

it.each([
  ['nothing', [], []],
  ['until it was over', [at(100, wait(200)), at(205, waited)], [by(1, 100)]],
  ['until it was interrupted', [at(100, wait(200)), at(150, interrupted)], [by(1, 50)]],
  ['still, up to now', [at(900, wait(2_000))], [by(1, 100)]],
  ['no longer than it had to, where its loop was killed', [at(100, wait(200))], [by(1, 100)]],
  [
    'twice',
    [at(100, wait(200)), at(200, waited), at(300, wait(310, 'login', 'claude', 'again')), at(311, waited)],
    [by(2, 110, 'claude', 'again')],
  ],
  [
    'while it was planned',
    [at(100, { type: 'planningLimited', until: 300, reason: 'too much', agent: 'claude' }), at(250, wait(320))],
    [by(1, 220)],
  ],
  ['two loops at the same time', [at(100, wait(200)), at(150, wait(300, 'docs'))], [by(1, 200)]],
  [
    'for two agents, the longest first',
    [at(100, wait(200)), at(150, wait(400, 'docs', 'codex'))],
    [by(1, 250, 'codex'), by(1, 100)],
  ],
])('waits: %s', (_, facts, expected) => {
  expect(waitedIn(facts, 1_000)).toEqual(expected)
})
