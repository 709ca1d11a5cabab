// The same kills where the agent works in the user's own checkout.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { audit, type Audit } from './build-audit.ts'
import { endOf, killedAt, leftUndisturbed, numbers, withProject, STORY, UNHARMED } from './build-kills.ts'
import { bundledBuild, type KillableProject } from '../rig/build-process.ts'

const IN_PLACE = {
  tasks: STORY.tasks.filter(({ id }) => id !== 'two'),
  script: STORY.script,
  files: { '.gitignore': 'ralph.toml\n.env\n' },
  where: 'in-place',
} as const
/** Iterate, verify, review, merge; `red` iterates and is verified once more. Around each: begun, performed, recorded. */
const BOUNDARIES = 3 * (4 + 6)
const KILLS = 12

const program = await bundledBuild()

const laws = ({ head, checkout, history, fsck, processes, state }: Audit) => ({
  head: head.replace(/b_\w+/, 'BUILD'),
  ...{ checkout, history, fsck, processes, state },
})

it('undisturbed, the checkout is clean on the build branch, and the base branch is as it was', async () => {
  expect(laws(await leftUndisturbed(program, IN_PLACE))).toEqual({
    head: 'ralph/BUILD',
    checkout: '',
    history: 'start',
    fsck: '',
    processes: [],
    state: 'complete',
  })
})

describe('kill -9 at a boundary of its effects', () => {
  it.for(numbers(1, BOUNDARIES))('boundary %i: the same end', async (failpoint) => {
    const { left, wanted } = await killedAt(program, failpoint, IN_PLACE)
    expect(left).toEqual(wanted)
  })
})

async function killedAfter(stage: KillableProject, delayMs: number): Promise<boolean> {
  let begun = (): void => {}
  const hasBegun = new Promise<void>((resolve) => (begun = resolve))
  const running = stage.run({}, () => begun())
  await Promise.race([hasBegun, running.life])
  await sleep(delayMs)
  running.kill()
  return (await running.life).signal !== null
}

it(`kill -9 at ${KILLS} moments of one build: the same end, and what is ignored is untouched`, async () => {
  const wanted = await leftUndisturbed(program, IN_PLACE)
  const work = async (stage: KillableProject): Promise<void> => {
    writeFileSync(join(stage.folder, '.env'), 'SECRET=1\n')
    let killed = 0
    while (killed < KILLS && (await killedAfter(stage, killed * 25))) killed += 1
    const last = await stage.run().life
    const isOver = last.end?.reason === 'AllTasksComplete'
    expect({ ...(isOver ? endOf(last) : { last }), ...(await audit(stage)) }).toEqual({ ...UNHARMED, ...wanted })
    expect(killed).toBeGreaterThan(0)
    expect(readFileSync(join(stage.folder, '.env'), 'utf8')).toBe('SECRET=1\n')
  }
  await withProject(program, work, IN_PLACE)
})
