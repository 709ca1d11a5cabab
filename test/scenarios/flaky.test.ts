// A project with a test that fails now and then on the base builds without a human. The test is named with its counts,
// and no tree gets a second try.
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { taskId } from '../../src/core/values/id.ts'
import { engineProject, type EngineProject } from '../rig/engine-project.ts'

/** Counts its runs in a file outside of every checkout: each second run fails. */
const sometimes = (count: string): string =>
  [
    "import { appendFileSync, readFileSync } from 'node:fs'",
    "import { test } from 'node:test'",
    "import assert from 'node:assert/strict'",
    "test('sometimes', () => {",
    `  appendFileSync(${JSON.stringify(count)}, 'x')`,
    `  assert.equal(readFileSync(${JSON.stringify(count)}, 'utf8').length % 2, 1)`,
    '})',
    '',
  ].join('\n')

const adds = (name: string): object => ({
  role: 'implementer',
  task: name,
  steps: [
    { write: { path: `${name}.js`, content: `export const ${name} = () => '${name}!'\n` } },
    {
      write: {
        path: `${name}.test.js`,
        content: `import { test } from 'node:test'\nimport assert from 'node:assert/strict'\nimport { ${name} } from './${name}.js'\ntest('${name}', () => assert.equal(${name}(), '${name}!'))\n`,
      },
    },
    { signal: { kind: 'TASK_COMPLETE' } },
  ],
})

function flakyProject(...script: readonly object[]): Promise<EngineProject> {
  return engineProject({
    script,
    tasks: [{ id: 'one', title: 'Add one' }],
    toml: '[checks]\nunit = "npm test"\n[review]\nwhen = "never"\n[limits]\nattempts = 1\ninterventions = 0\n',
    files: {
      'package.json': '{"name":"sum","type":"module","scripts":{"test":"node --test"}}\n',
      'steady.test.js': "import { test } from 'node:test'\ntest('steady', () => {})\n",
    },
  })
}

it('a flaky test of the base fails no task, and is named with its counts', async () => {
  const made = await flakyProject(adds('one'))
  const count = join(dirname(made.folder), 'count')
  writeFileSync(join(made.folder, 'sometimes.test.js'), sometimes(count))
  made.git('add', '--all')
  made.git('commit', '-qm', 'a test that fails now and then')
  const build = await made.start()
  expect((await made.run(build)).reason).toBe('AllTasksComplete')
  const [kept] = await made.context.store.builds.attachments(build.id, 'evidence', taskId('one'))
  const [unit] = kept?.evidence.checks ?? []
  expect(unit?.flaky).toEqual([{ check: 'unit', name: 'sometimes', failed: 1, runs: 2, on: 'base' }])
  expect(kept?.evidence.notes.join('\n')).toContain("'sometimes' is flaky: it failed in 1 of 2 runs of the base")
})
