// Which cases of a campaign a run plays. A campaign has more cases of one promise than a daily run has time for.

/** Every case of a campaign is played once in so many days. */
export const DAYS = 3

const DAY_MS = 24 * 60 * 60 * 1000

export type Share =
  | { readonly is: 'all' }
  /** The first case of each file: `npm test`. */
  | { readonly is: 'first' }
  /** A part of each group, another one each day: `npm run test:more`. */
  | { readonly is: 'day'; readonly day: number }

/** `RALPH_TEST_SHARE` is `all` (the default), `first`, or a date such as 2026-01-31. */
export function shareOf(text: string | undefined): Share {
  if (text === undefined || text === '' || text === 'all') return { is: 'all' }
  if (text === 'first') return { is: 'first' }
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time)) throw new Error(`RALPH_TEST_SHARE is 'all', 'first' or a date, not '${text}'`)
  return { is: 'day', day: time / DAY_MS }
}

export function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

/** Whether this share has the case at `index` of a group of `count`. No share is empty. */
export function has(share: Share, index: number, count: number): boolean {
  if (share.is === 'all') return true
  if (share.is === 'first') return index === 0
  const parts = Math.min(DAYS, count)
  return index % parts === share.day % parts
}

/** How often a test without a table of cases repeats itself in the share of this run. */
export function amount(of: Readonly<Record<Share['is'], number>>): number {
  return of[shareOf(process.env['RALPH_TEST_SHARE']).is]
}
