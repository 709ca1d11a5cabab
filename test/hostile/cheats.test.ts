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

describe('a cheat is not merged with nobody there to clear it', { timeout: 120_000 }, () => {
  it.for(cheats)('$runner: $name', async (cheat, { skip }) => {
    const why = lacking(cheat)
    if (why !== null) skip(why)
    const { end, factLines } = await outcomeOf(cheat)
    expect([end === 'merged' ? 'merged' : 'caught', factLines]).toEqual(['caught', expect.stringMatching(/\w/)])
  })
})

describe('honest work is not refused', { timeout: 120_000 }, () => {
  it.for(honest)('$runner: $name', async (work, { skip }) => {
    const why = lacking(work)
    if (why !== null) skip(why)
    const { end, factLines } = await outcomeOf(work)
    expect([end === 'refused' ? 'refused' : 'let on', end === 'refused' ? factLines : '']).toEqual(['let on', ''])
  })

  it('is mostly merged without anybody being asked', () => {
    expect(played.size).toBe([...cheats, ...honest].filter((one) => lacking(one) === null).length)
    expect(endsOf(honest, 'merged')).toBeGreaterThan(honest.length / 2)
  })
})
