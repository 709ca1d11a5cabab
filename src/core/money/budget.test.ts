import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Amount,
  type Budget,
  charge,
  type Grant,
  growAllowance,
  isOver,
  type Ledger,
  NO_BUDGET,
  openCharge,
  reserve,
  seenAmount,
} from './budget.ts'
import { NOTHING, type Used } from './spending.ts'

const of = (usd: number, tokens = 0): Amount => ({ usd, tokens })
const ledger = (rest: Partial<Ledger> = {}): Ledger => ({
  budget: { usd: 10, tokens: null },
  charged: of(0),
  open: 0,
  recent: [],
  ...rest,
})

describe('a reservation', () => {
  it.each<[string, Ledger, Grant]>([
    ['without a budget is what a first session may need', ledger({ budget: NO_BUDGET }), granted(1, 200_000)],
    ['of which nothing is known', ledger({ budget: { usd: 50, tokens: null } }), granted(1, 200_000)],
    ['of a small budget is a tenth', ledger({ budget: { usd: 2, tokens: 1_000 } }), granted(0.2, 100)],
    ['is the largest of the last sessions', ledger({ recent: [of(2, 5), of(3, 4)] }), granted(3, 5)],
    ['is never more than what is left', ledger({ recent: [of(3)], charged: of(9) }), granted(1)],
    ['beside others is at most half of what is left', ledger({ recent: [of(3)], charged: of(6), open: 1 }), granted(2)],
    ['is held where that is too little', ledger({ recent: [of(3)], charged: of(9), open: 1 }), { is: 'held' }],
    ['is held where others have all of it', ledger({ charged: of(10), open: 2 }), { is: 'held' }],
    ['is refused where nothing is left', ledger({ charged: of(10) }), { is: 'spent' }],
    ['is refused where more than all is spent', ledger({ charged: of(12) }), { is: 'spent' }],
    [
      'is refused where the tokens are spent',
      ledger({ budget: { usd: 10, tokens: 5 }, charged: of(0, 5) }),
      { is: 'spent' },
    ],
  ])('%s', (_, before, grant) => {
    expect(reserve(before)).toEqual(grant)
  })
})

function granted(usd: number, tokens = 0): Grant {
  return { is: 'granted', reserved: expect.objectContaining(tokens === 0 ? { usd } : of(usd, tokens)) as Amount }
}

describe('a session that uses what was set aside for it', () => {
  it.each<[string, Ledger, Amount, Amount, number]>([
    ['has it as long as it lasts', ledger(), of(1), of(0.9), 1],
    ['is given as much again', ledger({ recent: [of(2)] }), of(2), of(2.5), 4.5],
    ['is given no more than is left', ledger({ recent: [of(2)], charged: of(7) }), of(2), of(2), 3],
    ['is given nothing where nothing is left', ledger({ charged: of(9) }), of(1), of(1.5), 1],
    ['has nothing any more where the budget was lowered', ledger({ charged: of(11) }), of(1), of(1.5), 0],
    ['needs none where there is no budget', ledger({ budget: NO_BUDGET }), of(1), of(9), 1],
  ])('%s', (_, before, reserved, seen, usd) => {
    expect(growAllowance(before, reserved, seen).usd).toBe(usd)
  })
})

describe('what is charged', () => {
  const reserved = of(1, 1_000)
  const used = (costUsd: number | null, inputTokens = 0): Used => ({ inputTokens, outputTokens: 0, costUsd })
  it.each<[string, Used, number | null, string | null, Amount]>([
    ['what was said', used(0.5, 300), null, null, of(0.5, 300)],
    ['more than was set aside', used(5, 9_000), null, 'killed', of(5, 9_000)],
    ['no price: as much as its tokens were before', used(null, 300), 0.001, 'killed', of(0.3, 300)],
    ['no price, ever: all that was set aside', used(null, 300), null, null, of(1, 300)],
    ['nothing said at all: all that was set aside', NOTHING, 0.001, null, reserved],
    ['nothing said by a session that was stopped', NOTHING, null, 'killed', reserved],
    ['turned away: nothing', NOTHING, null, 'rateLimit', of(0)],
    ['free of charge', used(0, 300), null, null, of(0, 300)],
  ])('%s', (_, usage, rate, failure, expected) => {
    expect(charge(reserved, usage, rate, failure)).toEqual(expected)
  })

  it('while it runs is what is set aside, or more where more was used', () => {
    expect(openCharge(reserved, seenAmount(used(null, 3_000), 0.0001))).toEqual(of(1, 3_000))
  })
})

