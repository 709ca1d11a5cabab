import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { BuildId, IdeaId } from '../../../core/values/id.ts'
import { taskId } from '../../../core/values/id.ts'
import { newTask } from '../../../core/task/task.ts'
import type { Store } from '../../store.ts'
import { APPLICATION_ID } from './database-file.ts'
import { migrations } from './migrations.ts'
import { SCHEMA_VERSION } from './schema.ts'
import { openSqliteStore } from '../sqlite-store.ts'

const SCOPE = { repo: 'r', branch: 'b' }
const BUILD = 'b1' as BuildId
let folder: string
let path: string
let store: Store
let raw: DatabaseSync

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ralph schema '))
  path = join(folder, 'ralph.db')
  store = await openSqliteStore(path, () => 0)
  await store.tasks.create(SCOPE, newTask(taskId('a'), { title: 'A' }, [], 0))
  const idea = { idea: 'i1' as IdeaId, spec: null, configHash: '', lastError: null, startedAt: 0, lastActivityAt: 0 }
  await store.builds.create(SCOPE, { id: BUILD, state: 'running', ...idea }, [taskId('a')])
  await store.builds.move(BUILD, ['running'], 'paused', { type: 'buildPaused', by: 'ada' })
  raw = new DatabaseSync(path)
})

afterEach(() => {
  raw.close()
  store.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('a newer program', () => {
  const newer = SCHEMA_VERSION + 1
  const refusal = () => ({
    code: 'STORE_NEWER',
    message: `${path} was written by a newer Ralph (schema ${newer}, this one knows ${SCHEMA_VERSION}); upgrade Ralph`,
  })

  it('made the database: this one does not open it', async () => {
    raw.exec(`PRAGMA user_version = ${newer}`)
    await expect(openSqliteStore(path, () => 0)).rejects.toMatchObject(refusal())
    expect(raw.prepare('PRAGMA user_version').get()).toEqual({ user_version: newer })
  })

  it('takes the database over: this one writes nothing any more', async () => {
    raw.exec(`PRAGMA user_version = ${newer}`)
    await sleep(150)
    const facts = await store.builds.facts(BUILD, 0, 9)
    const move = store.builds.move(BUILD, ['paused'], 'running', { type: 'buildResumed', by: 'ada' })
    await expect(move).rejects.toMatchObject(refusal())
    expect(await store.builds.facts(BUILD, 0, 9)).toEqual(facts)
  })
})

const copied = `scope, id, 9, title, description, priority, category, spec, ref, steps, type, acceptance, files_expected,
  status, build, assignee, lease_expires_at, fence, retry_count, fail_reason, result, created_at, updated_at,
  held_by, said_done, fixed_claim`
const fact = (rest: string) => `INTO facts (build, seq, at, type, body) VALUES (${rest}, 0, 'x', '{}')`

describe('keeps its own promises, whoever writes', () => {
  it.for([
    ["UPDATE facts SET type = 'x' WHERE seq = 1", 'facts are append-only'],
    ['UPDATE facts SET at = at', 'facts are append-only'],
    ['DELETE FROM facts WHERE seq = 2', 'facts are append-only'],
    [`INSERT ${fact("'b1', 4")}`, 'facts have no gaps'],
    [`INSERT ${fact("'b1', 2")}`, 'facts have no gaps'],
    [`INSERT OR REPLACE ${fact("'b1', 1")}`, 'facts have no gaps'],
    [`INSERT ${fact("'b9', 1")}`, 'FOREIGN KEY constraint failed'],
    ['UPDATE tasks SET fence = -1', 'a fence never falls'],
    ["UPDATE tasks SET status = 'finished'", 'CHECK constraint failed'],
    ["UPDATE tasks SET held_by = 'nobody'", 'CHECK constraint failed'],
    ['UPDATE tasks SET priority = -1', 'CHECK constraint failed'],
    ["UPDATE tasks SET fence = 'two'", 'cannot store TEXT value in INTEGER column'],
    [`INSERT INTO tasks SELECT NULL, ${copied} FROM tasks`, 'UNIQUE constraint failed'],
    ["UPDATE ideas SET phase = 'happy'", 'CHECK constraint failed'],
    ["UPDATE ideas SET phase = 'building'", 'CHECK constraint failed'],
    ["UPDATE idea_moves SET by = 'eve'", 'moves of ideas are append-only'],
    ['DELETE FROM idea_moves', 'moves of ideas are append-only'],
    ["UPDATE builds SET state = 'happy'", 'CHECK constraint failed'],
    ['INSERT INTO dependencies VALUES (1, 99, 0)', 'FOREIGN KEY constraint failed'],
  ] as const)('%s', ([sql, message]) => {
    const dump = () =>
      ['tasks', 'facts', 'builds', 'ideas', 'idea_moves'].map((table) => raw.prepare(`SELECT * FROM ${table}`).all())
    const before = dump()
    expect(() => raw.exec(sql)).toThrow(message)
    expect(dump()).toEqual(before)
  })
})

it('the next fact and a rising fence are let in', () => {
  raw.exec("INSERT INTO facts (build, seq, at, type, body) VALUES ('b1', 3, 0, 'x', '{}')")
  raw.exec('UPDATE tasks SET fence = fence + 2')
  expect(raw.prepare('SELECT max(seq) AS last FROM facts').get()).toEqual({ last: 3 })
})

it('builds from before there were ideas get one each', async () => {
  const older = join(folder, 'older.db')
  const before = new DatabaseSync(older)
  for (const sql of migrations.slice(0, 3)) before.exec(sql)
  before.exec(`PRAGMA application_id = ${APPLICATION_ID}`)
  before.exec("PRAGMA user_version = 3; INSERT INTO scopes VALUES (1, 'r', 'b')")
  const insert = before.prepare("INSERT INTO builds VALUES (NULL, ?, 1, ?, ?, ?, '', NULL, 5, 6)")
  insert.run('b1', 'i1', null, 'aborted')
  insert.run('b2', 'i1', 'shop', 'complete')
  insert.run('b3', 'i2', null, 'paused')
  before.close()
  const opened = await openSqliteStore(older, () => 9)
  const { ideas } = await opened.ideas.list({ limit: 9 })
  opened.close()
  const common = { project: { repository: 'r', base: 'b' }, advance: 'manual', createdAt: 5, updatedAt: 6 }
  expect(ideas).toEqual([
    { id: 'i2', title: 'Build b3', text: 'Build b3', spec: null, phase: 'paused', resumes: 'building', ...common },
    {
      id: 'i1',
      title: 'Build b2',
      text: 'Build b2',
      spec: { id: 'shop', text: '', graph: null },
      phase: 'build_review',
      resumes: null,
      ...common,
    },
  ])
})
