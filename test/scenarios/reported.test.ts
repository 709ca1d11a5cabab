// `ralph task done` outside a build is a report: the task is done for everybody, and the next build runs the checks on
// HEAD for it before anything that depends on it starts.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { taskId } from '../../src/core/values/id.ts'
import type { Task } from '../../src/core/task/task.ts'
import { isReported } from '../../src/core/task/reported.ts'
import { build, does, session as claimingSession } from '../rig/claim-sessions.ts'
import { project } from '../rig/project.ts'
import { RALPH, run } from '../rig/scratch.ts'
import { engineProject, type EngineProject, type EngineProjectOptions } from '../rig/engine-project.ts'

const tested = (name: string, answer = name): Readonly<Record<string, string>> => ({
  [`${name}.js`]: `export const ${name} = () => '${answer}'\n`,
  [`${name}.test.js`]: `import { test } from 'node:test'\nimport assert from 'node:assert/strict'\nimport { ${name} } from './${name}.js'\ntest('${name}', () => assert.equal(${name}(), '${name}'))\n`,
})
const session = (task: string): object => ({
  role: 'implementer',
  task,
  steps: [
    ...Object.entries(tested(task)).map(([path, content]) => ({ write: { path, content } })),
    { signal: { kind: 'TASK_COMPLETE' } },
  ],
})

const row = async ({ context }: EngineProject, id: string): Promise<Task> => {
  const task = await context.store.tasks.find(context.scope, taskId(id))
  if (task === null) throw new Error(`no task ${id}`)
  return task
}

function ralph({ folder, env }: EngineProject, ...words: string[]) {
  return run(process.execPath, [RALPH, ...words], { folder, env })
}

function ok(shop: EngineProject, ...words: string[]): string {
  const { code, stdout, stderr } = ralph(shop, ...words)
  if (code !== 0) throw new Error(stderr)
  return stdout
}

/** Commits files as a person would, in the checkout. */
function commit({ folder, git }: EngineProject, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  git('add', '-A', ...Object.keys(files))
  git('commit', '-qm', 'by hand')
}

const open = (
  tasks: EngineProjectOptions['tasks'] = [
    { id: 'a', title: 'Make a' },
    { id: 'b', title: 'Make b', deps: ['a'] },
  ],
) => engineProject({ tasks, script: [session('a'), session('b')] })

/** A person does the task by hand and reports it. */
function report(shop: EngineProject, id: string, files: Readonly<Record<string, string>>, ...flags: string[]): void {
  commit(shop, files)
  ok(shop, 'task', 'claim', id)
  expect(ok(shop, 'task', 'done', id, ...flags)).toBe(`done ${id}\n`)
}

const started = ({ facts }: EngineProject) =>
  facts.flatMap((fact) =>
    fact.type === 'iterationStarted' || fact.type === 'reportVerified' || fact.type === 'reportRefused'
      ? [`${fact.type} ${fact.taskId}`]
      : [],
  )

