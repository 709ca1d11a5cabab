import { expect, it } from 'vitest'
import { openWorkshop } from './workshop.ts'

it('merges what is green', async () => {
  const shop = await openWorkshop({
    tasks: [{ id: 'sub', title: 'Subtract two numbers' }],
    parts: [
      {
        task: 'sub',
        steps: [
          { write: { path: 'sub.js', content: 'export const sub = (a, b) => a - b\n' } },
          { write: { path: 'sub.test.js', content: "import { test } from 'node:test'\nimport assert from 'node:assert/strict'\nimport { sub } from './sub.js'\ntest('subtracts', () => assert.equal(sub(3, 2), 1))\n" } },
          { signal: { kind: 'TASK_COMPLETE' } },
        ],
      },
    ],
  })
  const build = await shop.start()
  const stop = await shop.run(build)
  expect(stop).toEqual({ reason: 'AllTasksComplete' })
  const again = await shop.openAgain()
  console.log(await again.workspaces.mirror(build.id))
  console.log(shop.git('for-each-ref'))
  console.log(shop.git('log', '--stat', `ralph/${build.id}`))
})
