// Task commands that bypass the socket of a session: from an agent of the build, or from one outside it. A build takes
// neither for more than a claim.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Fact } from '../../src/core/fact/fact.ts'
import { taskId } from '../../src/core/values/id.ts'
import type { Task } from '../../src/core/task/task.ts'
import { RALPH, run } from '../rig/scratch.ts'
import { engineProject, type EngineProject } from '../rig/engine-project.ts'

const tested = (name: string, answer: string): Readonly<Record<string, string>> => ({
  [`${name}.js`]: `export const ${name} = () => '${answer}'\n`,
  [`${name}.test.js`]: `import { test } from 'node:test'\nimport assert from 'node:assert/strict'\nimport { ${name} } from './${name}.js'\ntest('${name}', () => assert.equal(${name}(), '${name}'))\n`,
})
const writing = (name: string, answer = name): object[] =>
  Object.entries(tested(name, answer)).map(([path, content]) => ({ write: { path, content } }))
const complete = { signal: { kind: 'TASK_COMPLETE' } }
const session = (task: string, ...steps: object[]): object => ({ role: 'implementer', task, steps })

const row = ({ context }: EngineProject, id: string): Promise<Task | null> =>
  context.store.tasks.find(context.scope, taskId(id))
const signals = (facts: readonly Fact[]) =>
  facts.flatMap((fact) => (fact.type === 'iterationDone' ? [`${fact.taskId} ${fact.signal?.kind ?? 'none'}`] : []))

/** `ralph task …` in the user's own checkout. */
function task({ folder, env }: EngineProject, agent: string, ...words: string[]): string {
  const how = { folder, env: { ...env, RALPH_AGENT_ID: agent } }
  const { code, stdout, stderr } = run(process.execPath, [RALPH, 'task', ...words], how)
  return code === 0 ? stdout : stderr
}

describe('an agent that leaves the socket aside', () => {
  const said = async (...words: string[]) => {
    const place = mkdtempSync(join(tmpdir(), 'ralph-past-'))
    onTestFinished(() => rmSync(place, { recursive: true, force: true }))
    const line = words.map((word) => `env -u RALPH_SOCKET ralph task ${word}`).join('; ')
    const engine = await engineProject({
      tasks: [
        { id: 'a', title: 'Make a' },
        { id: 'b', title: 'Make b', deps: ['a'] },
      ],
      toml: '[checks]\nunit = "npm test"\n[limits]\nattempts = 1\ninterventions = 0\n',
      script: [
        session('a', ...writing('a', 'wrong'), {
          run: `cd "$(cat ${place}/project)" && ( ${line} ) > ${place}/notes 2>&1`,
        }),
        session('b', complete),
      ],
    })
    writeFileSync(`${place}/project`, engine.folder)
    const { reason } = await engine.run(await engine.start())
    return { engine, reason, notes: readFileSync(`${place}/notes`, 'utf8') }
  }

  it.each([
    ['done a', 'done a\n'],
    [`done a --result '{"commit":"HEAD"}'`, 'done a\n'],
  ])('by %s claims no more than by its last line', async (words, printed) => {
    const { engine, reason, notes } = await said(words)
    expect(notes).toBe(printed)
    expect([reason, signals(engine.facts)]).toEqual(['HumanNeeded', ['a TASK_COMPLETE']])
    expect(await row(engine, 'a')).toMatchObject({ status: 'waiting', result: null, reportedDone: null })
    expect((await row(engine, 'b'))?.status).toBe('open')
  })

  it('does not say what a task claims that it makes', async () => {
    const { engine } = await said(`create n 'docs: n' --type docs`, 'done a')
    expect(await row(engine, 'n')).toMatchObject({ type: 'docs', fixedClaim: { claim: 'behaviour', from: 'default' } })
  })

  it('does not get rid of its task, nor changes the plan', async () => {
    const plan = ['delete a', 'delete --all --confirm', 'update a --status done', 'update b --title easy']
    const { notes, engine } = await said(...plan, 'done a')
    const refused =
      "Error: the plan is not a session's to change; inside an iteration there are peek, list, show, deps, plan-status, claim, renew, done, fail and create\n"
    expect(notes).toBe(`${refused.repeat(4)}done a\n`)
    expect((await row(engine, 'a'))?.status).toBe('waiting')
    expect(await row(engine, 'b')).toMatchObject({ title: 'Make b', status: 'open' })
  })
})

