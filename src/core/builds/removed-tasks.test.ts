import { describe, expect, it } from 'vitest'
import type { BuildId, TaskId } from '../values/id.ts'
import { removedTasks, removedText } from './removed-tasks.ts'
import { markDeleted, newTask, type Task } from '../task/task.ts'

const build = 'b_1' as BuildId

function task(id: string, own: BuildId | null = build): Task {
  return { ...newTask(id as TaskId, { title: `Do ${id}` }, [], 0), build: own }
}

function session(startedAt: number, durationMs: number, state: 'open' | 'settled' | 'lost' = 'settled') {
  return { task: 'b' as TaskId, startedAt, durationMs, state }
}

describe('tasks that were removed', () => {
  it('are those of the build that are deleted, in the order in which they went', () => {
    const tasks = [
      markDeleted(task('late'), 90),
      task('kept'),
      markDeleted(task('early'), 50),
      markDeleted(task('elsewhere', 'b_2' as BuildId), 60),
      markDeleted(task('nobodys', null), 60),
    ]
    const removed = removedTasks(tasks, build, [])
    expect(removed).toEqual([
      { id: 'early', title: 'Do early', at: 50, during: 'pause' },
      { id: 'late', title: 'Do late', at: 90, during: 'pause' },
    ])
    expect(removedText(removed)).toBe("'early' Do early, 'late' Do late")
  })

  it.each([
    ['before any session', [session(60_000, 1_000)], 'pause'],
    ['during one', [session(40_000, 20_000)], 'session'],
    ['long after one', [session(10_000, 10_000)], 'pause'],
    ['right after one', [session(10_000, 39_900)], 'session'],
    ['while one is open', [session(10_000, 0, 'open')], 'session'],
    ['after one whose end nobody knows', [session(10_000, 0, 'lost')], 'session'],
    ['after one that was lost and begun again', [session(10_000, 0, 'lost'), session(20_000, 5_000)], 'pause'],
  ] as const)('%s', (_, sessions, during) => {
    expect(removedTasks([markDeleted(task('a'), 50_000)], build, sessions)).toMatchObject([{ during }])
  })
})
