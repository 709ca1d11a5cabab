// kill -9 after a patch is in the folder and before that is recorded: the same iteration runs again, on the tree that
// it started from.
import { describe, expect, it } from 'vitest'
import { project } from '../rig/project.ts'

const diff = '--- a/one.js\n+++ b/one.js\n@@ -1 +1,2 @@\n export const one = () => 1\n+export const two = () => 2\n'
const test =
  "import { test } from 'node:test'\nimport assert from 'node:assert/strict'\nimport { two } from './one.js'\ntest('two', () => assert.equal(two(), 2))\n"
const patch = `${diff}--- /dev/null\n+++ b/two.test.js\n@@ -0,0 +1,4 @@\n${test.replaceAll(/^(?=.)/gm, '+')}`

describe('a build by patches that is killed', () => {
  it('goes on without applying anything twice', () => {
    const made = project({
      script: [
        {
          role: 'implementer',
          task: 'two',
          steps: [{ answer: { diff: patch, signal: 'TASK_COMPLETE' } }],
        },
      ],
    })
    made.write('ralph.toml', made.read('ralph.toml').replace('[checks]', 'tools = "none"\n[checks]'))
    // The second boundary: the patch is applied, and not recorded.
    expect(made.ralph(['build'], { env: { RALPH_FAILPOINT: '2' } }).code).not.toBe(0)
    const end = made.ralph(['build'])
    expect([end.code, end.stdout]).toEqual([0, expect.not.stringContaining('was not applied')])
    const branch = `ralph/${made.build()}`
    expect(made.git('log', '--format=%s', `main..${branch}`)).toBe('feat: Add two\n')
    expect(made.git('show', `${branch}:one.js`)).toBe('export const one = () => 1\nexport const two = () => 2\n')
  })
})
