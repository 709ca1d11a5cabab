import { describe, expect, it } from 'vitest'
import { attemptAt, CAUSES, evidence, PHASES, tree } from '../../../test/arbitraries/sample-facts.ts'
import { forAllWalks } from '../../../test/arbitraries/walks.ts'
import { apply, type Attempt, type Effect } from './attempt.ts'
import { announcements, intents } from './attempt-facts.ts'
import type { Announcement, Cause, Intent } from '../fact/fact.ts'

const about = { taskId: 'login', attempt: 1 }
const proof = { by: 'evidence', evidence: evidence('e1') } as const

describe('before an effect', () => {
  const attempt = attemptAt(PHASES.working, { interventions: 1 })

  it.each<[effect: Effect, told: unknown[]]>([
    [
      { do: 'iterate', attempt: 1, iteration: 1 },
      [
        { type: 'taskStarted', ...about, taskName: 'Add login' },
        { type: 'iterationStarted', ...about, iteration: 1 },
      ],
    ],
    [{ do: 'iterate', attempt: 1, iteration: 2 }, [{ type: 'iterationStarted', ...about, iteration: 2 }]],
    [{ do: 'verify', tree: tree('t1'), resolution: null }, [{ type: 'verifying', ...about, tree: 't1' }]],
    [{ do: 'review', tree: tree('t1'), evidence: evidence('e1') }, [{ type: 'reviewing', ...about }]],
    [{ do: 'judgeObjection', reason: 'it expects 5' }, [{ type: 'reviewing', ...about }]],
    [{ do: 'merge', tree: tree('t1'), proof, resolution: null }, [{ type: 'merging', ...about, tree: 't1' }]],
    [
      { do: 'intervene', reason: 'red', untried: [] },
      [{ type: 'siaTriggered', taskId: 'login', interventionNumber: 2 }],
    ],
    [
      { do: 'wait', until: 60_000, reason: 'rate limit', agent: 'claude' },
      [{ type: 'waiting', taskId: 'login', until: 60_000, reason: 'rate limit', agent: 'claude' }],
    ],
    [{ do: 'askHuman', reason: 'red' }, []],
  ])('$0.do', (effect, told) => {
    expect<Intent[]>(intents(attempt, effect)).toEqual(told)
  })
})

describe('after an outcome', () => {
  const part = { id: CAUSES.taskSkipped.taskId, text: { title: 'A part' }, deps: [] }
  const splits = { type: 'decomposed', technique: 'decomposition', subtasks: [part, part] } as const
  const red = { ...CAUSES.verified, verdict: { is: 'red', error: 'red' } } as const
  const failedOnce = { type: 'taskFailed', ...about, taskName: 'Add login', error: 'red' }

  it.each<[name: string, before: Attempt, fact: Cause, told: unknown[]]>([
    [
      'merged',
      attemptAt(PHASES.merging),
      CAUSES.merged,
      [{ type: 'taskComplete', taskId: 'login', taskName: 'Add login', commitHash: 'c1' }],
    ],
    ['red', attemptAt(PHASES.verifying), red, [failedOnce]],
    [
      'red for the last time: the attempt that failed, not the one that follows',
      attemptAt(PHASES.verifying, { failures: 2, number: 3 }),
      { ...red, attempt: 3 },
      [{ ...failedOnce, attempt: 3 }],
    ],
    [
      'stuck',
      attemptAt(PHASES.working),
      { ...CAUSES.iterationDone, signal: { kind: 'TASK_STUCK', reason: 'no key' } },
      [{ ...failedOnce, error: 'no key' }],
    ],
    ['green', attemptAt(PHASES.verifying), CAUSES.verified, []],
    ['fixed', attemptAt(PHASES.intervening), CAUSES.intervened, [{ type: 'siaSuccess', taskId: 'login' }]],
    [
      'decomposed',
      attemptAt(PHASES.intervening),
      { ...CAUSES.intervened, intervention: splits },
      [{ type: 'siaDecomposed', originalTaskId: 'login', newTaskCount: 2 }],
    ],
    [
      'escalate',
      attemptAt(PHASES.intervening),
      { ...CAUSES.intervened, intervention: { type: 'escalate', reason: 'no key' } },
      [],
    ],
    ['skipped', attemptAt(PHASES.waiting), CAUSES.taskSkipped, []],
  ])('%s', (_, before, fact, told) => {
    expect<Announcement[]>(announcements(before, fact, apply(before, fact))).toEqual(told)
  })

  it('is told exactly when it happened, on every way through the machine', () => {
    forAllWalks((steps) => {
      for (const { before, fact, after } of steps) {
        const told = announcements(before, fact, after).map(({ type }) => type)
        const help = fact.type === 'intervened' ? fact.intervention.type : null
        expect(told).toEqual([
          ...(fact.type === 'merged' ? ['taskComplete'] : []),
          ...(after.failures > before.failures ? ['taskFailed'] : []),
          ...(help === 'fixed' ? ['siaSuccess'] : []),
          ...(help === 'decomposed' ? ['siaDecomposed'] : []),
        ])
      }
    })
  })
})
