// A process that ends after it moved the branch and before it recorded that, where the branch had moved before: the
// merged tree is not the one that was verified first, and only the commit carries its evidence.
import { expect, it } from 'vitest'
import { agentId } from '../../src/core/values/id.ts'
import { stopSwitch } from '../../src/engine/stop.ts'
import { reportBuild } from '../../src/operations/read/build-report.ts'
import { goOn } from '../../src/operations/builds/builds.ts'
import { answerTask } from '../../src/operations/builds/escalations.ts'
import { runBuild } from '../../src/operations/builds/run-build.ts'
import { engineProject } from '../rig/engine-project.ts'

const complete = { signal: { kind: 'TASK_COMPLETE' } }

function writes(path: string) {
  return { write: { path, content: 'export {}\n' } }
}

it('is found by what was intended, with the evidence of the tree that was merged', async () => {
  const engine = await engineProject({
    tasks: [
      { id: 'late', title: 'Late' },
      { id: 'soon', title: 'Soon' },
    ],
    script: [
      { task: 'late', attempt: 1, steps: [writes('late.js'), { signal: { kind: 'TASK_STUCK', reason: 'who knows' } }] },
      { role: 'sia', steps: [{ answer: { type: 'escalate', reason: 'somebody knows' } }] },
      { task: 'late', attempt: 2, steps: [writes('late.js'), complete] },
      { task: 'soon', steps: [writes('soon.js'), complete] },
    ],
  })
  const build = await engine.start()
  expect(await engine.run(build)).toEqual({ reason: 'HumanNeeded' })
  await answerTask(engine.context, 'I know')
  const stops = stopSwitch({ iterations: 9, whenSpent: { reason: 'Failed' }, until: null, now: Date.now })
  const cutOff = (name: string) => {
    if (name === 'performed merge') throw new Error('cut off')
  }
  const dying = { ...(await engine.openAgain()), failpoint: cutOff }
  const end = await runBuild({ ...engine.context, store: dying.store }, dying, build, stops, [agentId('bbbb')])
  expect(end).toMatchObject({ reason: 'Failed', detail: 'cut off' })

  const failed = (await engine.context.store.builds.find(build.id)) ?? build
  expect(await engine.run(await goOn(engine.context, failed))).toEqual({ reason: 'AllTasksComplete' })
  await (await engine.openAgain()).workspaces.mirror(build.id)
  const { merged } = await reportBuild(engine.context, build.id)
  const landed = engine.git('log', '--reverse', '--format=%H %T', `main..ralph/${build.id}`)
  expect(merged.map(({ commit, evidence }) => `${commit} ${evidence?.tree}`).join('\n')).toBe(landed)
  expect(engine.git('ls-tree', '--name-only', `ralph/${build.id}`)).toMatch(/late\.js[^]*soon\.js/)
})
