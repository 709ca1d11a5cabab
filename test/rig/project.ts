// A scratch repository with a real test suite, tasks, a script for the scripted agent and a ralph.toml.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Started, start } from './program.ts'
import { type Scratch, sharedScratch } from './scratch.ts'
import { WORKERS } from './sessions.ts'

export interface ProjectOptions {
  /** Sessions of the scripted agent. */
  readonly script?: readonly object[]
  /**
   * Tasks with the tasks that each depends on. `named`, the default, creates one for each task that the script names;
   * `planned` creates none, and has sessions for the tasks of `PLAN`.
   */
  readonly tasks?: Readonly<Record<string, readonly string[]>> | 'named' | 'planned'
  /** The whole ralph.toml, where it needs that by the folder above the repository; the script is `../scenario.json`. */
  readonly toml?: string | ((root: string) => string)
  readonly isTomlCommitted?: boolean
  readonly files?: Readonly<Record<string, string>>
  /** How the folder above the repository begins; by default with a space in it. */
  readonly rootName?: string
  /** For a project that several tests share. It gets the ends of processes; the caller also calls `remove`. */
  readonly atEnd?: (end: () => void) => void
}

export interface Project extends Scratch {
  write(path: string, text: string): void
  read(path: string): string
  /** Replaces the script. */
  play(...script: readonly object[]): void
  start(args: readonly string[], env?: Readonly<Record<string, string>>): Started
  /** The document that `ralph … --json` prints. */
  json(...args: readonly string[]): Readonly<Record<string, unknown>>
  /** The id of the newest build. */
  build(): string
}

/**
 * A real runner in one process: by default it starts a process for every test file, which takes two to three times as
 * long. The `node` in the PATH of a check may be too old for this flag.
 */
export const CHECK = `${process.execPath} --test --test-isolation=none`

const TOML = `[agents]
default = "scripted"
[agent.scripted]
scenario = "../scenario.json"
[checks]
unit = "${CHECK}"
[limits]
attempts = 2
interventions = 1
`

const FILES = {
  'package.json': '{"name":"numbers","type":"module"}\n',
  'one.js': 'export const one = () => 1\n',
  'one.test.js':
    "import { test } from 'node:test'\nimport assert from 'node:assert/strict'\nimport { one } from './one.js'\ntest('one', () => assert.equal(one(), 1))\n",
}

export function project(options: ProjectOptions = {}): Project {
  const { script = [], tasks = 'named', isTomlCommitted = true, files = FILES, atEnd } = options
  const made = sharedScratch(options.rootName)
  if (atEnd === undefined) onTestFinished(made.remove)
  const { folder, root, git, env, ralph } = made
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const play: Project['play'] = (...sessions) =>
    writeFileSync(join(root, 'scenario.json'), JSON.stringify({ sessions }))
  const json: Project['json'] = (...args) => JSON.parse(ralph([...args, '--json']).stdout) as Record<string, unknown>
  const { toml: given = TOML } = options
  const toml = typeof given === 'string' ? given : given(root)
  git('config', 'user.name', 'Ada')
  git('config', 'user.email', 'ada@example.com')
  for (const [path, text] of Object.entries(files)) write(path, text)
  if (isTomlCommitted) write('ralph.toml', toml)
  git('add', '--all')
  git('commit', '--quiet', '--allow-empty', '-m', 'start')
  write('ralph.toml', toml)
  play(...script, ...(tasks === 'planned' ? WORKERS : []))
  for (const [id, deps] of Object.entries(tasksFor(tasks, script)))
    made.ok('create', id, `Add ${id}`, ...(deps.length === 0 ? [] : ['--deps', deps.join(',')]))
  return {
    ...made,
    write,
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    play,
    start: (args, more = {}) => {
      const started = start(args, folder, { ...env, ...more })
      const end = (): unknown => started.child.exitCode !== null || started.child.kill('SIGKILL')
      if (atEnd === undefined) onTestFinished(() => void end())
      else atEnd(end)
      return started
    },
    json,
    build: () => String(json('status')['sessionId']),
  }
}

function tasksFor(
  tasks: NonNullable<ProjectOptions['tasks']>,
  script: readonly object[],
): Readonly<Record<string, readonly string[]>> {
  if (tasks === 'planned') return {}
  if (tasks !== 'named') return tasks
  return Object.fromEntries(script.flatMap((session) => ('task' in session ? [[String(session.task), []]] : [])))
}
