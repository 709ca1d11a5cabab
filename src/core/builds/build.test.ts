// The status of a build and its tasks, in every vocabulary.
import { describe, expect, it } from 'vitest'
import { attemptAt, PHASES } from '../../../test/arbitraries/sample-facts.ts'
import type { Attempt, Phase } from '../attempt/attempt.ts'
import { type Build, type BuildState, type BuildView, standingOf, viewBuild } from './build.ts'
import { type BuildId, type IdeaId, type TaskId, taskId } from '../values/id.ts'
import { newTask, type Task, type TaskStatus } from '../task/task.ts'

const task = (id: string, status: TaskStatus = 'open', deps: string[] = []): Task => ({
  ...newTask(taskId(id), { title: id }, deps.map(taskId), 0),
  status,
})

const build = (state: BuildState): Build => ({
  id: 'b_1' as BuildId,
  idea: 'i_1' as IdeaId,
  spec: null,
  state,
  configHash: 'sha256:0',
  lastError: null,
  startedAt: 0,
  lastActivityAt: 0,
})

const told = attemptAt(PHASES.working, { feedback: ['red'], number: 2 })
const objected = attemptAt(PHASES.working, { feedback: ['5 is right'] })
const limited = (resumes: Phase) => attemptAt({ ...PHASES.limited, resumes })

describe('a task', () => {
  // Title, status in the store, attempt -> plan-status column, step phase, step task, card
  it.each<[ours: string, status: TaskStatus, attempt: Attempt | null, shown: string]>([
    ['open, blockers unfinished', 'open', null, 'blocked – todo pending'],
    ['open, ready', 'open', null, 'open – todo pending'],
    ['claimed, not begun', 'active', null, 'active implementing doing running'],
    ['working, no feedback', 'active', attemptAt(PHASES.working), 'active implementing doing running'],
    ['working with feedback', 'active', told, 'active iterating doing running'],
    ['working with feedback, first attempt', 'active', objected, 'active iterating doing running'],
    ['intervening', 'active', attemptAt(PHASES.intervening), 'active iterating doing running'],
    ['escalating', 'active', attemptAt(PHASES.escalating), 'active iterating doing running'],
    ['verifying', 'active', attemptAt(PHASES.verifying), 'active verifying doing running'],
    ['reviewing', 'active', attemptAt(PHASES.reviewing), 'active reviewing doing running'],
    ['objecting', 'active', attemptAt(PHASES.objecting), 'active reviewing doing running'],
    ['merging', 'active', attemptAt(PHASES.merging), 'active reviewing doing running'],
    ['limited while working', 'active', limited(PHASES.working), 'active implementing doing running'],
    ['limited while verifying', 'active', limited(PHASES.verifying), 'active verifying doing running'],
    ['waiting for a human', 'waiting', attemptAt(PHASES.waiting), 'blocked iterating blocked failed'],
    ['settled done', 'done', attemptAt(PHASES.settled), 'done – done completed'],
    ['settled skipped', 'skipped', attemptAt(PHASES.settled), 'deleted – blocked failed'],
    ['settled split', 'split', attemptAt(PHASES.settled), 'deleted – – –'],
    ['deleted', 'deleted', null, 'deleted – – –'],
  ])('%s', (ours, status, attempt, shown) => {
    const waitsFor = ours.endsWith('blockers unfinished') ? 'unfinished' : 'finished'
    const [column, phase, stepTask, card] = shown.split(' ').map((word) => (word === '–' ? null : word))
    expect(standingOf(task('a', status), attempt, waitsFor)).toEqual({ status, column, phase, stepTask, card })
  })
})

const view = (state: BuildState, tasks: Task[], attempts: [string, Attempt][] = []): BuildView =>
  viewBuild(build(state), tasks, new Map<TaskId, Attempt>(attempts.map(([id, attempt]) => [taskId(id), attempt])))

