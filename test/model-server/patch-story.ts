// A model that builds a project from nothing, with patches alone or with our tools. It plans the project and two
// numbers, writes one patch that does not apply, reads the refusal and writes a better one.
import { type Ask, turnsSoFar } from './ask.ts'
import { type Scenario, told } from './scenario.ts'
import { byTask, type Team } from './team.ts'
import { call, say, type Turn } from './turn.ts'

export const STORY_GOAL = 'A package of numbers: one and two.'
export const REFUSED = 'the patch was not applied'

interface File {
  readonly path: string
  readonly content: string
}

interface PlannedTask {
  readonly id: string
  readonly title: string
  readonly type: string
  readonly files: readonly File[]
}

function numberFiles(name: string, value: number): File[] {
  const test = [
    "import { test } from 'node:test'",
    "import assert from 'node:assert/strict'",
    `import { ${name} } from './${name}.js'`,
    `test('${name}', () => assert.equal(${name}(), ${value}))`,
    '',
  ]
  return [
    { path: `${name}.js`, content: `export const ${name} = () => ${value}\n` },
    { path: `${name}.test.js`, content: test.join('\n') },
  ]
}

const manifest = {
  path: 'package.json',
  content: '{"name":"numbers","type":"module","scripts":{"test":"node --test"}}\n',
}

const planned: readonly PlannedTask[] = [
  { id: 'set-up', title: 'Set the project up with one()', type: 'setup', files: [manifest, ...numberFiles('one', 1)] },
  { id: 'add-two', title: 'Add two()', type: 'api', files: numberFiles('two', 2) },
]

function plan(): Turn {
  const tasks = planned.map(({ id, title, type, files }, at) => ({
    id,
    title,
    goal: `${title}.`,
    acceptance: ['its test is green'],
    depends_on: planned.slice(Math.max(0, at - 1), at).map((one) => one.id),
    files_expected: files.map(({ path }) => path),
    status: 'todo',
    type,
  }))
  return say(JSON.stringify({ tasks, notes: 'from nothing' }))
}

function asDiff(files: readonly File[]): string {
  return files
    .map(({ path, content }) => {
      const lines = content.split('\n').slice(0, -1)
      return [`--- /dev/null`, `+++ b/${path}`, `@@ -0,0 +1,${lines.length} @@`, ...lines.map((line) => `+${line}`), '']
    })
    .map((lines) => lines.join('\n'))
    .join('')
}

/** A change of a file that is not there. */
const MISFIT = '--- a/two.js\n+++ b/two.js\n@@ -1 +1 @@\n-export const two = () => 1\n+export const two = () => 2\n'

/** The setup as files, the number as a diff, after one that does not fit. */
function patching({ id, files }: PlannedTask): Scenario {
  const isTold = told(REFUSED)
  return (ask) => {
    const notes = `the files of ${id}`
    if (id === 'set-up') return say(JSON.stringify({ task_id: id, files, notes, signal: 'TASK_COMPLETE' }))
    const diff = isTold(ask) ? asDiff(files) : MISFIT
    return say(JSON.stringify({ task_id: id, diff, touched_files: [], notes, signal: 'TASK_COMPLETE' }))
  }
}

/** Reads, sends a patch that does not apply, corrects it, runs the checks, leaves a note, and ends. */
function working({ id, files }: PlannedTask): Scenario {
  const turns: Turn[] = [
    { says: [{ text: `I look at what is there for ${id}.` }, { call: 'repo_read', input: { path: '.' } }] },
    call('repo_apply_patch', { diff: MISFIT }),
    call('repo_apply_patch', { files: files.map((file) => ({ ...file })) }),
    call('run_checks', {}),
    call('write_scratchpad', { done: id, testStatus: 'green', nextStep: 'none', blockers: 'none' }),
    say(`The files of ${id} are there, and the checks are green.\n\nTASK_COMPLETE`),
  ]
  return (ask: Ask) => turns[turnsSoFar(ask)] ?? say('ITERATION_DONE')
}

const approves = say(JSON.stringify({ decision: 'approve', reasons: ['1. the task asks for it'], required_fixes: [] }))

function crew(implementing: (task: PlannedTask) => Scenario): Team {
  return {
    planner: () => plan(),
    implementer: byTask(Object.fromEntries(planned.map((task) => [task.id, implementing(task)]))),
    reviewer: () => approves,
  }
}

export const patchTeam = crew(patching)
export const toolTeam = crew(working)
