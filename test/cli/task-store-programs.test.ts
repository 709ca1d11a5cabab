// Other programs may read the store with SQL: also with the SQLite that a distribution has.
import { spawnSync } from 'node:child_process'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { project } from '../rig/project.ts'
import { work } from '../rig/sessions.ts'

/** Every table and view is read to its end; prints how many rows each has. */
const READ_ALL = `
import json, sqlite3, sys
store = sqlite3.connect(sys.argv[1])
names = [name for (name,) in store.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name")]
print(json.dumps({name: len(store.execute('SELECT * FROM ' + name).fetchall()) for name in names}))
`

/** `null`: there is no such program here. */
function versionOf(program: string, ...args: string[]): string | null {
  const { status, stdout } = spawnSync(program, args, { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

const python = versionOf('python3', '-c', 'import sqlite3; print(sqlite3.sqlite_version)')
const SHELL = 'sqlite3'
const shell = versionOf(SHELL, '--version')

function built() {
  const made = project({ script: [{ role: 'implementer', task: 'two', steps: work('two', 2) }] })
  expect(made.ralph(['build'])).toMatchObject({ code: 0 })
  return made
}

function rows(path: string): Record<string, number> {
  const store = new DatabaseSync(path, { readOnly: true })
  const names = store.prepare("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY name").all()
  const counts = names.map(({ name }) => [String(name), store.prepare(`SELECT * FROM ${name}`).all().length])
  store.close()
  return Object.fromEntries(counts) as Record<string, number>
}

it.skipIf(python === null)(`Python's sqlite3 (${python ?? 'no python3 here'}) reads every table and view`, () => {
  const { storePath } = built()
  const { stdout, stderr } = spawnSync('python3', ['-c', READ_ALL, storePath], { encoding: 'utf8' })
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual(rows(storePath))
  expect(rows(storePath)).toMatchObject({ build_runs: 1, build_sessions: 1, tasks: 1 })
})

it.skipIf(shell === null)(`the program sqlite3 (${shell ?? 'none here'}) shows builds as we do`, () => {
  const { storePath } = built()
  const sql = 'SELECT state_json FROM build_runs; SELECT status FROM build_sessions; SELECT id, status FROM tasks;'
  const { stdout, stderr } = spawnSync(SHELL, [storePath, sql], { encoding: 'utf8' })
  expect(stderr).toBe('')
  const [run, ...others] = stdout.trimEnd().split('\n')
  const ours = new DatabaseSync(storePath, { readOnly: true })
  expect(run).toBe(ours.prepare('SELECT state_json FROM build_runs').get()?.['state_json'])
  ours.close()
  expect(others).toEqual(['complete', 'two|done'])
})
