// The arrows of the diagram in attempt.ts that help, a human or a limit takes, each once.
import { describe, expect, it } from 'vitest'
import { attemptAt, CAUSES, evidence, fresh, PHASES, tree } from '../../../test/arbitraries/sample-facts.ts'
import { apply, type Attempt, type Phase } from './attempt.ts'
import type { Cause } from '../fact/fact.ts'

type Arrow = readonly [name: string, from: Attempt, fact: Cause, changed: Partial<Attempt>]

const { verified, mergeRefused, intervened } = CAUSES
const red = { ...verified, verdict: { is: 'red', error: 'red' } } as const
const trace = { tree: tree('t2'), error: null }
const ada = { by: 'ada', text: 'I fixed it' }
const byEvidence = { by: 'evidence', evidence: evidence('e1') } as const
const byAda = { by: 'person', person: 'ada' } as const
const startOver = { phase: PHASES.working, number: 4, iteration: 0, failures: 0, recent: [], feedback: [] }

const needsHelp = attemptAt(PHASES.intervening, { failures: 3, number: 3, feedback: ['red'], recent: [trace] })
const settledAs = (as: Extract<Phase, { at: 'settled' }>['as']): Phase => ({ at: 'settled', as })
const part = { id: fresh().task, text: { title: 'A part' }, deps: [] }
const waiting = attemptAt(PHASES.waiting, {
  failures: 3,
  number: 3,
  interventions: 1,
  feedback: ['red'],
  recent: [trace],
})
const resolving = { tree: tree('t9'), resolution: ada }

const arrows: readonly Arrow[] = [
  [
    'fixed: works on the rewritten task',
    needsHelp,
    intervened,
    { ...startOver, feedback: ['red'], interventions: 1, techniques: ['fresh_start'], taskName: 'Add a login page' },
  ],
  [
    'decomposed: settled as its parts',
    needsHelp,
    { ...intervened, intervention: { type: 'decomposed', technique: 'decomposition', subtasks: [part] } },
    { phase: settledAs({ is: 'split', subtasks: [part] }), interventions: 1, techniques: ['decomposition'] },
  ],
  [
    'escalate: a human',
    needsHelp,
    { ...intervened, intervention: { type: 'escalate', reason: 'needs a key' } },
    { phase: { at: 'escalating', reason: 'needs a key' }, interventions: 1 },
  ],
  ['asked: waits', attemptAt(PHASES.escalating), CAUSES.humanNeeded, { phase: PHASES.waiting }],
  ['retry', waiting, CAUSES.taskRetried, startOver],
  ['answer', waiting, CAUSES.taskAnswered, { ...startOver, answers: ['use OAuth'] }],
  ['skip', waiting, CAUSES.taskSkipped, { phase: settledAs({ is: 'skipped', by: 'ada' }) }],
  ['resolve', waiting, CAUSES.taskResolved, { tree: tree('t9'), phase: { at: 'verifying', ...resolving } }],
  [
    'resolve --unverified: a named person answers for it',
    waiting,
    { ...CAUSES.taskResolved, accepted: 'unverified' },
    { tree: tree('t9'), phase: { at: 'merging', ...resolving, proof: byAda } },
  ],
  [
    'a green resolution needs no review',
    attemptAt({ at: 'verifying', ...resolving }),
    { ...verified, tree: tree('t9') },
    { phase: { at: 'merging', ...resolving, proof: byEvidence } },
  ],
  [
    'a red resolution asks again',
    attemptAt({ at: 'verifying', ...resolving }),
    { ...red, tree: tree('t9') },
    { phase: { at: 'escalating', reason: 'red' }, lastError: 'red' },
  ],
  [
    'a resolution that the branch refuses asks again',
    attemptAt({ at: 'merging', ...resolving, proof: byAda }),
    { ...mergeRefused, tree: tree('t5') },
    { phase: { at: 'escalating', reason: 'conflict in a.ts' }, tree: tree('t5'), lastError: 'conflict in a.ts' },
  ],
  [
    'revert: open again on the branch, its numbers go on',
    attemptAt(PHASES.settled, { number: 3, failures: 1, recent: [trace] }),
    CAUSES.taskReverted,
    { ...startOver, tree: null, feedback: ['the merged patch c1 was reverted'] },
  ],
  [
    'a limit stands in front of the phase',
    attemptAt(PHASES.working),
    CAUSES.limited,
    { phase: PHASES.limited, waits: 1 },
  ],
  [
    'a limit met while one is waited out replaces it',
    attemptAt(PHASES.limited),
    { ...CAUSES.limited, until: 90_000 },
    { phase: { ...PHASES.limited, until: 90_000 }, waits: 1 },
  ],
  [
    'a limit in the middle of a session: the next one starts on what it had made',
    attemptAt(PHASES.working, { waits: 2 }),
    { ...CAUSES.limited, tree: tree('t7') },
    { phase: PHASES.limited, waits: 3, tree: tree('t7') },
  ],
  ['waited out: back to the phase', attemptAt(PHASES.limited, { waits: 2 }), CAUSES.waited, { phase: PHASES.working }],
  ['interrupted: the same again', attemptAt(PHASES.working, { waits: 2 }), CAUSES.interrupted, { waits: 0 }],
  [
    'interrupted in the middle of a session: the next one starts on what it had made',
    attemptAt(PHASES.working),
    { ...CAUSES.interrupted, tree: tree('t7') },
    { tree: tree('t7') },
  ],
]

describe('apply', () => {
  it.each(arrows)('%s', (_, from, fact, changed) => {
    expect(apply(from, fact)).toEqual({ ...from, ...changed })
  })
})