/** One loop of a simulated build: the cost of its sessions, event by event. */
interface Player {
  readonly sessions: readonly (readonly number[])[]
}

const players = fc.array(
  fc.record<Player>({
    sessions: fc.array(fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 8 }), { maxLength: 6 }),
  }),
  { minLength: 1, maxLength: 5 },
)

interface Row {
  reserved: Amount
  seen: Amount
  charged: Amount
  isOpen: boolean
}

/** The ledger as a store keeps it: sums over all rows, and the sessions that were settled last. */
function bookOf(budget: Budget) {
  const rows: Row[] = []
  const ledgerFor = (own: Row | null): Ledger => {
    const others = rows.filter((row) => row !== own)
    const sum = (part: keyof Amount): number => others.reduce((all, row) => all + row.charged[part], 0)
    return {
      budget,
      charged: { usd: sum('usd'), tokens: sum('tokens') },
      open: others.filter(({ isOpen }) => isOpen).length,
      recent: others
        .filter(({ isOpen }) => !isOpen)
        .slice(-10)
        .map(({ charged }) => charged),
    }
  }
  return { rows, ledgerFor }
}

/** Steps of random loops in a random order; an event during the stop of the agent still counts. */
function* steps(budget: Budget, { sessions }: Player, book: ReturnType<typeof bookOf>, over: number[]) {
  for (const events of sessions) {
    let grant = reserve(book.ledgerFor(null))
    for (; grant.is === 'held'; grant = reserve(book.ledgerFor(null))) yield
    if (grant.is === 'spent') return
    const row: Row = { reserved: grant.reserved, seen: of(0), charged: grant.reserved, isOpen: true }
    book.rows.push(row)
    yield
    let isStopped = false
    for (const event of events) {
      if (isStopped) over.push(event)
      row.seen = of(0, row.seen.tokens + event)
      row.reserved = growAllowance(book.ledgerFor(row), row.reserved, row.seen)
      row.charged = openCharge(row.reserved, row.seen)
      if (isStopped) break
      isStopped = isOver(budget, row.reserved, row.seen)
      // The event that exceeded the budget was under way as well.
      if (isStopped) over.push(event)
      yield
    }
    row.isOpen = false
    row.charged = charge(row.reserved, { ...NOTHING, inputTokens: row.seen.tokens }, null, null)
    yield
  }
}

it('loops that work at the same time spend no more than the budget and the events that were under way', () => {
  const someTurns = fc.array(fc.nat(4), { minLength: 1, maxLength: 50 })
  fc.assert(
    fc.property(players, fc.integer({ min: 1, max: 4_000 }), someTurns, (all, cap, turns) => {
      const budget: Budget = { usd: null, tokens: cap }
      const book = bookOf(budget)
      const over: number[] = []
      const left = all.map((player) => steps(budget, player, book, over))
      const broken: string[] = []
      for (let turn = 0; left.length > 0 && turn < 5_000; turn += 1) {
        // Every loop has its turn in the end: a held one waits for what another returns.
        const at = (turn % 2 === 0 ? turn / 2 : (turns[turn % turns.length] ?? 0)) % left.length
        if (left[at]?.next().done === true) left.splice(at, 1)
        const used = book.rows.reduce((sum, row) => sum + row.seen.tokens, 0)
        const charged = book.rows.reduce((sum, row) => sum + row.charged.tokens, 0)
        if (used > cap + over.reduce((sum, event) => sum + event, 0)) broken.push(`${used} of ${cap} at ${turn}`)
        if (used > charged) broken.push(`${used} used, ${charged} charged at ${turn}`)
      }
      expect([broken, left.length]).toEqual([[], 0])
    }),
    { numRuns: 300 },
  )
})
