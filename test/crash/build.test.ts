import { describe, expect, it } from 'vitest'
import { audit, brokenLaws } from './build-audit.ts'
import {
  BOUNDARIES,
  EFFECTS,
  endOf,
  killedAt,
  KILLED,
  leftUndisturbed,
  numbers,
  withProject,
  UNHARMED,
} from './build-kills.ts'
import { bundledBuild } from '../rig/build-process.ts'

const program = await bundledBuild()

it('undisturbed, a build keeps every law', async () => {
  const left = await leftUndisturbed(program)
  expect(brokenLaws(left)).toEqual([])
  expect(left.landed.map(({ attempt }) => attempt)).toEqual(['one/1/1', 'two/1/2', 'red/2/1'])
  expect(left.tasks).toEqual(['one done null 0', 'red done null 0', 'two done null 0'])
  expect(left.state).toBe('complete')
})

describe('kill -9 at a boundary of the first effects', () => {
  it.for(numbers(1, Math.floor(BOUNDARIES / 2)))('boundary %i: the same end', async (failpoint) => {
    const { left, wanted } = await killedAt(program, failpoint)
    expect(left).toEqual(wanted)
  })
})

describe('kill -9 after each effect', () => {
  it('a build whose every process is killed after one effect ends the same', async () => {
    await withProject(program, async (stage) => {
      for (let effect = 1; effect <= EFFECTS; effect += 1)
        expect({ effect, ...endOf(await stage.run({ RALPH_FAILPOINT: '3' }).life) }).toEqual({ effect, ...KILLED })
      const left = await leftUndisturbed(program)
      expect({ ...endOf(await stage.run().life), ...(await audit(stage)) }).toEqual({ ...UNHARMED, ...left })
    })
  })
})
