// Every merged tree was verified itself, and a run that proves nothing is never green.
import { describe, expect, it } from 'vitest'
import type { Fact } from '../../src/core/fact/fact.ts'
import { engineProject, type EngineProject } from '../rig/engine-project.ts'

const test = (name: string, code: string) =>
  `import { test } from 'node:test'\nimport assert from 'node:assert/strict'\nimport { ${name} } from './${name}.js'\ntest('${name}', () => ${code})\n`
const sub = {
  write: { path: 'sub.js', content: 'export const sub = (a, b) => a - b\n' },
}
const subTest = { write: { path: 'sub.test.js', content: test('sub', 'assert.equal(sub(3, 2), 1)') } }
const complete = { signal: { kind: 'TASK_COMPLETE' } }
const give = { role: 'sia', steps: [{ answer: { type: 'escalate', reason: 'SIA gives up' } }] }

const verdicts = (facts: readonly Fact[]) =>
  facts.flatMap((fact) => (fact.type === 'verified' ? [fact.verdict.is === 'green' ? 'green' : fact.verdict] : []))

/** Every commit of the branch, with the tree that its evidence speaks of. */
async function proved(engine: EngineProject, build: string): Promise<{ tree: string; evidence: string | undefined }[]> {
  const records = await engine.context.store.builds.attachments(build as never, 'evidence')
  const commits = engine
    .git('log', '--reverse', '-z', '--format=%T %B', `main..ralph/${build}`)
    .split('\0')
    .filter(Boolean)
  return commits.map((commit) => {
    const id = /^Ralph-Evidence: (.+)$/m.exec(commit)?.[1]
    const green = records.find((record) => record.id === id && record.evidence.verdict === 'green')
    return { tree: commit.slice(0, 40), evidence: green?.evidence.tree }
  })
}

describe('a build', () => {
  it('merges what is green, on the tree that was verified, and leaves the checkout alone', async () => {
    const engine = await engineProject({
      tasks: [{ id: 'sub', title: 'Subtract two numbers' }],
      script: [{ task: 'sub', steps: [sub, subTest, complete] }],
    })
    const head = engine.git('rev-parse', 'main')
    const build = await engine.start()
    expect(await engine.run(build)).toEqual({ reason: 'AllTasksComplete' })
    const commits = await proved(engine, build.id)
    expect(commits).toHaveLength(1)
    for (const { tree, evidence } of commits) expect(evidence).toBe(tree)
    expect(engine.git('rev-parse', 'main')).toBe(head)
    expect(engine.git('status', '--porcelain')).toBe('?? ralph.toml')
  })

  it('catches a claim while red, and merges the mended attempt only', async () => {
    const broken = { write: { path: 'sub.js', content: 'export const sub = (a, b) => a + b\n' } }
    const engine = await engineProject({
      tasks: [{ id: 'sub', title: 'Subtract two numbers' }],
      script: [
        { task: 'sub', attempt: 1, steps: [broken, subTest, complete] },
        { task: 'sub', attempt: 2, steps: [sub, complete] },
      ],
    })
    const build = await engine.start()
    expect(await engine.run(build)).toEqual({ reason: 'AllTasksComplete' })
    expect(verdicts(engine.facts)).toEqual([
      { is: 'red', error: expect.stringContaining('unit failed (exit 1)') },
      'green',
    ])
    expect(engine.facts.filter((fact) => fact.type === 'taskFailed')).toHaveLength(1)
    expect(await proved(engine, build.id)).toHaveLength(1)
  })

  it('without a check starts no agent and asks the operator', async () => {
    const engine = await engineProject({
      tasks: [{ id: 'sub', title: 'Subtract two numbers' }],
      script: [{ task: 'sub', steps: [sub, complete] }, give],
      toml: '[checks]\n',
    })
    const build = await engine.start()
    expect(await engine.run(build)).toMatchObject({
      reason: 'HumanNeeded',
      detail: expect.stringMatching(/^No agent was started: no check is configured.*\n.*unit = "npm test"/),
    })
    expect(engine.facts.map(({ type }) => type)).toEqual(['baselineFailed'])
  })

  it('with a check that cannot fail verifies nothing and asks the operator', async () => {
    const sentence = /^nothing was verified, since no check said how many tests it ran: name one/
    const engine = await engineProject({
      tasks: [{ id: 'sub', title: 'Subtract two numbers' }],
      script: [{ task: 'sub', steps: [sub, complete] }, give],
      toml: '[checks]\nunit = "true"\n',
    })
    const build = await engine.start()
    expect(await engine.run(build)).toEqual({ reason: 'HumanNeeded' })
    expect(verdicts(engine.facts)).toEqual([
      { is: 'unverified', error: expect.stringMatching(sentence), mendedBy: 'operator' },
    ])
    expect(engine.git('for-each-ref', '--format=%(objectname)', `refs/heads/ralph/${build.id}`)).toBe(
      engine.git('rev-parse', 'main'),
    )
  })

  it('makes a project from nothing: the check is shown to notice a break', async () => {
    const manifest = {
      write: { path: 'package.json', content: '{"type":"module","scripts":{"test":"node --test"}}\n' },
    }
    const engine = await engineProject({
      files: {},
      probes: 'on',
      tasks: [
        { id: 'setup', title: 'Set the package up', type: 'setup', filesExpected: ['package.json'] },
        { id: 'sub', title: 'Subtract two numbers', deps: ['setup'] },
      ],
      script: [
        { task: 'setup', steps: [manifest, complete] },
        { task: 'sub', steps: [sub, subTest, complete] },
      ],
    })
    const build = await engine.start()
    expect(await engine.run(build)).toEqual({ reason: 'AllTasksComplete' })
    const records = await engine.context.store.builds.attachments(build.id, 'evidence')
    expect(records.map(({ evidence }) => [evidence.task, evidence.verdict])).toEqual([
      ['setup', 'green'],
      ['sub', 'green'],
    ])
    expect(records.map(({ evidence }) => evidence.probes?.strength)).toEqual(['kept', 'proved'])
    const commits = await proved(engine, build.id)
    expect(commits.map(({ tree }) => tree)).toEqual(commits.map(({ evidence }) => evidence))
  })
})
