// The views of a build agree with the core.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Attempt } from '../../core/attempt/attempt.ts'
import { viewBuild } from '../../core/builds/build.ts'
import { type TaskId, taskId } from '../../core/values/id.ts'
import { outcomes, splitInto, toDone, toWaiting } from '../conformance/outcomes.conformance.ts'
import { build, BUILD, claim, drive, plant, type Rig, SCOPE } from '../conformance/rig.conformance.ts'
import { openSqliteStore } from './sqlite-store.ts'

const START = Date.UTC(2026, 0, 31, 12)
let folder: string
let rig: Rig
let raw: DatabaseSync

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ralph views '))
  const path = join(folder, 'ralph.db')
  const open = () => openSqliteStore(path, () => START)
  rig = { store: await open(), again: open, now: () => START, pass: () => {} }
  raw = new DatabaseSync(path)
})

afterAll(() => {
  raw.close()
  rig.store.close()
  rmSync(folder, { recursive: true, force: true })
})

async function byCore() {
  const made = await rig.store.builds.find(BUILD)
  if (made === null) throw new Error('no build')
  const all = await rig.store.tasks.list(SCOPE, {})
  const tasks = all.filter(({ build: of, status }) => of === BUILD && status !== 'split' && status !== 'deleted')
  const attempts = await rig.store.builds.attempts(BUILD)
  const { status, currentTaskIndex, currentTaskId, phase } = viewBuild(made, tasks, attempts)
  const interventions = [...attempts.values()].reduce((sum, one) => sum + one.interventions, 0)
  return { status, currentTaskIndex, currentTaskId, phase, interventions, attempt: numberOf(attempts, currentTaskId) }
}

function numberOf(attempts: ReadonlyMap<TaskId, Attempt>, task: TaskId | null): number {
  return (task === null ? undefined : attempts.get(task))?.number ?? 0
}

function byViews() {
  const session = raw.prepare('SELECT * FROM build_sessions WHERE id = ?').get(BUILD)
  const run = raw.prepare('SELECT * FROM build_runs WHERE id = ?').get(BUILD)
  const state = JSON.parse(String(run?.['state_json'])) as Record<string, unknown>
  return {
    status: session?.['status'],
    currentTaskIndex: session?.['current_task_index'],
    currentTaskId: state['current_task_id'],
    phase: state['phase'],
    interventions: session?.['sia_interventions'],
    attempt: session?.['current_attempt'],
  }
}

it('at every step of a build', async () => {
  const seen: unknown[] = []
  const look = async (): Promise<void> => {
    expect(byViews()).toEqual(await byCore())
    seen.push(byViews().phase, byViews().status)
  }
  await rig.store.builds.create(SCOPE, build(rig), null)
  await look()
  await plant(rig, { a: [], b: ['a'], c: [], d: ['c'], e: [] })
  for (const id of ['a', 'b', 'c', 'd', 'e'])
    await rig.store.tasks.change(SCOPE, taskId(id), (task) => ({ ...task, build: BUILD }))
  await look()
  const a = await claim(rig, 'a')
  for (const fact of toDone('a')) {
    await drive(rig, a, [fact])
    await look()
  }
  const e = await claim(rig, 'e')
  await drive(rig, e, [outcomes('e').stuck, splitInto('e', [{ id: 'e.1' }, { id: 'e.2', deps: ['e.1'] }])])
  await look()
  for (const id of ['b', 'c', 'e.1']) {
    const lease = await claim(rig, id)
    for (const fact of toWaiting(id)) {
      await drive(rig, lease, [fact])
      await look()
    }
  }
  await rig.store.builds.tell(BUILD, { type: 'taskSkipped', taskId: taskId('b'), by: 'ada' })
  await look()
  for (const [state, fact] of [
    ['paused', { type: 'buildPaused', by: 'ada' }],
    ['failed', { type: 'buildFailed', error: 'x' }],
    ['aborted', { type: 'buildAborted', by: 'ada' }],
    ['complete', { type: 'buildComplete' }],
  ] as const) {
    await rig.store.builds.move(BUILD, ['running', 'paused', 'failed', 'aborted'], state, fact)
    await look()
  }
  expect([...new Set(seen)].toSorted()).toEqual(
    [
      ...['planning', 'implementing', 'verifying', 'reviewing', 'iterating', 'error', 'aborted', 'ready'],
      ...['active', 'human_needed', 'paused', 'failed', 'complete'],
    ].toSorted(),
  )
})

it('with the columns that others know', () => {
  const session = raw.prepare('SELECT * FROM build_sessions').get()
  expect({ ...session }).toEqual({
    id: 'b1',
    idea_id: 'idea-1',
    spec_id: null,
    status: 'complete',
    current_task_index: 2,
    current_attempt: 1,
    last_error: 'x',
    sia_interventions: 4,
    started_at: '2026-01-31 12:00:00',
    last_activity_at: '2026-01-31 12:00:00',
  })
  const run = raw.prepare('SELECT * FROM build_runs').get()
  expect(Object.keys(run ?? {})).toEqual(['id', 'project_id', 'state_json', 'created_at', 'updated_at'])
  const state = JSON.parse(String(run?.['state_json'])) as Record<string, unknown>
  expect(state).toMatchObject({ build_id: 'b1', project_id: 'idea-1', brief: {}, build_plan: {}, product_doc: {} })
  expect(state['build_graph']).toMatchObject({
    tasks: [
      { id: 'a', title: 'Do a', goal: 'Do a', acceptance: [], depends_on: [], status: 'done' },
      { id: 'b', depends_on: ['a'], status: 'blocked' },
      { id: 'c', status: 'blocked' },
      { id: 'd', depends_on: ['c'], status: 'todo' },
      { id: 'e.1', status: 'blocked' },
      { id: 'e.2', depends_on: ['e.1'], status: 'todo' },
    ],
  })
  const history = state['history'] as readonly Record<string, unknown>[]
  expect(history.at(-1)).toEqual({
    ts: '2026-01-31T12:00:00.000Z',
    seq: history.length,
    type: 'buildComplete',
    task_id: null,
  })
})
