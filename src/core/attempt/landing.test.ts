import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { attemptAt, commit, fresh, PHASES, tree } from '../../../test/arbitraries/sample-facts.ts'
import type { Phase } from './attempt.ts'
import type { CommitId, TaskId } from '../values/id.ts'
import { headOn, landingsOf, lineTo, recordedLandings, rejection, warningText, type LandingRecord } from './landing.ts'
import type { TaskStatus } from '../task/task.ts'

const login = fresh().task
const landing = (id: string, onto: string | null, more: Partial<LandingRecord> = {}): LandingRecord => ({
  kind: 'landing',
  commit: commit(id),
  onto: onto === null ? null : commit(onto),
  tree: tree(`tree of ${id}`),
  task: login,
  mark: null,
  proof: null,
  note: null,
  ...more,
})
// c1 and x were both intended for the start, and c1 was first; r is a revert.
const known = landingsOf([
  landing('start', null),
  landing('x', 'start'),
  landing('c1', 'start'),
  landing('c2', 'c1'),
  landing('r', 'c2', { landed: true }),
  landing('c3', 'r'),
])
const ids = (...names: string[]): CommitId[] => names.map(commit)

describe('the line of landings', () => {
  it.each<[string, string[] | null]>([
    ['c3', ['c3', 'r', 'c2', 'c1', 'start']],
    ['x', ['x', 'start']],
    ['start', ['start']],
    ['forged', null],
  ])('up to %s', (name, line) => {
    expect(lineTo(known, commit(name))?.map((one) => one.commit) ?? null).toEqual(line)
  })

  it('ends where one of them is not known, or two stand on each other', () => {
    const broken = landingsOf([landing('a', 'forged'), landing('b', 'c'), landing('c', 'b')])
    expect(['a', 'b', 'c'].map((name) => lineTo(broken, commit(name)))).toEqual([null, null, null])
  })
})

describe('where a branch belongs', () => {
  it.each<[string, string[], string[], string]>([
    ['on its own landings: where it is', ['c1'], ['c2'], 'c2'],
    ['with all that was recorded: where it is', ['c1', 'c2'], ['c3'], 'c3'],
    ['a commit of nobody on top: without it', ['c1'], ['forged', 'c1'], 'c1'],
    ['several of them: without any', ['c1'], ['forged2', 'forged1', 'c1', 'start'], 'c1'],
    ['on top of what is intended and not yet recorded: there', [], ['forged', 'c2', 'c1'], 'c2'],
    ['moved back: forward to what was recorded', ['c1', 'c3'], ['c1'], 'c3'],
    ['moved back to a foreign one: forward as well', ['c1', 'c2'], ['forged', 'start'], 'c2'],
    ['another history altogether: what was recorded', ['c1'], ['forged', 'other'], 'c1'],
    ['the same, and nothing was recorded: the start', [], ['forged'], 'start'],
    ['what was recorded elsewhere is no way forward', ['x'], ['c2'], 'c2'],
  ])('%s', (_, recorded, found, belongs) => {
    expect(headOn(known, ids(...recorded), ids(...found))).toBe(commit(belongs))
  })

  it('is never at what nobody intended, and never before what was recorded of the same line', () => {
    const names = ['start', 'x', 'c1', 'c2', 'r', 'c3', 'forged', 'forged2']
    const some = fc.uniqueArray(fc.constantFrom(...names))
    fc.assert(
      fc.property(some, some, (recorded, found) => {
        const at = headOn(known, ids(...recorded), ids(...found)) ?? expect.fail()
        const line = lineTo(known, at)?.map((one) => one.commit) ?? expect.fail()
        const own = ids(...found).find((one) => lineTo(known, one) !== null) ?? commit('start')
        expect(line).toContain(own)
        const ahead = ids(...recorded).filter((one) => lineTo(known, one)?.some((on) => on.commit === at) === true)
        expect(ahead.filter((one) => one !== at)).toEqual([])
      }),
    )
  })
})

it('what settles an attempt is recorded with it; what settles none says so itself', () => {
  const attempts = new Map([[login, attemptAt(PHASES.settled)]])
  expect(recordedLandings(known, attempts)).toEqual(ids('c1', 'r'))
})

describe('the row of a task', () => {
  const { settled, working, waiting } = PHASES
  const skipped: Phase = { at: 'settled', as: { is: 'skipped', by: 'ada' } }
  const split: Phase = { at: 'settled', as: { is: 'split', subtasks: [] } }
  const lost = { lost: commit('c1') }

  it.each<[TaskStatus, string, Phase | null, boolean]>([
    ['done', 'merged, and on the branch', settled, true],
    ['done', 'never begun', null, false],
    ['done', 'worked on', working, false],
    ['done', 'waited for', waiting, false],
    ['done', 'skipped', skipped, false],
    ['skipped', 'skipped', skipped, true],
    ['skipped', 'never begun', null, false],
    ['skipped', 'merged', settled, false],
    ['split', 'split', split, true],
    ['split', 'worked on', working, false],
  ])('%s, and it was %s', (status, _, phase, isTrue) => {
    const attempt = phase === null ? undefined : attemptAt(phase)
    const said = rejection({ id: login, status }, attempt, known)
    const begun = phase === null ? {} : { attempt: 1 }
    expect(said).toEqual(isTrue ? null : { type: 'statusRejected', taskId: login, status, ...begun })
  })

  it.each([
    ['not on the branch', landingsOf([landing('start', null)])],
    ['another task’s', landingsOf([landing('c1', null, { task: 'other' as TaskId })])],
  ])('done, and what it was merged as is %s', (_, onBranch) => {
    const fact = rejection({ id: login, status: 'done' }, attemptAt(settled), onBranch)
    expect(fact).toEqual({ type: 'statusRejected', taskId: login, status: 'done', attempt: 1, ...lost })
    expect(fact === null ? '' : warningText(fact)).toBe(
      "task 'login' was merged as c1, which is not on the build branch any more; the build does it again",
    )
  })
})