describe('an agent outside of the build', () => {
  /** Works on b in a checkout of its own, and prints its answers; a is the build's task. */
  async function joined(answer: string, word: (commit: string) => string[]) {
    const engine = await engineProject({
      tasks: [
        { id: 'a', title: 'Make a' },
        { id: 'b', title: 'Make b', priority: 3 },
        { id: 'c', title: 'Make c', deps: ['b'], priority: 3 },
      ],
      script: [
        session('a', ...writing('a'), complete),
        session('b', ...writing('b'), complete),
        session('c', ...writing('c'), complete),
      ],
    })
    const build = await engine.start()
    expect(task(engine, 'ada', 'claim', 'b')).toMatch(/^## Task b\n/)
    const tree = join(engine.folder, '../worktree')
    engine.git('worktree', 'add', '-q', tree, '-b', 'ada')
    mkdirSync(tree, { recursive: true })
    for (const [path, text] of Object.entries(tested('b', answer))) writeFileSync(join(tree, path), text)
    const git = (...args: string[]) =>
      execFileSync('git', args, { cwd: tree, env: engine.env, encoding: 'utf8' }).trim()
    git('add', '-A')
    git('commit', '-qm', 'b by ada')
    expect(task(engine, 'ada', 'done', 'b', ...word(git('rev-parse', 'HEAD')))).toBe('done b\n')
    expect(task(engine, 'bob', 'show', 'b')).toMatch(/^Status: {6}active$[^]*^Said done: {3}not verified yet$/m)
    expect(task(engine, 'bob', 'claim')).toMatch(/^## Task a\n/)
    expect(task(engine, 'bob', 'claim')).toBe('Error: No eligible tasks\n')
    expect(task(engine, 'bob', 'fail', 'a')).toBe('failed a\n')
    const { reason } = await engine.run(build)
    const sessions = engine.facts.filter((fact) => fact.type === 'iterationStarted').map(({ taskId: id }) => id)
    return { engine, reason, sessions }
  }

  it('has its commit verified and merged', async () => {
    const { engine, reason, sessions } = await joined('b', (commit) => ['--result', JSON.stringify({ commit })])
    expect([reason, sessions]).toEqual(['AllTasksComplete', ['a', 'b', 'c']])
    expect(await row(engine, 'b')).toMatchObject({
      status: 'done',
      retryCount: 0,
      result: { proof: { by: 'evidence' } },
    })
    const verdicts = engine.facts.flatMap((fact) =>
      fact.type === 'verified' ? [`${fact.taskId} ${fact.verdict.is}`] : [],
    )
    expect(verdicts).toEqual(['a green', 'b green', 'c green'])
    expect(engine.git('show', 'ralph/b_test1:b.js')).toBe("export const b = () => 'b'")
  })

  it.each([
    ['is red', 'wrong', (commit: string) => ['--result', JSON.stringify({ commit })], /not ok|failed|unit/i],
    [
      'is not named',
      'b',
      () => [],
      'not taken: name the commit that holds the work: ralph task done b --result \'{"commit": "…"}\'',
    ],
    [
      'is not there',
      'b',
      () => ['--result', '{"commit":"0123456789"}'],
      "not taken: '0123456789' is no commit or branch of this repository",
    ],
  ])('whose commit %s gets the task back with the reason; somebody does it', async (_, answer, word, reason) => {
    const { engine, reason: end } = await joined(answer, word)
    expect(end).toBe('AllTasksComplete')
    const done = await row(engine, 'b')
    expect(done).toMatchObject({ status: 'done', retryCount: 1 })
    if (typeof reason === 'string') expect(done?.failReason).toBe(reason)
    else expect(done?.failReason).toMatch(reason)
    expect(engine.git('show', 'ralph/b_test1:b.js')).toBe("export const b = () => 'b'")
  })
})
