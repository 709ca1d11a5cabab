// When work counts as stuck: the same tree or the same error three times in a row, whatever the agent says.
import { describe, expect, it } from 'vitest'
import { CAUSES, fresh, tree } from '../../../test/arbitraries/sample-facts.ts'
import { apply, type Attempt, type Phase } from './attempt.ts'
import type { Cause } from '../fact/fact.ts'
import type { Signal } from '../session/signal.ts'

const sameTree: Phase = { at: 'intervening', reason: 'the same tree 3 times in a row' }
const sameError: Phase = { at: 'intervening', reason: '3 times in a row: E' }
const unchanged = (words: string): Phase => ({
  at: 'intervening',
  reason: `3 sessions in a row changed nothing; what went wrong last: ${words}`,
})
const CIRCLE = 'the work goes in circles: the same 2 trees in turn, 3 times'
const working: Phase = { at: 'working' }

/**
 * A sequence of iterations such as `a b!E b+`: the tree, `!` and the error, `+` if it claims completion, `-` without a
 * signal.
 */
function after(iterations: string, verdict = 'red', from = fresh()): Attempt {
  return iterations.split(' ').reduce((attempt, word) => verifiedRed(iterated(attempt, word), verdict), from)
}

function iterated(attempt: Attempt, word: string): Attempt {
  const [name = '', error = null] = word.replace(/[+-]$/, '').split('!')
  const silent = word.endsWith('-') ? null : ({ kind: 'ITERATION_DONE' } as const)
  return ended(attempt, name, error, word.endsWith('+') ? { kind: 'TASK_COMPLETE' } : silent)
}

function ended(attempt: Attempt, name: string, error: string | null, signal: Signal | null): Attempt {
  const left = { iteration: attempt.iteration + 1, tree: tree(name), error, signal }
  return apply(attempt, { ...CAUSES.iterationDone, attempt: attempt.number, ...left })
}

function verifiedRed(attempt: Attempt, error: string): Attempt {
  if (attempt.phase.at !== 'verifying') return attempt
  const about = { attempt: attempt.number, tree: attempt.phase.tree }
  return apply(attempt, { ...CAUSES.verified, ...about, verdict: { is: 'red', error } })
}

describe('three in a row', () => {
  it.each<[name: string, iterations: string, phase: Phase]>([
    ['the same tree three times', 'a a a', sameTree],
    ['the same tree twice', 'a a', working],
    ['the same tree three times, but not in a row', 'a a b a', working],
    ['the same tree after some that moved', 'a b b b', sameTree],
    ['wasted iterations without a signal', 'a- a- a-', sameTree],
    ['the same error on three trees', 'a!E b!E c!E', sameError],
    ['the same error twice', 'a!E b!E', working],
    ['three errors, one of them another', 'a!E b!F c!E', working],
    ['the same error with a good iteration between', 'a!E b c!E d!E', working],
    ['three trees without an error', 'a b c', working],
    ['the same error on one tree', 'a!E a!E a!E', sameError],
    ['another error each time on one tree', 'a!E a!F a!G', unchanged('G')],
    ['an error and then silence on one tree', 'a a!E a', unchanged('E')],
    ['two trees in turn, three times', 'a b a b a b', { at: 'intervening', reason: CIRCLE }],
    ['two trees in turn, twice', 'a b a b', working],
    ['three trees in turn, twice', 'a b c a b c', working],
    [
      'two trees in turn with an error among them',
      'a b!E a b a b',
      { at: 'intervening', reason: `${CIRCLE}; what went wrong last: E` },
    ],
  ])('%s: %s', (_, iterations, phase) => {
    expect(after(iterations).phase).toEqual(phase)
  })

  it('counts as one failed attempt and tells the next iteration', () => {
    const { failures, number, feedback, lastError } = after('a a a')
    const told = 'the same tree 3 times in a row'
    expect({ failures, number, feedback, lastError }).toEqual({
      failures: 1,
      number: 1,
      feedback: [told],
      lastError: told,
    })
  })
})

describe('a claim of completion on an unchanged tree', () => {
  it('is verified before it is called stuck', () => {
    expect(iterated(after('a a'), 'a+').phase).toEqual({ at: 'verifying', tree: 'a', resolution: null })
  })

  it('goes on where it turns out green', () => {
    const green = apply(iterated(after('a a'), 'a+'), { ...CAUSES.verified, tree: tree('a') })
    expect(green.phase).toEqual({ at: 'reviewing', tree: 'a', evidence: 'e1' })
  })

  it('is stuck where it turns out red', () => {
    expect(after('a a a+').phase).toEqual(unchanged('red'))
  })
})

describe('red checks', () => {
  it('with the same error on three trees are stuck before the attempts are spent', () => {
    const roomy = fresh({ attempts: 9, interventions: 3, iterations: 10 })
    expect(after('a+ b+', 'E', roomy).phase).toEqual(working)
    expect(after('a+ b+ c+', 'E', roomy).phase).toEqual(sameError)
  })

  it('count with the errors of the iterations around them', () => {
    expect(after('a!E b+ c!E', 'E').phase).toEqual(sameError)
  })

  it('with another error than the iteration’s own break the row', () => {
    expect(after('a!E b!E+ c!E', 'F').phase).toEqual(working)
  })
})

