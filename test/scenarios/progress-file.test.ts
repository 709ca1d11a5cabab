// A progress file through a whole build: real git, real checks, the scripted agent.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openEngine } from '../../src/compose.ts'
import { loadConfig } from '../../src/config/settings/load.ts'
import type { Fact } from '../../src/core/fact/fact.ts'
import { agentId } from '../../src/core/values/id.ts'
import { parseProgressFile } from '../../src/core/progress/progress-file.ts'
import { startBuild } from '../../src/operations/builds/builds.ts'
import { importProgressFile, withProgressFile } from '../../src/operations/builds/progress-file.ts'
import { runLoop } from '../../src/engine/loop.ts'
import { progressFile } from '../rig/progress-build.ts'
import { project } from '../rig/project.ts'
import { stopSwitch } from '../../src/engine/stop.ts'

const FILES = {
  'package.json': '{"name":"sum","type":"module","scripts":{"test":"node --test"}}\n',
  'sum.js': 'export const sum = (a, b) => a + b\n',
  'sum.test.js': testOf('sum', 'sum(1, 2)', '3'),
}

function testOf(name: string, call: string, value: string): string {
  const imports = ["import { test } from 'node:test'", "import assert from 'node:assert/strict'"]
  return [
    ...imports,
    `import { ${name} } from './${name}.js'`,
    `test('${name}', () => assert.equal(${call}, ${value}))\n`,
  ].join('\n')
}

/** Steps of a session that makes a function with a test. */
const makes = (name: string) => [
  { write: { path: `${name}.js`, content: `export const ${name} = () => 1\n` } },
  { write: { path: `${name}.test.js`, content: testOf(name, `${name}()`, '1') } },
]
const complete = { signal: { kind: 'TASK_COMPLETE' } }

const TOML = `[agents]
default = "scripted"
[agent.scripted]
scenario = "../scenario.json"
[checks]
unit = "npm test"
`

async function builtFrom(text: string, sessionsIn: (path: string) => readonly object[]) {
  const { folder, env, play } = project({ files: { ...FILES, 'PROGRESS.md': text }, tasks: {}, toml: TOML })
  const path = join(folder, 'PROGRESS.md')
  play(...sessionsIn(path))

  const facts: Fact[] = []
  const config = await loadConfig({ folder, env })
  const opened = await openEngine(folder, env, config, { fact: (fact) => facts.push(fact), agent: () => {} })
  onTestFinished(() => opened.store.close())
  const { store, scope } = opened
  const source = { path, spec: 'PROGRESS.md' }
  await importProgressFile({ store, scope }, source)
  const context = { store, scope, now: Date.now, unique: () => 'test', person: 'ada' }
  const build = await startBuild(context, { config, source: source.spec, hash: config.hash })
  if (build === null) throw new Error('nothing to build')
  await opened.workspaces.startBuild(build.id)
  const warnings: string[] = []
  const engine = withProgressFile(opened, build.id, source, (sentence) => warnings.push(sentence))
  const stops = stopSwitch({
    iterations: 20,
    whenSpent: { reason: 'MaxIterationsReached' },
    until: null,
    now: Date.now,
  })
  const stop = await runLoop(engine, build.id, agentId('aaaa'), stops)
  const started = facts.flatMap((fact) => (fact.type === 'iterationStarted' ? [fact.taskId] : []))
  return { stop, started, warnings, after: parseProgressFile(readFileSync(path, 'utf8')) }
}

/** Edits the user's file, as somebody beside the agent would. */
const person = (path: string, from: string, to: string, evidence = path) => {
  const edit = `
    const { readFileSync, writeFileSync } = require('node:fs')
    const [path, from, to, evidence] = process.argv.slice(1)
    if (readFileSync(evidence, 'utf8').includes(from)) writeFileSync(path, readFileSync(path, 'utf8').replace(from, to))`
  return { run: [process.execPath, '-e', edit, path, from, to, evidence] }
}

