import { afterAll, beforeAll, expect, it } from 'vitest'
import { BOUNDARIES, killAtEach, numbers } from './build-kills.ts'
import { bundledBuild } from './build-stage.ts'

let made: Awaited<ReturnType<typeof bundledBuild>>

beforeAll(async () => {
  made = await bundledBuild()
})
afterAll(() => made.remove())

it('kill -9 at every boundary of the last effects: the same end', { timeout: 300_000 }, async () => {
  const half = Math.floor(BOUNDARIES / 2)
  // One more than there are: that run ends unharmed.
  expect(await killAtEach(made.program, half + 1, BOUNDARIES + 1)).toEqual(numbers(half + 1, BOUNDARIES))
})
