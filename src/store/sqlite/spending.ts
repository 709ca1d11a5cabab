// The spending of the store: each step of the ledger (core/money/budget.ts) is one transaction over all loops of a
// build.
import {
  type Amount,
  type Budget,
  charge,
  growAllowance,
  type Ledger,
  openCharge,
  type Rate,
  RECENT_MAX,
  reserve,
  seenAmount,
} from '../../core/money/budget.ts'
import { refuse } from '../../core/error/error.ts'
import type { BuildId } from '../../core/values/id.ts'
import type { SessionMark, Used } from '../../core/money/spending.ts'
import type { Allowance, Reservation, SessionResult, SpendingStore } from '../store.ts'
import type { Connection } from './database/connection.ts'
import { isAlive, type RawSession, sessionOf } from './rows/spending-rows.ts'

/** How many sessions determine the price of an agent's token. */
const PRICED_MAX = 20

export function spendingStore(db: Connection): SpendingStore {
  return {
    setBudget: (build, { usd, tokens }) =>
      db.write(() => {
        if (db.get('SELECT 1 FROM builds WHERE id = ?', build) === undefined)
          throw refuse('BUILD_NOT_FOUND', { id: build })
        db.run(
          `INSERT INTO budgets (build, usd, tokens) VALUES (?, ?, ?)
           ON CONFLICT (build) DO UPDATE SET usd = excluded.usd, tokens = excluded.tokens`,
          build,
          usd,
          tokens,
        )
      }),
    budget: (build) => db.read(() => budgetOf(db, build)),
    reserve: (session, frozen) => db.write(() => reserveFor(db, session, frozen)),
    note: (id, used, frozen) => db.write(() => noteUse(db, id, used, frozen)),
    settle: (id, end) => db.write(() => settle(db, id, end)),
    charged: (build) => db.read(() => chargedIn(db, build, null)),
    list: (build) =>
      db.read(() => db.all<RawSession>('SELECT * FROM spending WHERE build = ? ORDER BY id', build).map(sessionOf)),
  }
}

function reserveFor(db: Connection, session: SessionMark, frozen: Budget): Reservation {
  const { build, task, attempt, iteration, role, agent, loop } = session
  const now = db.now()
  // A loop that takes a task has it alone: the session of its last holder is over.
  db.run("UPDATE spending SET state = 'lost' WHERE build = ? AND state = 'open' AND task = ?", build, task)
  db.run(`UPDATE spending SET state = 'lost' WHERE build = ? AND state = 'open' AND NOT (${isAlive})`, build, now)
  const budget = budgetOf(db, build) ?? frozen
  const ledger = ledgerOf(db, build, role, budget, null)
  const grant = reserve(ledger)
  if (grant.is === 'held') return grant
  if (grant.is === 'spent') return { is: 'spent', budget, charged: ledger.charged }
  const { usd, tokens } = grant.reserved
  const row = db.get<{ id: number }>(
    `INSERT INTO spending (build, task, attempt, iteration, role, agent, loop, state, started_at, duration_ms,
       reserved_usd, reserved_tokens, charged_usd, charged_tokens, input_tokens, output_tokens, cost_usd, failure)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 'open', ?8, 0, ?9, ?10, ?9, ?10, 0, 0, NULL, NULL) RETURNING id`,
    ...[build, task, attempt, iteration, role, agent, loop, now, usd, tokens],
  )
  if (row === undefined) throw refuse('INTERNAL', { reason: 'a session could not be kept' })
  return { is: 'granted', id: row.id, budget, allowed: grant.reserved, rate: rateOf(db, build, agent) }
}

function noteUse(db: Connection, id: number, used: Used, frozen: Budget): Allowance | null {
  const row = openSession(db, id)
  if (row === null) return null
  const { build, role, agent } = row
  const budget = budgetOf(db, build) ?? frozen
  const rate = rateOf(db, build, agent)
  const seen = seenAmount(used, rate)
  const allowed = growAllowance(ledgerOf(db, build, role, budget, id), reservedFor(row), seen)
  const charged = openCharge(allowed, seen)
  db.run(
    `UPDATE spending SET reserved_usd = ?, reserved_tokens = ?, charged_usd = ?, charged_tokens = ?,
       input_tokens = ?, output_tokens = ?, cost_usd = ?, duration_ms = ? WHERE id = ?`,
    ...[allowed.usd, allowed.tokens, charged.usd, charged.tokens],
    ...[used.inputTokens, used.outputTokens, used.costUsd, db.now() - row.started_at, id],
  )
  return { budget, allowed, rate }
}

