// A scratch git repository, and the real program in it as a user's shell runs it, without any of the tester's own
// settings.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
import { onTestFinished } from 'vitest'
import { PROBES_OFF } from './probes-off.ts'

export const RALPH = join(import.meta.dirname, '../../bin/ralph.js')

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface How {
  readonly input?: string | Uint8Array
  /** Added to the scratch repository's own. */
  readonly env?: Readonly<Record<string, string>>
  readonly folder?: string
}

export interface Scratch {
  /** Outside of any repository. */
  readonly root: string
  /** The repository. */
  readonly folder: string
  readonly storePath: string
  readonly env: Readonly<Record<string, string>>
  ralph(args: readonly string[], how?: How): Ended
  /** `ralph task …` */
  task(...words: readonly string[]): Ended
  /** The same for an agent. */
  as(agent: string, ...words: readonly string[]): Ended
  /** Returns what it prints. Throws unless it succeeds. */
  ok(...words: readonly string[]): string
  /** `ralph task …`, where changing anything in the store is an error. */
  untouched(words: readonly string[], how?: How): Ended
  /** Takes over a plan, one task a line. */
  plan(...items: readonly object[]): Ended
  /** Every row of the store; null without a store. */
  state(): unknown
  git(...args: readonly string[]): string
  /** Changes the database behind the program's back. */
  sql(statement: string): void
  remove(): void
}

/** For one test. */
export function scratch(): Scratch {
  const made = sharedScratch()
  onTestFinished(made.remove)
  return made
}

/** For several tests that only read it. The caller removes it. */
export function sharedScratch(rootName = 'ralph task '): Scratch {
  const root = realpathSync(mkdtempSync(join(tmpdir(), rootName)))
  const folder = join(root, 'project')
  const home = join(root, 'home')
  for (const path of [folder, home]) mkdirSync(path)
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    // Not UTC, and not English: neither may show.
    TZ: 'America/New_York',
    LANG: 'de_DE.UTF-8',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    ...PROBES_OFF,
  }
  const storePath = join(folder, '.git/ralph/ralph.db')

  const ralph: Scratch['ralph'] = (args, how = {}) =>
    run(process.execPath, [RALPH, ...args], { folder, ...how, env: { ...env, ...how.env } })
  const ok: Scratch['ok'] = (...words) => {
    const { code, stdout, stderr } = ralph(['task', ...words])
    if (code !== 0 || stderr !== '') throw new Error(`ralph task ${words.join(' ')} ended with ${code}: ${stderr}`)
    return stdout
  }
  const git: Scratch['git'] = (...args) => {
    const { code, stdout, stderr } = run('git', args, { folder, env })
    if (code !== 0) throw new Error(`git ${args.join(' ')} ended with ${code}: ${stderr}`)
    return stdout
  }
  const state: Scratch['state'] = () => (existsSync(storePath) ? inDatabase(storePath, allRows) : null)
  const untouched: Scratch['untouched'] = (words, how) => {
    const before = state()
    const end = ralph(['task', ...words], how)
    if (!isDeepStrictEqual(state(), before)) throw new Error(`ralph task ${words.join(' ')} changed the store`)
    return end
  }
  git('init', '--quiet', '--initial-branch=main')
  return {
    root,
    folder,
    storePath,
    env,
    ralph,
    task: (...words) => ralph(['task', ...words]),
    as: (agent, ...words) => ralph(['task', ...words], { env: { RALPH_AGENT_ID: agent } }),
    ok,
    plan: (...items) => ralph(['task', 'plan-sync'], { input: jsonl(items) }),
    untouched,
    state,
    git,
    sql: (statement) => inDatabase(storePath, (database) => database.exec(statement)),
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

function inDatabase<T>(path: string, work: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(path)
  try {
    return work(database)
  } finally {
    database.close()
  }
}

function allRows(database: DatabaseSync): unknown {
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all()
  return tables.map(({ name }) => ({ name, rows: database.prepare(`SELECT * FROM ${name}`).all() }))
}

export function jsonl(items: readonly unknown[]): string {
  return items.map((item) => `${JSON.stringify(item)}\n`).join('')
}

export function run(command: string, args: readonly string[], how: Required<Omit<How, 'input'>> & How): Ended {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: how.folder,
    env: how.env,
    input: how.input ?? '',
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (error !== undefined) throw error
  return { code: status, stdout, stderr }
}

/** Replaces each time, such as `2026-01-31 12:00:00`. */
export function timeless(text: string): string {
  return text.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, 'TIME')
}

/** A refusal with this sentence and an empty stdout. */
export function refused(code: number, sentence: string, usage?: string): Ended {
  return { code, stdout: '', stderr: `Error: ${sentence}\n${usage === undefined ? '' : `Usage: ralph ${usage}\n`}` }
}

export function printed(stdout: string): Ended {
  return { code: 0, stdout, stderr: '' }
}