describe('a build', () => {
  const working: [string, Attempt][] = [['b', attemptAt(PHASES.reviewing)]]
  const busy = [task('a', 'done'), task('b', 'active'), task('c')]
  const stood = {
    currentTaskId: 'b',
    currentTaskIndex: 1,
    completedTasks: ['a'],
    failedTasks: [],
  }

  it.each<[name: string, seen: BuildView, shown: unknown]>([
    [
      'without a plan',
      view('running', []),
      {
        status: 'active',
        phase: 'planning',
        currentTaskId: null,
        currentTaskIndex: 0,
        completedTasks: [],
        failedTasks: [],
      },
    ],
    ['running', view('running', busy, working), { status: 'active', phase: 'reviewing', ...stood }],
    [
      'paused: its phase is unchanged',
      view('paused', busy, working),
      { status: 'paused', phase: 'reviewing', ...stood },
    ],
    ['aborted', view('aborted', busy, working), { status: 'failed', phase: 'aborted', ...stood }],
    ['broken', view('failed', busy, working), { status: 'failed', phase: 'error', ...stood }],
    [
      'between two tasks',
      view('running', [task('a', 'done'), task('b'), task('c')]),
      { status: 'active', phase: 'implementing', ...stood },
    ],
    [
      'a task that was given back in the middle',
      view('running', [task('a', 'done'), task('b'), task('c')], working),
      { status: 'active', phase: 'reviewing', ...stood },
    ],
    [
      'all settled, gate green',
      view('complete', [task('a', 'done'), task('b', 'skipped')]),
      {
        status: 'complete',
        phase: 'ready',
        currentTaskId: null,
        currentTaskIndex: 2,
        completedTasks: ['a'],
        failedTasks: ['b'],
      },
    ],
    [
      'all settled, gate not asked yet',
      view('running', [task('a', 'done')]),
      {
        status: 'active',
        phase: 'implementing',
        currentTaskId: null,
        currentTaskIndex: 1,
        completedTasks: ['a'],
        failedTasks: [],
      },
    ],
  ])('%s', (_, seen, shown) => {
    expect(seen).toEqual(shown)
  })
})

describe('a human is needed', () => {
  const waiting = task('w', 'waiting')

  it.each<[name: string, tasks: Task[], status: string]>([
    ['where the only task waits', [waiting], 'human_needed'],
    ['where all else is settled', [task('a', 'done'), waiting, task('s', 'skipped')], 'human_needed'],
    ['where all else is blocked by the one that waits', [waiting, task('b', 'open', ['w'])], 'human_needed'],
    [
      'where all else is blocked by it over others',
      [waiting, task('b', 'open', ['w']), task('c', 'open', ['b'])],
      'human_needed',
    ],
    ['not while another task is under way', [waiting, task('b', 'active')], 'active'],
    ['not while another task is ready', [waiting, task('b')], 'active'],
    ['not while one is ready behind a done one', [waiting, task('a', 'done'), task('b', 'open', ['a'])], 'active'],
    [
      'not while one is ready behind a skipped one',
      [waiting, task('a', 'skipped'), task('b', 'open', ['a'])],
      'active',
    ],
    ['not where nothing waits', [task('a', 'done')], 'active'],
  ])('%s', (_, tasks, status) => {
    expect(view('running', tasks).status).toBe(status)
  })

  it('is not said of a build that a person stopped', () => {
    expect(view('paused', [waiting]).status).toBe('paused')
    expect(view('aborted', [waiting]).status).toBe('failed')
  })
})

describe('the current task', () => {
  it.each<[name: string, tasks: Task[], id: string | null, index: number]>([
    ['the one under way, wherever it stands', [task('a'), task('w', 'waiting'), task('b', 'active')], 'b', 0],
    ['else the first that is ready', [task('b', 'open', ['w']), task('w', 'waiting'), task('a'), task('c')], 'a', 0],
    ['else the one that waits', [task('b', 'open', ['w']), task('w', 'waiting')], 'w', 0],
    ['else the first open one', [task('a', 'done'), task('s', 'skipped'), task('b'), task('c')], 'b', 2],
    ['else none', [task('a', 'done'), task('s', 'skipped')], null, 2],
  ])('is %s', (_, tasks, id, index) => {
    const { currentTaskId, currentTaskIndex } = view('running', tasks)
    expect([currentTaskId, currentTaskIndex]).toEqual([id, index])
  })
})

describe('failed tasks', () => {
  it('are those that wait and those that were skipped, in plan order', () => {
    const tasks = [task('s', 'skipped'), task('a', 'done'), task('w', 'waiting'), task('b', 'active'), task('c')]
    expect(view('running', tasks).failedTasks).toEqual(['s', 'w'])
  })
})
