import { describe, expect, it } from 'vitest'
import { BOUNDARIES, endOf, killedAt, numbers, withProject, UNHARMED } from './build-kills.ts'
import { bundledBuild } from '../rig/build-process.ts'

const program = await bundledBuild()

describe('kill -9 at a boundary of the last effects', () => {
  it.for(numbers(Math.floor(BOUNDARIES / 2) + 1, BOUNDARIES))('boundary %i: the same end', async (failpoint) => {
    const { left, wanted } = await killedAt(program, failpoint)
    expect(left).toEqual(wanted)
  })

  it('there is no boundary after the last one', () =>
    withProject(program, async (stage) => {
      expect(endOf(await stage.run({ RALPH_FAILPOINT: String(BOUNDARIES + 1) }).life)).toEqual(UNHARMED)
    }))
})
