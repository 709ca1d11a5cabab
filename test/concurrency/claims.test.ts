import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type BuildId, type IdeaId, taskId } from '../../src/core/values/id.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { bundled, type Child, type Ended, startTogether } from './program.ts'

const PROCESSES = 8
const SCOPE = { repo: 'r', branch: 'b' }
const FINE = { code: 0, signal: null, stderr: '' }

let folder: string
let program: string
let path: string
let databases = 0

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ralph claims '))
  program = await bundled(new URL('claimer.ts', import.meta.url), folder)
})

beforeEach(() => {
  databases += 1
  path = join(folder, `${databases}.db`)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const crew = (what: string) => Array.from({ length: PROCESSES }, (_, index) => [what, path, `loop-${index}`])

async function allEnded(children: readonly Child[]): Promise<Ended[]> {
  const ends = await Promise.all(children.map((child) => child.ended))
  expect(ends.map(({ code, signal, stderr }) => ({ code, signal, stderr }))).toEqual(ends.map(() => FINE))
  return ends
}

async function plant(ids: readonly string[]): Promise<void> {
  const store = await openSqliteStore(path, Date.now)
  const items = ids.map((id, index) => ({ id: taskId(id), text: { title: `Do ${id}` }, line: index + 1 }))
  await store.tasks.syncPlan(SCOPE, items)
  store.close()
}

interface Accepted {
  readonly what: string
  readonly fence: number
  readonly newest: number
  readonly agent: string
  readonly holder: string
}

/** Has the database record the holder of the task in the transaction of every accepted write. */
function audit(sql: string): () => Accepted[] {
  const database = new DatabaseSync(path)
  database.exec(`CREATE TABLE audit (what TEXT, fence INTEGER, newest INTEGER, agent TEXT, holder TEXT); ${sql}`)
  database.close()
  return () => {
    const reader = new DatabaseSync(path, { readOnly: true })
    const rows = reader.prepare('SELECT * FROM audit').all() as unknown as Accepted[]
    reader.close()
    return rows.map((row) => ({ ...row }))
  }
}

it('eight processes claim 200 tasks: each is claimed once, and nobody meets a locked database', async () => {
  const ids = Array.from({ length: 200 }, (_, index) => `t${index}`)
  await plant(ids)
  const ends = await allEnded(await startTogether(program, crew('finishAll')))
  const claims = ends.flatMap(({ lines }) => lines.filter((line) => line !== 'ready'))
  expect(claims.toSorted()).toEqual(ids.map((id) => `claimed ${id} 1`).toSorted())
  const store = await openSqliteStore(path, Date.now)
  expect(await store.tasks.counts(SCOPE)).toEqual({ open: 0, active: 0, done: 200, blocked: 0, deleted: 0 })
  const tasks = await store.tasks.list(SCOPE, {})
  expect(tasks.filter((task) => task.fence !== 2 || task.retryCount !== 0)).toEqual([])
  store.close()
})

it('eight processes take each other’s tasks: each is finished once, by its last holder', async () => {
  const ids = Array.from({ length: 500 }, (_, index) => `t${index}`)
  await plant(ids)
  const accepted = audit(`
    CREATE TRIGGER audit_done AFTER UPDATE OF status ON tasks WHEN NEW.status = 'done' BEGIN
      INSERT INTO audit VALUES (
        'done ' || NEW.id, NEW.result ->> '$.fence', OLD.fence, NEW.result ->> '$.agent', OLD.assignee
      );
    END`)
  const ends = await allEnded(await startTogether(program, crew('stealAndFinish')))
  const late = ends.flatMap(({ lines }) => lines.filter((line) => line.startsWith('late')))
  expect(late.length).toBeGreaterThan(0)
  const done = accepted()
  expect(done.map(({ what }) => what).toSorted()).toEqual(ids.map((id) => `done ${id}`).toSorted())
  expect(done.filter(({ fence, newest, agent, holder }) => fence !== newest || agent !== holder)).toEqual([])
})

it('500 writes under a lease that somebody else has taken over: none is let in', async () => {
  await plant(['hot'])
  const store = await openSqliteStore(path, Date.now)
  await store.builds.create(
    SCOPE,
    {
      id: 'b1' as BuildId,
      idea: 'i1' as IdeaId,
      spec: null,
      state: 'running',
      configHash: '',
      lastError: null,
      startedAt: 0,
      lastActivityAt: 0,
    },
    [taskId('hot')],
  )
  const accepted = audit(`
    CREATE TRIGGER audit_recorded AFTER INSERT ON facts WHEN NEW.type = 'interrupted' BEGIN
      INSERT INTO audit
      SELECT 'recorded', (NEW.body ->> '$.reason') ->> '$.fence', fence, (NEW.body ->> '$.reason') ->> '$.agent', assignee
      FROM tasks WHERE id = NEW.task;
    END`)
  let late = 0
  const children: Child[] = await startTogether(program, crew('stealAndRecord'), (line) => {
    if (line === 'late') late += 1
    if (late === 500) for (const child of children) child.say('stop')
  })
  await allEnded(children)
  expect(late).toBeGreaterThanOrEqual(500)
  const writes = accepted()
  expect(writes.length).toBeGreaterThan(0)
  expect(writes.filter(({ fence, newest, agent, holder }) => fence !== newest || agent !== holder)).toEqual([])
  const facts = await store.builds.facts('b1' as BuildId, 0, 1_000_000)
  expect(facts.map(({ seq }) => seq)).toEqual(facts.map((_, index) => index + 1))
  expect(facts.filter(({ fact }) => fact.type === 'interrupted')).toHaveLength(writes.length)
  store.close()
})
