// A build by an agent without tools: it answers with patches, and the engine applies them.
import { describe, expect, it } from 'vitest'
import type { Fact } from '../../src/core/fact/fact.ts'
import { engineProject, type EngineProject } from '../rig/engine-project.ts'

const TOML = 'tools = "none"\n[checks]\nunit = "npm test"\n'
const test = `import { test } from 'node:test'\nimport assert from 'node:assert/strict'\nimport { sub } from './sub.js'\ntest('sub', () => assert.equal(sub(3, 2), 1))\n`
const files = [
  { path: 'sub.js', content: 'export const sub = (a, b) => a - b\n' },
  { path: 'sub.test.js', content: test },
]
const give = { role: 'sia', steps: [{ answer: { type: 'escalate', reason: 'SIA gives up' } }] }

const task = {
  id: 'sub',
  title: 'Subtract two numbers',
  description: 'Like sum() in sum.js.',
  acceptance: ['sub(3, 2) is 1'],
}

const errors = (facts: readonly Fact[]) => facts.flatMap((fact) => (fact.type === 'iterationDone' ? [fact.error] : []))

async function iterations({ context }: EngineProject, build: string) {
  return context.store.builds.attachments(build as never, 'iteration')
}

describe('a build by patches', () => {
  it('takes files and diffs, and merges what is green', async () => {
    const engine = await engineProject({
      tasks: [task],
      script: [
        {
          task: 'sub',
          iteration: 1,
          steps: [{ answer: { task_id: 'sub', files: files.slice(0, 1), notes: 'sub() is there, its test is not.' } }],
        },
        {
          task: 'sub',
          iteration: 2,
          steps: [
            {
              answer: {
                diff: `--- /dev/null\n+++ b/sub.test.js\n@@ -0,0 +1,4 @@\n${test.replaceAll(/^(?=.)/gm, '+')}`,
                touched_files: ['sub.test.js'],
              },
            },
            { signal: { kind: 'TASK_COMPLETE' } },
          ],
        },
      ],
      toml: TOML,
    })
    const build = await engine.start()
    expect(await engine.run(build)).toEqual({ reason: 'AllTasksComplete' })
    expect(errors(engine.facts)).toEqual([null, null])
    const [first] = await iterations(engine, build.id)
    expect(first?.scratchpad).toContain('sub() is there, its test is not.')
    expect(engine.git('diff', '--name-only', 'main', `ralph/${build.id}`)).toBe('sub.js\nsub.test.js')
  })

  it('tells the next iteration why a patch was not applied, and shows it the files that matter', async () => {
    const engine = await engineProject({
      tasks: [task],
      script: [
        {
          task: 'sub',
          iteration: 1,
          steps: [{ answer: { files: [{ path: '../sub.js', content: 'x' }], signal: 'TASK_COMPLETE' } }],
        },
        {
          task: 'sub',
          iteration: 2,
          steps: [{ savePrompt: 'prompt.txt' }, { answer: { files, signal: 'TASK_COMPLETE' } }],
        },
      ],
      toml: TOML,
    })
    const build = await engine.start()
    expect(await engine.run(build)).toEqual({ reason: 'AllTasksComplete' })
    const refusal = 'the patch was not applied: ../sub.js leads out of the project; name files inside of it only'
    expect(errors(engine.facts)).toEqual([refusal, null])
    const prompt = engine.git('show', `ralph/${build.id}:prompt.txt`)
    expect(prompt).toContain(`- attempt 1, iteration 1: ${refusal}\n`)
    expect(prompt).toContain('<files>\npackage.json\nsum.js\nsum.test.js\n</files>')
    expect(prompt).toContain('<file path="sum.js">\nexport const sum = (a, b) => a + b\n</file>')
  })

  it('is stuck after three patches that do not fit, and asks for help', async () => {
    const engine = await engineProject({
      tasks: [task],
      script: [{ task: 'sub', steps: [{ answer: { diff: '--- a/no.js\n+++ b/no.js\n@@ -1 +1 @@\n-a\n+b\n' } }] }, give],
      toml: TOML,
    })
    const build = await engine.start()
    expect(await engine.run(build)).toMatchObject({ reason: 'HumanNeeded' })
    expect(errors(engine.facts)).toEqual(
      Array.from({ length: 3 }, () => expect.stringContaining('no.js is not in the project')),
    )
  })

  const about = { name: 'app', version: '1.0.0' }
  const manifest = (dependencies: object) =>
    JSON.stringify({ ...about, type: 'module', dependencies, scripts: { test: 'node --test *.test.js' } })
  const usesLib = [
    { path: 'package.json', content: manifest({ lib: 'file:lib' }) },
    {
      path: 'lib/package.json',
      content: '{"name": "lib", "version": "1.0.0", "type": "module", "exports": "./lib.js"}',
    },
    { path: 'lib/lib.js', content: 'export const two = 2\n' },
    {
      path: 'two.test.js',
      content: test.replace("{ sub } from './sub.js'", "{ two } from 'lib'").replace('sub(3, 2), 1', 'two, 2'),
    },
  ]

  it.each([
    [
      'its lockfile is brought up to date',
      { 'package-lock.json': JSON.stringify({ ...about, lockfileVersion: 3, packages: { '': about } }) },
      '[workspace]\nsetup = "npm ci"\n',
      'npm ci',
    ],
    ['no setup is named and none is locked', {}, '', 'npm install --no-package-lock --no-audit --no-fund'],
  ])('installs what a patch adds to package.json: %s', async (_, more, toml, setup) => {
    const approve = { answer: { decision: 'approve', reasons: ['the task asks for it'], required_fixes: [] } }
    const engine = await engineProject({
      files: {
        'package.json': manifest({}),
        '.gitignore': 'node_modules\n',
        'one.test.js': test.replace(/^import .*sub.*\n/m, '').replace('sub(3, 2)', '1'),
        ...more,
      },
      tasks: [{ id: 'two', title: 'Use lib', type: 'setup' }],
      script: [
        { role: 'implementer', steps: [{ answer: { files: usesLib, signal: 'TASK_COMPLETE' } }] },
        { role: 'reviewer', steps: [approve] },
      ],
      toml: `${TOML}${toml}`,
    })
    const build = await engine.start()
    expect(await engine.run(build)).toEqual({ reason: 'AllTasksComplete' })
    const [kept] = await engine.context.store.builds.attachments(build.id, 'evidence')
    expect([kept?.evidence.verdict, kept?.evidence.recipe.setup]).toEqual(['green', setup])
    if ('package-lock.json' in more)
      expect(engine.git('show', `ralph/${build.id}:package-lock.json`)).toContain('"lib": "file:lib"')
  })
})
