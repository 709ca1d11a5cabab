// A project with tests of its own, and builds of it by an agent that follows a script.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { output, ralph } from './ralph.ts'

/** `node --test` of these takes some tenths of a second, as a small project's tests do. */
const FILES = 4
const TESTS_PER_FILE = 25

export const TESTS = FILES * TESTS_PER_FILE
export const CHECK = 'node --test'

/** `adds`: each patch has a new test. `edits`: each changes a test of the base, which needs a second opinion. */
export type PatchKind = 'adds' | 'edits'

export function makeProject(folder: string): void {
  const git = (...args: string[]): string => output(folder, ['git', ...args])
  mkdirSync(folder, { recursive: true })
  git('init', '--quiet', '--initial-branch=main')
  git('config', 'user.name', 'Ada')
  git('config', 'user.email', 'ada@example.com')
  write(folder, 'package.json', '{"name":"numbers","type":"module"}\n')
  for (let file = 0; file < FILES; file += 1) {
    write(folder, `value-${file}.js`, `export const value = ${file}\n`)
    write(folder, `value-${file}.test.js`, testFile(file, TESTS_PER_FILE))
  }
  git('add', '--all')
  git('commit', '--quiet', '-m', 'start')
}

function testFile(file: number, tests: number, label = 'value'): string {
  const lines = Array.from(
    { length: tests },
    (_, number) => `test('${label} ${file}, ${number}', () => assert.equal(value + ${number}, ${file + number}))`,
  )
  const head = `import { test } from 'node:test'\nimport assert from 'node:assert/strict'\nimport { value } from './value-${file}.js'\n`
  return `${head}${lines.join('\n')}\n`
}

export interface Built {
  /** Milliseconds of each task from `verifying` to `verified`. */
  readonly spans: readonly number[]
  /** Milliseconds that the checks of each task say they took themselves, all that were run. */
  readonly own: readonly number[]
  /** How often the check was started. */
  readonly runs: number
}

/** Builds so many tasks one after the other. */
export function build(root: string, tasks: number, kind: PatchKind): Built {
  const folder = join(root, 'project')
  makeProject(folder)
  const counted = join(root, 'runs')
  writeFileSync(counted, '')
  writeFileSync(join(root, 'scenario.json'), JSON.stringify({ sessions: sessions(tasks, kind) }))
  write(folder, 'ralph.toml', settings(root, counted))
  for (let task = 0; task < tasks; task += 1) ralph(folder, ['task', 'create', `t${task}`, `Task ${task}`])
  const facts = ralph(folder, ['build', '--json'])
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as BuildFact)
  const build = facts.find(({ sessionId }) => sessionId !== undefined)?.sessionId ?? ''
  const own = ownTimes(folder, build)
  const spans = spansOf(facts)
  if (spans.length !== tasks || own.length !== tasks)
    throw new Error(`${tasks} tasks were verified ${spans.length} times and merged ${own.length} times`)
  return { spans, own, runs: output(root, ['cat', counted]).split('\n').length - 1 }
}

interface BuildFact {
  readonly type: string
  readonly taskId?: string
  readonly at: number
  readonly sessionId?: string
}

function spansOf(facts: readonly BuildFact[]): number[] {
  const ends = facts.filter(({ type }) => type === 'verified')
  return ends.map(({ taskId, at }) => {
    const start = facts.find((fact) => fact.type === 'verifying' && fact.taskId === taskId)
    return at - (start?.at ?? Number.NaN)
  })
}

interface Run {
  readonly durationMs: number
  readonly cached: boolean
}

interface Evidence {
  readonly checks: readonly Run[]
  readonly baseline: readonly Run[]
  readonly secondOpinion: { readonly checks: readonly Run[] } | null
}

/** As the evidence of each commit has it, oldest first. */
function ownTimes(folder: string, build: string): number[] {
  const commits = output(folder, ['git', 'rev-list', '--reverse', `main..ralph/${build}`])
  return commits
    .trim()
    .split('\n')
    .map((commit) => {
      const note = output(folder, ['git', 'notes', '--ref', 'ralph', 'show', commit])
      const { checks, baseline, secondOpinion } = (JSON.parse(note) as { evidence: Evidence }).evidence
      const runs = [...checks, ...baseline, ...(secondOpinion?.checks ?? [])]
      return runs.reduce((sum, { durationMs, cached }) => sum + (cached ? 0 : durationMs), 0)
    })
}

function settings(root: string, counted: string): string {
  return `[agents]
default = "scripted"
[agent.scripted]
scenario = ${JSON.stringify(join(root, 'scenario.json'))}
[checks]
unit = ${JSON.stringify(`echo run >> ${counted}; ${CHECK}`)}
`
}

function sessions(tasks: number, kind: PatchKind): object[] {
  const patches = Array.from({ length: tasks }, (_, task) => {
    const file = task % FILES
    const path = kind === 'adds' ? `more-${task}.test.js` : `value-${file}.test.js`
    const content = kind === 'adds' ? testFile(file, 1, `more ${task}`) : testFile(file, TESTS_PER_FILE + 1 + task)
    const code = { path: `value-${file}.js`, content: `export const value = ${file} // as of task ${task}\n` }
    return { role: 'implementer', task: `t${task}`, steps: [{ write: code }, { write: { path, content } }, COMPLETE] }
  })
  const answer = { decision: 'approve', reasons: ['the task asks for one test more'], required_fixes: [] }
  return [...patches, { role: 'reviewer', steps: [{ answer }] }]
}

const COMPLETE = { signal: { kind: 'TASK_COMPLETE' } }

function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}