it('builds what the file lists, what an agent adds and what a person adds', async () => {
  const text = progressFile('- [x] Start', '- [ ] T1: One', '- [ ] T2: Two')
  const answer = text
    .replace('[ ] T1', '[x] T1')
    .replace('- [ ] T2: Two', '- [x] T2: Two\n- [ ] T3: Three')
    .replace('In Progress', 'RALPH_DONE')
  const { stop, started, warnings, after } = await builtFrom(text, (path) => [
    { task: 'T1', steps: [...makes('one'), { answerText: answer }] },
    { task: 'T2', steps: [...makes('two'), person(path, '- [ ] Three', '- [ ] T4: Four\n- [ ] Three'), complete] },
    { task: 'T3', steps: [...makes('three'), complete] },
    { task: 'T4', iteration: 1, steps: [{ say: 'I think about it.' }, { signal: { kind: 'ITERATION_DONE' } }] },
    { task: 'T4', steps: [...makes('four'), complete] },
  ])
  expect({ stop, started, warnings }).toEqual({
    stop: { reason: 'AllTasksComplete' },
    started: ['T1', 'T2', 'T4', 'T4', 'T3'],
    warnings: [],
  })
  expect(after.tasks.map(({ id, checked }) => [id, checked])).toEqual([
    ['start', true],
    ['T1', true],
    ['T2', true],
    ['T4', true],
    ['T3', true],
  ])
  expect(after.iterationLog.map(({ iteration, tasksCompleted }) => [iteration, tasksCompleted])).toEqual([
    [1, 'T1'],
    [2, 'T2'],
    [3, '-'],
    [4, 'T4'],
    [5, 'T3'],
  ])
  expect(after.completedThisIteration).toEqual(['Three'])
  expect(after.recentAttempts.map((attempt) => attempt.split('\n').slice(1))).toEqual([
    ['- Checked without having been worked on: T2', '- Said RALPH_DONE: the build ends when every task is verified'],
    [
      expect.stringMatching(/^- Task T4, attempt 1, iteration 1, \d+s, by scripted$/),
      '- Said: ITERATION_DONE',
      '- Outcome: ITERATION_DONE',
    ],
  ])
})

it('starts no agent once a person wrote RALPH_DONE', async () => {
  const { stop, started, after } = await builtFrom(progressFile('- [ ] T1: One', '- [ ] T2: Two'), (path) => [
    { task: 'T1', steps: [...makes('one'), person(path, 'In Progress', 'RALPH_DONE'), complete] },
    { task: 'T2', steps: [...makes('two'), complete] },
  ])
  expect([stop, started]).toEqual([
    { reason: 'UnverifiedDone', detail: 'Not verified: T2; take RALPH_DONE out of PROGRESS.md to go on.' },
    ['T1'],
  ])
  expect(after.tasks.map(({ checked }) => checked)).toEqual([true, false])
})

it('tells the agent what the file says now, and lets a task go that is taken out under it', async () => {
  const { stop, started, after } = await builtFrom(progressFile('- [ ] T1: One', '- [ ] T2: Two'), (path) => [
    {
      task: 'T1',
      iteration: 1,
      steps: [person(path, 'One', 'One with a twist'), { signal: { kind: 'ITERATION_DONE' } }],
    },
    {
      task: 'T1',
      iteration: 2,
      steps: [
        { savePrompt: 'prompt.md' },
        // Only where the prompt has the new words.
        person(path, 'One with a twist', 'gone', 'prompt.md'),
        person(path, '- [ ] T1: gone\n', ''),
        { signal: { kind: 'ITERATION_DONE' } },
      ],
    },
    { task: 'T2', steps: [...makes('two'), complete] },
  ])
  expect([stop, started]).toEqual([{ reason: 'AllTasksComplete' }, ['T1', 'T1', 'T2']])
  expect(after.tasks.map(({ id, checked }) => [id, checked])).toEqual([['T2', true]])
})
