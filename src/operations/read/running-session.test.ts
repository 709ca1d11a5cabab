import { expect, it } from 'vitest'
import type { Attempt, Phase } from '../../core/attempt/attempt.ts'
import type { EvidenceRecord } from '../../core/builds/attachment.ts'
import { type ReviewGrounds, type RunningSession, sessionNow } from './running-session.ts'

const evidence = ['clean', 'found'].map(
  (id) => ({ kind: 'evidence', id, evidence: { findings: id === 'found' ? [{}] : [] } }) as unknown as EvidenceRecord,
)
const reviewing = (id: string): object => ({ at: 'reviewing', tree: 't', evidence: id })
const reviewer = { attempt: 2, iteration: 3, role: 'reviewer' } as const

it.for<[phase: object, when: ReviewGrounds['when'], now: RunningSession | null]>([
  [{ at: 'working' }, 'findings', { attempt: 2, iteration: 4, role: 'implementer' }],
  [{ at: 'verifying', tree: 't', resolution: null }, 'always', null],
  [reviewing('clean'), 'always', reviewer],
  [reviewing('clean'), 'findings', null],
  [reviewing('found'), 'findings', reviewer],
  [reviewing('found'), 'never', null],
  [{ at: 'objecting', reason: 'the check is wrong' }, 'findings', reviewer],
  [{ at: 'objecting', reason: 'the check is wrong' }, 'never', null],
  [{ at: 'intervening', reason: 'stuck' }, 'findings', { attempt: 2, iteration: 3, role: 'sia' }],
  [{ at: 'waiting', reason: 'which?' }, 'always', null],
])('%j, review %s', ([phase, when, now]) => {
  const attempt = { number: 2, iteration: 3, phase: phase as Phase } as Attempt
  expect(sessionNow(attempt, { when, evidence })).toEqual(now)
})
