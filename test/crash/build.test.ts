import { afterAll, beforeAll, expect, it } from 'vitest'
import { audit, brokenLaws } from './build-audit.ts'
import {
  BOUNDARIES,
  EFFECTS,
  endOf,
  KILLED,
  killAtEach,
  numbers,
  staged,
  undisturbed,
  UNHARMED,
} from './build-kills.ts'
import { bundledBuild } from './build-stage.ts'

let made: Awaited<ReturnType<typeof bundledBuild>>

beforeAll(async () => {
  made = await bundledBuild()
})
afterAll(() => made.remove())

it('undisturbed, a build keeps every law', async () => {
  const wanted = await undisturbed(made.program)
  expect([brokenLaws(wanted), wanted.landed.map(({ attempt }) => attempt), wanted.tasks, wanted.state]).toEqual([
    [],
    ['one/1/1', 'two/1/2', 'red/2/1'],
    ['one done null 0', 'red done null 0', 'two done null 0'],
    'complete',
  ])
})

it('kill -9 at every boundary of the first effects: the same end', { timeout: 300_000 }, async () => {
  const half = Math.floor(BOUNDARIES / 2)
  expect(await killAtEach(made.program, 1, half)).toEqual(numbers(1, half))
})

it('a build whose every process is killed after one effect ends the same', { timeout: 120_000 }, async () => {
  const wanted = await undisturbed(made.program)
  await staged(made.program, async (stage) => {
    for (let effect = 1; effect <= EFFECTS; effect += 1)
      expect({ effect, ...endOf(await stage.run({ RALPH_FAILPOINT: '3' }).life) }).toEqual({ effect, ...KILLED })
    expect({ ...endOf(await stage.run().life), ...(await audit(stage)) }).toEqual({ ...UNHARMED, ...wanted })
  })
})