describe('a new beginning forgets the row', () => {
  const { intervened, humanNeeded, taskRetried } = CAUSES
  const escalate: Cause = { ...intervened, intervention: { type: 'escalate', reason: 'x' } }
  const stuck = ended(after('a!E a!E'), 'a', 'E', { kind: 'TASK_STUCK', reason: 'x' })

  it.each<[name: string, facts: Cause[]]>([
    ['an intervention', [intervened]],
    ['a human', [escalate, humanNeeded, taskRetried]],
  ])('%s', (_, facts) => {
    expect(after('a!E a!E', 'red', facts.reduce(apply, stuck)).phase).toEqual(working)
  })

  it('but a next attempt alone does not', () => {
    const again = after('a a+')
    expect([again.number, after('a', 'red', again).phase]).toEqual([2, unchanged('red')])
  })
})

describe('what ended each session is what the failure says', () => {
  it.each<[name: string, words: string]>([
    ['killed', 'claude was killed by signal 9 (SIGKILL; out of memory?)'],
    ['hung', 'claude said nothing for 15 min and was stopped'],
    ['out of time', 'claude was not done after 20 min and was stopped'],
    ['a prompt that is too long', 'the session became longer than the model can read (prompt is too long)'],
    ['garbage', 'claude ended without saying its result; the last it printed: <html>502 Bad Gateway</html>'],
    ['turns', 'the session reached a limit that args of [agent.claude] sets'],
  ])('%s', (_, words) => {
    const dead = [1, 2, 3].reduce((attempt) => ended(attempt, 'a', words, null), fresh())
    const reason = `3 times in a row: ${words}`
    const { phase, feedback, lastError } = dead
    expect([phase, feedback, lastError]).toEqual([{ at: 'intervening', reason }, [reason], reason])
  })

  it('also where the iterations are spent before the work is stuck', () => {
    const short = fresh({ attempts: 2, interventions: 1, iterations: 2 })
    expect(after('a!E b!F', 'red', short).feedback).toEqual([
      '2 iterations went by without completing the task; what went wrong last: F',
    ])
    expect(after('a!E b', 'red', short).feedback).toEqual(['2 iterations went by without completing the task'])
  })

  it('also where a review or the branch refused the same tree again and again', () => {
    const claim = (attempt: Attempt) => iterated(attempt, 'a+')
    const green = (attempt: Attempt) => apply(attempt, { ...CAUSES.verified, attempt: attempt.number, tree: tree('a') })
    const decision = { is: 'request_changes', requiredFixes: ['no secrets'] } as const
    const refused = (attempt: Attempt) =>
      apply(green(claim(attempt)), { ...CAUSES.reviewed, attempt: attempt.number, reasons: [], decision })
    const roomy = fresh({ attempts: 9, interventions: 3, iterations: 10 })
    expect(refused(refused(refused(roomy))).phase).toEqual(unchanged('review: no secrets'))
    const approved = (attempt: Attempt) => apply(green(claim(attempt)), { ...CAUSES.reviewed, attempt: attempt.number })
    const conflict = (attempt: Attempt) => {
      const error = 'one.js: both changed it'
      return apply(approved(attempt), { ...CAUSES.mergeRefused, attempt: attempt.number, error, tree: null })
    }
    expect(conflict(conflict(conflict(roomy))).phase).toEqual(unchanged('one.js: both changed it'))
  })
})

describe('an error that ends its attempt', () => {
  const thrown = (attempt: Attempt, error: string): Attempt => {
    const left = { iteration: attempt.iteration + 1, tree: tree('a'), error, signal: null }
    return apply(attempt, { ...CAUSES.iterationDone, attempt: attempt.number, ...left, ends: 'attempt' })
  }

  it('is one failed attempt with these very words, each time', () => {
    const once = thrown(fresh(), 'E')
    const twice = thrown(once, 'F')
    const seen = [once, twice].map(({ phase, number, failures, lastError }) => [phase.at, number, failures, lastError])
    expect(seen).toEqual([
      ['working', 2, 1, 'E'],
      ['working', 3, 2, 'F'],
    ])
    const third = thrown(twice, 'G')
    expect([third.phase.at, third.failures, third.lastError]).toEqual(['intervening', 3, 'G'])
  })
})

describe('objections', () => {
  it('that repeat themselves on one tree are stuck like any other iteration', () => {
    const decision = { is: 'request_changes', requiredFixes: ['count again'] } as const
    const rejected: Cause = { ...CAUSES.reviewed, reasons: [], decision }
    const disagreed = 'the agent says that a check is wrong (it expects 5), and the review does not agree: count again'
    const object = (attempt: Attempt) =>
      apply(ended(attempt, 'a', null, { kind: 'CHECK_WRONG', reason: 'it expects 5' }), rejected)
    const twice = object(object(fresh()))
    expect([twice.phase, object(twice).phase]).toEqual([working, unchanged(disagreed)])
  })
})
