// A scratch repository with a real test suite, and a scenario for the scripted agent: what `ralph build` needs.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Ended, RALPH, run, type Scratch, scratch } from './scratch.ts'

export interface Project extends Scratch {
  /** The folder above the checkout: what is here is no part of the repository. */
  write(path: string, text: string): void
  read(path: string): string
  play(...sessions: readonly object[]): void
  /** Starts it and lets the test go on. */
  start(args: readonly string[], env?: Readonly<Record<string, string>>): Started
  /** `ralph … --json`, its one document. */
  json(...args: readonly string[]): Readonly<Record<string, unknown>>
  /** The id of the newest build. */
  build(): string
}

export interface Started {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  /** So far. */
  said(): Omit<Ended, 'code'>
  /** Resolves when stdout or stderr holds this. */
  saw(text: string): Promise<void>
}

/**
 * A real runner, in one process: by default it starts another for every test file, which takes two to three times as long.
 * The `node` that a check finds in its PATH may be too old for that.
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

/** A task's work: a module and its test, which is green when `is` is what the test `wants`. */
export function work(name: string, is = 1, wants = is): object[] {
  const test = [
    "import { test } from 'node:test'",
    "import assert from 'node:assert/strict'",
    `import { ${name} } from './${name}.js'`,
    `test('${name}', () => assert.equal(${name}(), ${wants}))`,
    '',
  ]
  return [
    { say: `working on ${name}` },
    { write: { path: `${name}.js`, content: `export const ${name} = () => ${is}\n` } },
    { write: { path: `${name}.test.js`, content: test.join('\n') } },
    { signal: { kind: 'TASK_COMPLETE' } },
  ]
}

export const SIA_GIVES_UP = { role: 'sia', steps: [{ answer: { type: 'escalate', reason: 'I cannot count' } }] }

/** With a task for each session that names one. */
export function project(...sessions: readonly object[]): Project {
  return projectIn(scratch(), onTestFinished, sessions)
}

/** For tests that share it: whoever makes it ends what it started and removes it. */
export function projectIn(made: Scratch, atEnd: (end: () => void) => void, sessions: readonly object[]): Project {
  const { folder, root, git, env, ralph } = made
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const play = (...parts: readonly object[]): void =>
    writeFileSync(join(root, 'scenario.json'), JSON.stringify({ sessions: parts }))
  const json = (...args: readonly string[]): Readonly<Record<string, unknown>> =>
    JSON.parse(ralph([...args, '--json']).stdout) as Record<string, unknown>
  git('config', 'user.name', 'Ada')
  git('config', 'user.email', 'ada@example.com')
  write('package.json', '{"name":"numbers","type":"module"}\n')
  write('one.js', 'export const one = () => 1\n')
  write(
    'one.test.js',
    "import { test } from 'node:test'\nimport assert from 'node:assert/strict'\nimport { one } from './one.js'\ntest('one', () => assert.equal(one(), 1))\n",
  )
  write('ralph.toml', TOML)
  git('add', '--all')
  git('commit', '--quiet', '-m', 'start')
  play(...sessions)
  const named = sessions.flatMap((session) => ('task' in session ? [String(session.task)] : []))
  for (const id of new Set(named)) made.ok('create', id, `Add ${id}`)
  return {
    ...made,
    write,
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    play,
    start: (args, more = {}) => {
      const started = start(args, folder, { ...env, ...more })
      atEnd(() => started.child.exitCode !== null || started.child.kill('SIGKILL'))
      return started
    },
    json,
    build: () => String(json('status')['sessionId']),
  }
}

export function start(args: readonly string[], cwd: string, env: Readonly<Record<string, string>>): Started {
  const child = spawn(process.execPath, [RALPH, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const said = { stdout: '', stderr: '' }
  const seen = new Set<() => void>()
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text
      for (const look of seen) look()
    })
  return {
    child,
    said: () => ({ ...said }),
    ended: once(child, 'close').then(([code]) => ({ code: code as number | null, ...said })),
    saw: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (said.stdout.includes(text) || said.stderr.includes(text)) resolve()
        }
        seen.add(look)
        look()
        child.once('close', () => reject(new Error(`it ended without saying '${text}': ${said.stdout}${said.stderr}`)))
      }),
  }
}

/** The program `script` of util-linux lends a terminal; that of others takes other words. */
export const hasScript =
  process.platform === 'linux' && spawnSync('script', ['--version'], { encoding: 'utf8' }).status === 0

/** Answered by a person at a terminal; stdout is all that it shows. */
export function atTerminal({ folder, env }: Scratch, args: readonly string[], answer: string): Ended {
  const line = [process.execPath, RALPH, ...args].map((word) => `'${word}'`).join(' ')
  return run('script', ['-qec', line, '/dev/null'], { folder, env, input: `${answer}\n` })
}

/** A story without the times of its lines. */
export function wholeStory(stdout: string): string[] {
  return stdout.split('\n').flatMap((line) => /^\d\d:\d\d:\d\d {2}(.*)$/.exec(line)?.[1] ?? [])
}

/** The same without the run of the checks that comes first, and what came out of it: build-baseline.test.ts is about that. */
export function story(stdout: string): string[] {
  return wholeStory(stdout).filter((line, at, lines) => !isBaseline(line) && !isBaseline(lines[at - 1] ?? ''))
}

function isBaseline(line: string): boolean {
  return line.startsWith('running setup and checks on ')
}

/** Commits and ids are new each time. */
export function steady(text: string): string {
  return text
    .replaceAll(/\bb_[0-9a-z]{14,}\b/g, 'BUILD')
    .replaceAll(/\b[0-9a-f]{10,40}\b/g, 'COMMIT')
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, 'TIME')
}

export function exists(path: string): boolean {
  return existsSync(path)
}
