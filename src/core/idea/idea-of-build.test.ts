import { describe, expect, it } from 'vitest'
import type { Build, BuildState } from '../builds/build.ts'
import type { Fact } from '../fact/fact.ts'
import type { BuildId, CommitId, IdeaId, TaskId } from '../values/id.ts'
import { type Idea, ideaMoved, newIdea } from './idea.ts'
import { followMoves, ideaOfBuild } from './idea-of-build.ts'
import { legalMoves, type PipelinePhase } from './pipeline.ts'

const PROJECT = { repository: '.', base: 'main' }
const build: Build = {
  id: 'b_1' as BuildId,
  idea: 'i_1' as IdeaId,
  spec: null,
  state: 'running',
  configHash: '',
  lastError: null,
  startedAt: 0,
  lastActivityAt: 0,
}
const idea = (phase: PipelinePhase, resumes: PipelinePhase | null = null): Idea => ({
  ...newIdea(build.idea, { title: 'A', text: 'A' }, { project: PROJECT, advance: 'manual' }, 0),
  phase,
  resumes,
})
const task = 'a' as TaskId
const commit = 'c0ffee0123456789' as CommitId

const human: Fact = { type: 'humanNeeded', taskId: task, taskName: 'A', reason: 'which?\nreally' }
const answered: Fact = { type: 'taskAnswered', taskId: task, by: 'ada', text: 'this' }
const complete: Fact = { type: 'buildComplete' }
const shipped = (how: 'base' | 'pullRequest'): Fact => ({
  type: 'shipped',
  by: 'ada',
  base: 'main',
  commit,
  how,
  allowed: [],
})
const deployed = (exit: number | null): Fact => ({ type: 'deployed', commit, exit, by: null })

describe('an idea goes along with its build', () => {
  it.each<[name: string, from: Idea, state: BuildState, waiting: number, fact: Fact, moves: string[]]>([
    ['a question pauses it', idea('building'), 'running', 1, human, ['paused ralph']],
    ['a second one changes nothing', idea('paused', 'building'), 'running', 2, human, []],
    ['an answer where another is open', idea('paused', 'building'), 'running', 1, answered, []],
    ['the last answer', idea('paused', 'building'), 'running', 0, answered, ['building ada']],
    ['complete', idea('building'), 'complete', 0, complete, ['build_review ralph']],
    [
      'complete by the answer itself',
      idea('paused', 'building'),
      'complete',
      0,
      complete,
      ['building ralph', 'build_review ralph'],
    ],
    ['paused', idea('building'), 'paused', 0, { type: 'buildPaused', by: 'ada' }, ['paused ada']],
    ['resumed', idea('paused', 'building'), 'running', 0, { type: 'buildResumed', by: 'ada' }, ['building ada']],
    ['aborted', idea('paused', 'building'), 'aborted', 0, { type: 'buildAborted', by: 'ada' }, ['failed ada']],
    ['failed', idea('building'), 'failed', 0, { type: 'buildFailed', error: 'disk' }, ['failed ralph']],
    ['going on', idea('failed', 'building'), 'running', 0, { type: 'buildResumed', by: 'ada' }, ['building ada']],
    ['going on to a question', idea('failed', 'building'), 'running', 1, human, ['building ralph', 'paused ralph']],
    ['reopened', idea('build_review'), 'running', 0, answered, ['building ada']],
    ['reopened and stuck', idea('build_review'), 'running', 1, human, ['building ralph', 'paused ralph']],
    ['moved elsewhere by a person', idea('specification'), 'complete', 0, complete, []],
    ['paused elsewhere by a person', idea('paused', 'spec_ready'), 'running', 0, answered, []],
    ['shipped', idea('build_review'), 'complete', 0, shipped('base'), ['deployed ada']],
    ['offered', idea('build_review'), 'complete', 0, shipped('pullRequest'), []],
    ['shipped again', idea('deployed'), 'complete', 0, shipped('base'), []],
    ['deploying', idea('deployed'), 'complete', 0, { type: 'deploying', command: 'x', commit }, []],
    ['a deploy that succeeds', idea('deployed'), 'complete', 0, deployed(0), []],
    ['a deploy that fails', idea('deployed'), 'complete', 0, deployed(3), ['build_review ralph']],
    ['a deploy that succeeds after all', idea('build_review'), 'complete', 0, deployed(0), ['deployed ralph']],
  ])('%s', (_, from, state, waiting, fact, moves) => {
    const made = followMoves(from, { state }, waiting, fact)
    expect(made.map(({ to, by }) => `${to} ${by}`)).toEqual(moves)
    let at = from
    for (const move of made) {
      expect(legalMoves(at)).toContain(move.to)
      at = ideaMoved(at, move, 0).idea
    }
  })

  it('and says why in one line', () => {
    const [move] = followMoves(idea('building'), { state: 'running' }, 1, human)
    expect(move?.reason).toBe("task 'a' waits for a human: which?")
    const [back] = followMoves(idea('paused', 'building'), { state: 'running' }, 0, answered)
    expect(back?.reason).toBe("task 'a' was answered")
  })
})

describe('the idea of a build that was started without one', () => {
  it.each([
    [null, null, 'Build b_1 over the open tasks', null],
    [{ from: 'goal', text: 'Add two\nand three' }, 'goal:x', 'Add two', 'Add two\nand three'],
    [{ from: 'list', path: 'prd.json' }, 'prd.json', 'Build b_1 over prd.json', ''],
  ] as const)('%j', (seed, spec, title, text) => {
    const made = ideaOfBuild({ ...build, spec }, seed, PROJECT, 7)
    expect(made).toMatchObject({ id: 'i_1', title, phase: 'building', project: PROJECT, createdAt: 7 })
    expect(made.spec).toEqual(spec === null ? null : { id: spec, text, graph: null })
  })
})
