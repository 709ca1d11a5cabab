// A session that is stopped while the engine runs checks for it: they end with it, not at their own end.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { inOrder } from '../model-server/scenario.ts'
import { startModelServer } from '../model-server/server.ts'
import { team } from '../model-server/team.ts'
import { call, say } from '../model-server/turn.ts'
import { processesOf } from '../real-agents/processes.ts'
import { KEY, MODEL } from './model-agent.ts'
import { project } from '../rig/project.ts'

const files = [
  { path: 'two.js', content: 'export const two = () => 2\n' },
  {
    path: 'two.test.js',
    content:
      "import { test } from 'node:test'\nimport assert from 'node:assert/strict'\nimport { two } from './two.js'\ntest('two', () => assert.equal(two(), 2))\n",
  },
]

const implementer = inOrder(
  call('repo_apply_patch', { files }),
  call('run_checks', {}),
  say('two() is there.\n\nTASK_COMPLETE'),
)

/** Hangs on the first tree that has work in it; `mark` records that run. */
const unit = (mark: string): string =>
  `if [ -e '${mark}' ] || [ ! -e two.js ]; then node --test; else touch '${mark}'; sleep 1000; fi`

it('checks that a session asked for end when its time is up, and the work goes on', async () => {
  const server = await startModelServer(team({ implementer }))
  onTestFinished(server.close)
  const toml = (root: string): string[] => [
    ...['[agents]', 'default = "model"'],
    ...['[agent.model]', `model = "${MODEL}"`, `base_url = "${server.address}"`, 'timeout = "5s"'],
    ...['[checks]', `unit = ${JSON.stringify(unit(join(root, 'hung')))}`, ''],
  ]
  const made = project({ toml: (root) => toml(root).join('\n') })
  made.ok('create', 'add-two', 'Add two()')
  const { code, stdout, stderr } = await made.start(['build'], { ANTHROPIC_API_KEY: KEY }).ended
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('Error') })
  expect(stdout).toContain('was not done after 5 s and was stopped')
  expect(existsSync(join(made.root, 'hung'))).toBe(true)
  expect(made.json('status')).toMatchObject({ state: 'complete', tasks: [{ id: 'add-two', status: 'done' }] })
  expect(processesOf(made.root)).toEqual([])
})
