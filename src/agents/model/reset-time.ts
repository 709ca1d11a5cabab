// Reads from the headers or the body of a refusal when a limit ends. Each provider has its own form.

/** A limit that is said to last longer was misread. */
const LIMIT_MAX_MS = 8 * 86_400_000

type Headers = Readonly<Record<string, string>>

/** In milliseconds since 1970; null where it is unknown. */
export function resetTime(headers: Headers, body: string, now: number): number | null {
  const found = [
    fromMs(headers['retry-after-ms'], now),
    fromRetryAfter(headers['retry-after'], now),
    fromSeconds(headers['anthropic-ratelimit-unified-reset']),
    ...dates(headers, /^anthropic-ratelimit-(?:requests|tokens|input-tokens|output-tokens)-reset$/),
    fromDuration(/"retryDelay":\s*"([\d.]+s)"/.exec(body)?.[1], now),
    fromDuration(/try again in ([\d.hms]+)/i.exec(body)?.[1], now),
    fromDuration(longest(headers, ['x-ratelimit-reset-requests', 'x-ratelimit-reset-tokens']), now),
  ]
  return found.find((at) => at !== null && at > now && at - now <= LIMIT_MAX_MS) ?? null
}

function fromMs(value: string | undefined, now: number): number | null {
  return value !== undefined && /^\d+(?:\.\d+)?$/.test(value) ? now + Math.ceil(Number(value)) : null
}

function fromRetryAfter(value: string | undefined, now: number): number | null {
  if (value === undefined) return null
  if (/^\d+(?:\.\d+)?$/.test(value)) return now + Math.ceil(Number(value) * 1000)
  return dateOf(value)
}

function fromSeconds(value: string | undefined): number | null {
  return value !== undefined && /^\d+$/.test(value) ? Number(value) * 1000 : null
}

/** The latest: all of them have to be over. */
function dates(headers: Headers, name: RegExp): (number | null)[] {
  const all = Object.entries(headers).flatMap(([key, value]) => (name.test(key) ? (dateOf(value) ?? []) : []))
  return all.length === 0 ? [] : [Math.max(...all)]
}

function dateOf(value: string): number | null {
  const at = Date.parse(value)
  return Number.isNaN(at) ? null : at
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

function millisecondsIn(text: string): number {
  return [...text.matchAll(/([\d.]+)(ms|s|m|h)/g)].reduce(
    (sum, [, number = '0', unit = 's']) => sum + Number(number) * (units[unit] ?? 0),
    0,
  )
}

/** `6m0s`, `20ms`, `34.5s` */
function fromDuration(value: string | undefined, now: number): number | null {
  const ms = value === undefined ? 0 : millisecondsIn(value)
  return ms > 0 ? now + Math.ceil(ms) : null
}

function longest(headers: Headers, names: readonly string[]): string | undefined {
  return names
    .flatMap((name) => headers[name] ?? [])
    .toSorted((one, other) => millisecondsIn(other) - millisecondsIn(one))[0]
}
