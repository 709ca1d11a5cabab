import { describe, expect, it } from 'vitest'
import { type Outage, whoWorks } from './fallback.ts'

const limit = (until: number): Outage => ({ is: 'limit', reason: `limited until ${until}`, until })
const mend = (until: number): Outage => ({ is: 'mend', reason: 'logged out', until })

const out = (agent: string, outage: Outage) => ({ agent, outage })

describe('who works', () => {
  it.each<[string, Record<string, Outage>, ReturnType<typeof whoWorks<string, Outage>>]>([
    ['the first, where it can', {}, { is: 'works', agent: 'a' }],
    ['the first, whoever else cannot', { b: limit(1), c: mend(1) }, { is: 'works', agent: 'a' }],
    ['the second, where the first is limited', { a: limit(9) }, { is: 'works', agent: 'b' }],
    ['the second, where the first has to be mended', { a: mend(9) }, { is: 'works', agent: 'b' }],
    ['the third, where two cannot', { a: mend(9), b: limit(9) }, { is: 'works', agent: 'c' }],
    [
      'whose limit is over first, where none can',
      { a: limit(9), b: limit(3), c: limit(5) },
      { is: 'waits', ...out('b', limit(3)) },
    ],
    [
      'the first of those with the same',
      { a: limit(3), b: limit(3), c: limit(3) },
      { is: 'waits', ...out('a', limit(3)) },
    ],
    [
      'a limit, also where others are mended before',
      { a: mend(1), b: limit(9), c: mend(2) },
      { is: 'waits', ...out('b', limit(9)) },
    ],
    [
      'nobody, where all have to be mended',
      { a: mend(9), b: mend(3), c: mend(5) },
      { is: 'stops', all: [out('a', mend(9)), out('b', mend(3)), out('c', mend(5))] },
    ],
  ])('%s', (_, outages, choice) => {
    expect(whoWorks(['a', 'b', 'c'], (agent) => outages[agent] ?? null)).toEqual(choice)
  })
})