/** Also settles a lost session: its loop was only slow, and knows the real use. */
function settle(db: Connection, id: number, { used, durationMs, failure, about = null }: SessionResult): void {
  const row = db.get<RawSession>('SELECT * FROM spending WHERE id = ?', id)
  if (row === undefined) throw refuse('INTERNAL', { reason: `session ${id} was never begun` })
  const charged = charge(reservedFor(row), used, rateOf(db, row.build, row.agent), failure)
  db.run(
    `UPDATE spending SET state = 'settled', charged_usd = ?, charged_tokens = ?, input_tokens = ?, output_tokens = ?,
       cost_usd = ?, duration_ms = ?, failure = ?, task = ?, attempt = ?, iteration = ? WHERE id = ?`,
    ...[charged.usd, charged.tokens, used.inputTokens, used.outputTokens, used.costUsd],
    ...[Math.round(durationMs), failure],
    ...[about?.task ?? row.task, about?.attempt ?? row.attempt, about?.iteration ?? row.iteration, id],
  )
}

function openSession(db: Connection, id: number): RawSession | null {
  const row = db.get<RawSession>('SELECT * FROM spending WHERE id = ?', id)
  return row?.state === 'open' ? row : null
}

function reservedFor({ reserved_usd, reserved_tokens }: RawSession): Amount {
  return { usd: reserved_usd, tokens: reserved_tokens }
}

function budgetOf(db: Connection, build: BuildId): Budget | null {
  return db.get<Budget>('SELECT usd, tokens FROM budgets WHERE build = ?', build) ?? null
}

function ledgerOf(db: Connection, build: BuildId, role: string, budget: Budget, own: number | null): Ledger {
  const open = db.get<{ open: number }>(
    "SELECT count(*) AS open FROM spending WHERE build = ? AND state = 'open' AND id IS NOT ?",
    build,
    own,
  )
  const recent = db.all<Amount>(spendingQueries.recent, build, role, RECENT_MAX)
  // The sum reads all sessions of the build, and without a limit nothing needs it.
  const isLimited = budget.usd !== null || budget.tokens !== null
  return { budget, charged: isLimited ? chargedIn(db, build, own) : NOTHING, open: open?.open ?? 0, recent }
}

const NOTHING: Amount = { usd: 0, tokens: 0 }

const priced = `SELECT cost_usd AS usd, input_tokens + output_tokens AS tokens FROM spending
  WHERE agent = ? AND state = 'settled' AND cost_usd IS NOT NULL AND input_tokens + output_tokens > 0`

export const spendingQueries = {
  recent: `SELECT charged_usd AS usd, charged_tokens AS tokens FROM spending
    WHERE build = ? AND role = ? AND state = 'settled' AND charged_usd + charged_tokens > 0
    ORDER BY id DESC LIMIT ? + 0`,
  pricedHere: `${priced} AND build = ? ORDER BY id DESC LIMIT ? + 0`,
  pricedElsewhere: `${priced} AND build <> ? ORDER BY id DESC LIMIT ? + 0`,
}

function chargedIn(db: Connection, build: BuildId, but: number | null): Amount {
  const sums = db.get<Amount>(
    `SELECT coalesce(sum(charged_usd), 0) AS usd, coalesce(sum(charged_tokens), 0) AS tokens FROM spending
     WHERE build = ? AND id IS NOT ?`,
    build,
    but,
  )
  return sums ?? NOTHING
}

/**
 * The rate of its last priced sessions, those of this build first: the first session of a build has none of its own.
 */
function rateOf(db: Connection, build: BuildId, agent: string): Rate {
  const here = db.all<Amount>(spendingQueries.pricedHere, agent, build, PRICED_MAX)
  const missing = PRICED_MAX - here.length
  const elsewhere = missing === 0 ? [] : db.all<Amount>(spendingQueries.pricedElsewhere, agent, build, missing)
  const all = [...here, ...elsewhere]
  const tokens = all.reduce((sum, one) => sum + one.tokens, 0)
  return tokens === 0 ? null : all.reduce((sum, one) => sum + one.usd, 0) / tokens
}