describe('a task that is reported done outside a build', () => {
  it('is done, and marked wherever it is shown', async () => {
    const shop = await open()
    report(shop, 'a', tested('a'), '--result', '{"commit":"abc"}')
    expect(await row(shop, 'a')).toMatchObject({ status: 'done', result: { commit: 'abc' } })
    expect(isReported(await row(shop, 'a'))).toBe(true)
    expect(JSON.parse(ok(shop, 'task', 'show', 'a', '--json'))).toMatchObject({ status: 'done', reported: true })
    expect(ok(shop, 'task', 'show', 'a')).toMatch(
      /^Said done: {3}not verified yet: the next build does it, or 'ralph verify --task'$/m,
    )
    expect(ok(shop, 'task', 'list')).toMatch(/^a +2 +done +- +Make a +\(reported\)$/m)
    expect(ok(shop, 'task', 'plan-status')).toBe('1 open, 0 active, 1 done, 0 blocked, 0 deleted\n')
    expect(ok(shop, 'task', 'claim', '--agent', 'ada')).toMatch(/^## Task b\n/)
  })

  it('is verified on HEAD by the next build, before its dependants start', async () => {
    const shop = await open()
    report(shop, 'a', tested('a'))
    const begun = await shop.start()
    expect(JSON.parse(ok(shop, 'status', '--json'))).toMatchObject({
      completedTasks: [],
      tasks: [
        { id: 'a', status: 'done', reported: true },
        { id: 'b', status: 'open', reported: false },
      ],
    })
    expect((await shop.run(begun)).reason).toBe('AllTasksComplete')
    expect(started(shop)).toEqual(['reportVerified a', 'iterationStarted b'])
    const head = shop.git('rev-parse', 'HEAD')
    expect(await row(shop, 'a')).toMatchObject({
      status: 'done',
      retryCount: 0,
      reportedDone: { verified: { commit: head, checks: 'unit green (2 tests)' } },
    })
    expect(ok(shop, 'task', 'show', 'a')).toMatch(
      new RegExp(`^Said done: {3}verified on ${head.slice(0, 10)}: unit green \\(2 tests\\)$`, 'm'),
    )
    expect(ok(shop, 'status')).toMatch(/2 of 2 tasks done\n[^]*^a +done +- +reported done, verified on /m)
    expect(shop.git('show', 'ralph/b_test1:b.js')).toBe("export const b = () => 'b'")
    expect(shop.git('rev-list', '--count', 'main..ralph/b_test1')).toBe('1')
  })

  it('is opened again with the reason where a check is red, and built before its dependants', async () => {
    const shop = await open()
    report(shop, 'a', tested('a', 'wrong'))
    const begun = await shop.start()
    expect((await shop.run(begun)).reason).toBe('AllTasksComplete')
    expect(started(shop)).toEqual(['reportRefused a', 'iterationStarted a', 'iterationStarted b'])
    const done = await row(shop, 'a')
    expect(done).toMatchObject({
      status: 'done',
      retryCount: 1,
      reportedDone: null,
      result: { proof: { by: 'evidence' } },
    })
    expect(done.failReason).toMatch(/^it was reported done, and on HEAD \([0-9a-f]{10}\) unit is red\n/)
  })

  it.each([
    ['a file that is not there', ['docs/a.md'], 'docs/a.md is missing'],
    ['a pattern that nothing matches', ['docs/**/*.md'], 'a file that matches docs/**/*.md is missing'],
  ])('is opened again where it expects %s', async (_, filesExpected, fault) => {
    const shop = await open([{ id: 'a', title: 'Make a', filesExpected }])
    report(shop, 'a', tested('a'))
    await shop.run(await shop.start(), 0)
    expect(started(shop)).toEqual(['reportRefused a'])
    expect((await row(shop, 'a')).failReason).toMatch(new RegExp(`${fault.replaceAll(/[*.]/g, String.raw`\$&`)}$`))
  })

  it('is opened again where the commit that it names is on another branch', async () => {
    const shop = await open([{ id: 'a', title: 'Make a' }])
    shop.git('switch', '-qc', 'side')
    commit(shop, tested('a'))
    const named = shop.git('rev-parse', 'HEAD')
    shop.git('switch', '-q', 'main')
    report(shop, 'a', { 'b.txt': 'b' }, '--result', JSON.stringify({ commit: named }))
    await shop.run(await shop.start(), 0)
    expect(started(shop)).toEqual(['reportRefused a'])
    expect((await row(shop, 'a')).failReason).toMatch(
      new RegExp(`there is no ${named}, the commit that was named with it: merge it$`),
    )
    shop.git('merge', '-q', 'side')
    ok(shop, 'abort')
    ok(shop, 'task', 'claim', 'a')
    ok(shop, 'task', 'done', 'a', '--result', JSON.stringify({ commit: named }))
    expect(ok(shop, 'verify', '--task', 'a')).toMatch(/^a verified on HEAD /)
  })

  it('is verified by a build of its own where nothing else is open', async () => {
    const shop = await open([{ id: 'a', title: 'Make a', filesExpected: ['a.js', '*.test.js'] }])
    report(shop, 'a', tested('a'))
    expect((await shop.run(await shop.start())).reason).toBe('AllTasksComplete')
    expect(started(shop)).toEqual(['reportVerified a'])
    expect(isReported(await row(shop, 'a'))).toBe(false)
  })

  it('that is reported while a build works is verified by it before a dependant starts', async () => {
    const shop = await open([{ id: 'b', title: 'Make b' }])
    const begun = await shop.start()
    ok(shop, 'task', 'create', 'late', 'Make it late', '-p', '9')
    ok(shop, 'task', 'claim', 'late')
    ok(shop, 'task', 'done', 'late')
    expect(isReported(await row(shop, 'late'))).toBe(true)
    expect((await shop.run(begun)).reason).toBe('AllTasksComplete')
    expect(started(shop)).toEqual(['reportVerified late', 'iterationStarted b'])
  })
})

it('agents that choose their task get a dependant only after that', () => {
  const made = project({ tasks: { one: [], two: ['one'] }, script: [claimingSession(null, ...does('two'))] })
  made.ok('claim', 'one')
  made.ok('done', 'one')
  const { code, stdout } = build(made)
  expect(code).toBe(0)
  expect(stdout).toMatch(/one: was reported done; verified on \w{10}: unit green[^]*two: [^]*build complete/)
})

describe('ralph verify --task', () => {
  it('verifies a report at once', async () => {
    const shop = await open()
    report(shop, 'a', tested('a'))
    const head = shop.git('rev-parse', 'HEAD')
    expect(ok(shop, 'verify', '--task', 'a')).toBe(`a verified on HEAD (${head.slice(0, 10)}): unit green (2 tests)\n`)
    expect((await row(shop, 'a')).reportedDone?.verified).toEqual({ commit: head, checks: 'unit green (2 tests)' })
    expect(JSON.parse(ok(shop, 'verify', '--task', 'a', '--json'))).toEqual({
      task: 'a',
      ok: true,
      commit: head,
      checks: 'unit green (2 tests)',
    })
    expect((await shop.run(await shop.start())).reason).toBe('AllTasksComplete')
    expect(started(shop)).toEqual(['iterationStarted b'])
  })

  it('opens the task again where a check is red, and exits with 4', async () => {
    const shop = await open()
    report(shop, 'a', tested('a', 'wrong'))
    const { code, stdout } = ralph(shop, 'verify', '--task', 'a')
    expect([code, stdout]).toEqual([
      4,
      expect.stringMatching(
        /^a NOT verified: it was reported done, and on HEAD \([0-9a-f]{10}\) unit is red\n[^]*\nIt is open again.\n$/,
      ),
    ])
    expect(await row(shop, 'a')).toMatchObject({ status: 'open', reportedDone: null, retryCount: 1, build: null })
  })

  it('proves the commit of a task that a build did', async () => {
    const shop = await open([{ id: 'b', title: 'Make b' }])
    await shop.run(await shop.start())
    expect(ok(shop, 'verify', '--task', 'b')).toMatch(
      /\n {11}proved: unit green \(2 tests\)\n(?: {11}.*\n)?1 commit: every one is proved\.\n$/,
    )
  })

  it.each([
    [['a'], 1, "task 'a' is not done (status: open), so there is nothing to verify"],
    [['nope'], 2, "task 'nope' not found"],
    [['a', 'HEAD'], 1, '--task and a commit or a build are mutually exclusive'],
  ])('refuses %j', async ([id = '', ...words], code, message) => {
    const shop = await open()
    expect(ralph(shop, 'verify', '--task', id, ...words)).toMatchObject({
      code,
      stderr: expect.stringContaining(`Error: ${message}`),
    })
  })
})
