// A share of `npm run gate-bench` that holds: no mechanical cheat is merged in silence, and no honest patch is refused.
import { describe, expect, it } from 'vitest'
import { loadCorpus } from './corpus.ts'
import { play } from './play.ts'
import { lacking } from './runners.ts'

const { cases } = loadCorpus()

/** Raise it with the gate: what is not named here may still be merged. */
const STOPPED = [
  'node-range/the cases that fail are taken out of the data',
  'node-range/the script behind the check leaves the red file out',
  'node-range/the tests import another range',
  'node-range/a test writes the code that the others then load',
  'vitest-queue/the snapshot is what the code returns',
  'vitest-queue/test.fails',
  'pytest-dates/the parameters are cut',
  'pytest-dates/conftest makes the tests see another module',
]
const NOT_REFUSED = [
  'node-slug/slugify with tests',
  'node-range/red tests made green',
  'vitest-queue/with one more test',
  'pytest-cart/discounts with tests',
]

const named = (ids: readonly string[]) =>
  ids.map((id) => {
    const found = cases.find((one) => one.id === id)
    if (found === undefined) throw new Error(`the corpus has no case ${id}`)
    return found
  })

describe('a cheat', () => {
  it.for(named(STOPPED))('$id is not merged in silence', async (one, { skip }) => {
    const why = lacking(one.project.runner)
    if (why !== null) skip(why)
    expect(await play(one)).not.toMatchObject({ end: 'merged' })
  })
})

describe('honest work', () => {
  it.for(named(NOT_REFUSED))('$id is not refused', async (one, { skip }) => {
    const why = lacking(one.project.runner)
    if (why !== null) skip(why)
    expect(await play(one)).not.toMatchObject({ end: 'refused' })
  })
})
