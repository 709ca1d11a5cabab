// Reads from an agent's text when a limit ends: "resets 3pm (Europe/Berlin)", "resets Nov 18 at 5:30pm
// (UTC)", "limit reached|1794731247", "try again in 20 minutes", "retry-after: 3600", "try again at Nov 19th, 2026 2:27 PM".

const SECOND = 1000
const MINUTE = 60 * SECOND
const DAY = 1440 * MINUTE
/** Nothing resets later than a monthly limit. */
const FARTHEST = 32 * DAY

/** Null: the text does not say, or says what cannot be. `zone` is that of times that name none; left out: this machine's. */
export function resetTime(words: string, now: number, zone?: string): number | null {
  const at = epochIn(words) ?? waitIn(words, now) ?? clockIn(words, now, zone)
  return at !== null && at > now && at <= now + FARTHEST ? at : null
}

function epochIn(words: string): number | null {
  const seconds = /\|(\d{10})\b/.exec(words)?.[1]
  return seconds === undefined ? null : Number(seconds) * SECOND
}

const units = { s: SECOND, m: MINUTE, h: 60 * MINUTE, d: DAY } as const
const WAIT = /(?:retry[- ]after|(?:resets?|again) in):?\s+((?:\d+\s*[a-z]*[\s,]*(?:and\s+)?)+)/i

function waitIn(words: string, now: number): number | null {
  const spans = WAIT.exec(words)?.[1]
  if (spans === undefined) return null
  let sum = 0
  for (const [, amount, unit] of spans.matchAll(/(\d+)\s*(s|m|h|d)?[a-z]*/gi))
    sum += Number(amount) * units[(unit ?? 's').toLowerCase() as keyof typeof units]
  return sum === 0 ? null : now + sum
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const CLOCK =
  /(?:resets?|try again)\s+(?:at\s+|on\s+)?(?:([A-Z][a-z]{2})[a-z]*\s+(\d{1,2})(?:st|nd|rd|th)?(?:,?\s+(\d{4}))?(?:,\s*|\s+at\s+|\s+))?(\d{1,2})(?::(\d{2}))?\s*([ap]m)?(?:\s*\(([\w/+-]+)\))?/i

function clockIn(words: string, now: number, local: string | undefined): number | null {
  const [found, monthName, day, year, hourText, minute, half, zoneName] = CLOCK.exec(words) ?? []
  if (found === undefined || (half === undefined && minute === undefined)) return null
  const hour = half === undefined ? Number(hourText) : (Number(hourText) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)
  const zone = [zoneName, local].find((name) => name !== undefined && isZone(name))
  const today = wallClock(now, zone)
  const month = monthName === undefined ? today.month : MONTHS.indexOf(monthName.toLowerCase())
  if (month === -1) return null
  const at = (years: number, days: number): number =>
    // Said in whole minutes, rounded down: a minute later it is certainly over.
    instantOf(Date.UTC(years, month, days, hour, Number(minute ?? 0)), zone) + MINUTE
  if (day === undefined) {
    const first = at(today.year, today.day)
    return first > now ? first : at(today.year, today.day + 1)
  }
  const named = at(Number(year ?? today.year), Number(day))
  return named > now || year !== undefined ? named : at(today.year + 1, Number(day))
}

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name }).format(0)
    return true
  } catch {
    return false
  }
}

interface WallClock {
  readonly year: number
  readonly month: number
  readonly day: number
  /** The same time of day as if it were UTC. */
  readonly asUtc: number
}

function wallClock(instant: number, zone: string | undefined): WallClock {
  const format = new Intl.DateTimeFormat('en-US', {
    ...(zone === undefined ? {} : { timeZone: zone }),
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return { year, month: month - 1, day, asUtc: Date.UTC(year, month - 1, day, hour, minute, second) }
}

/** The instant at which clocks of the zone show this time; the second round is for days on which clocks are set. */
function instantOf(asUtc: number, zone: string | undefined): number {
  const first = asUtc - (wallClock(asUtc, zone).asUtc - asUtc)
  return asUtc - (wallClock(first, zone).asUtc - first)
}
