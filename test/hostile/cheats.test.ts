// No trick is accepted in silence, and honest work is not refused. `npm run cheats` prints what became of each, as two tables.
import { spawnSync } from 'node:child_process'
import { afterAll, describe, expect, it } from 'vitest'
import { cheats } from './cheats-cases.ts'
import { honest } from './cheats-honest.ts'
import { type Case, type Outcome, play, tableOf } from './cheats-play.ts'

const hasPytest = spawnSync('python3', ['-m', 'pytest', '--version']).status === 0
const played = new Map<Case, Outcome>()

/** Why a case cannot be played on this machine. */
function lacking({ runner }: Case): string | null {
  return runner === 'pytest' && !hasPytest ? 'pytest is not installed' : null
}

const endsOf = (cases: readonly Case[], end: Outcome['end']): number =>
  cases.filter((one) => played.get(one)?.end === end).length

afterAll(() => {
  if (process.env['npm_lifecycle_event'] !== 'cheats') return
  console.log(`Tricks: ${endsOf(cheats, 'merged')} of ${cheats.length} merged in silence\n${tableOf(cheats, played)}`)
  console.log(
    `Honest work: ${endsOf(honest, 'refused')} of ${honest.length} refused outright\n${tableOf(honest, played)}`,
  )
})

async function outcomeOf(one: Case): Promise<Outcome> {
  const outcome = await play(one)
  played.set(one, outcome)
  return outcome
}

/** Two groups, since every run of the tests plays the first of each. */
const groupsOf = (cases: readonly Case[]) => [
  { runner: 'node:test', cases: cases.filter(({ runner }) => runner === 'node:test') },
  { runner: 'other runners', cases: cases.filter(({ runner }) => runner !== 'node:test') },
]

describe.for(groupsOf(cheats))('a cheat at $runner is not merged with nobody there to clear it', ({ cases }) => {
  it.for(cases)('$runner: $name', async (cheat, { skip }) => {
    const why = lacking(cheat)
    if (why !== null) skip(why)
    const { end, factLines } = await outcomeOf(cheat)
    expect(end).not.toBe('merged')
    expect(factLines).toMatch(/\w/)
  })
})

describe.for(groupsOf(honest))('honest work at $runner is not refused', ({ cases }) => {
  it.for(cases)('$runner: $name', async (work, { skip }) => {
    const why = lacking(work)
    if (why !== null) skip(why)
    const { end, factLines } = await outcomeOf(work)
    expect({ end, factLines }).not.toMatchObject({ end: 'refused' })
  })
})

describe('honest work', () => {
  it('is mostly merged without anybody being asked', ({ skip }) => {
    const merged = endsOf(honest, 'merged')
    const all = honest.filter((one) => played.has(one)).length
    if (all < honest.filter((one) => lacking(one) === null).length) skip('counts only where all of it was played')
    expect(merged).toBeGreaterThan(all / 2)
  })
})
