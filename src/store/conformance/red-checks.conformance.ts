// Checks that were red by themselves: found by their key alone, in every build and after every restart.
import { describe, expect, it } from 'vitest'
import type { CheckRun } from '../../core/evidence/evidence.ts'
import { type BuildId, taskId, type TreeId } from '../../core/values/id.ts'
import type { Attachment } from '../../core/builds/attachment.ts'
import { build, BUILD, type OpenStore, SCOPE, setUp, start } from './rig.conformance.ts'

const run: CheckRun = {
  name: 'unit',
  kind: 'check',
  checkHash: 'sha256:unit',
  argv: ['/bin/sh', '-c', 'npm test'],
  exit: 1,
  how: 'exited',
  durationMs: 10,
  tests: { source: 'vitest', run: 2, failed: 1, skipped: 0 },
  names: { passed: ['a'], failed: ['b'], skipped: [] },
  outputDigest: 'sha256:0',
  outputTail: 'no\n',
  report: null,
  cached: false,
}

const red = (key: string, exit: number): Attachment => ({
  kind: 'redCheck',
  key,
  tree: 'tree' as TreeId,
  task: taskId('a'),
  run: { ...run, exit },
})

export function describeRedChecks(open: OpenStore): void {
  describe('a check that was red', () => {
    it('is known in every build, and to whoever opens the store again', async () => {
      const rig = await setUp(open)
      await start(rig, { a: [] })
      const other = { ...build(rig), id: 'b2' as BuildId }
      await rig.store.builds.create(SCOPE, other, [])
      await rig.store.builds.keep(BUILD, [red('one', 1)])
      await rig.store.builds.keep(other.id, [red('two', 2)])
      for (const store of [rig.store, await rig.again()]) {
        expect(await store.builds.redCheck('one')).toEqual({ ...run, exit: 1 })
        expect(await store.builds.redCheck('two')).toEqual({ ...run, exit: 2 })
        expect(await store.builds.redCheck('three')).toBeNull()
      }
    })
  })
}
