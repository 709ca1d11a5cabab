// A recorded stream without what differs from run to run or tells of the machine it was made on.

const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g
/** Of opencode: a session, a message, a part. */
const ownId = /\b(ses|msg|prt)_[0-9A-Za-z]{20,}\b/g
const time = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g

/** Milliseconds, in place of every duration. */
const DURATION = 100
/** 2026-01-01, in milliseconds. */
const MOMENT = 1_767_225_600_000
/** 2100-01-01, in seconds: a limit that is not over when the recording is read. */
const RESET = 4_102_444_800

export interface Places {
  /** Paths of the recording machine, and what stands for them. */
  readonly [path: string]: string
}

export function sanitized(text: string, places: Places): string {
  const ids = new Map<string, string>()
  const steadyId = (found: string): string => {
    const known = ids.get(found) ?? `00000000-0000-4000-8000-${`${ids.size + 1}`.padStart(12, '0')}`
    ids.set(found, known)
    return known
  }
  const byLength = Object.entries(places).sort(([one], [other]) => other.length - one.length)
  return text
    .split('\n')
    .map((line) => steadyNumbers(line))
    .map((line) => byLength.reduce((all, [path, stands]) => all.replaceAll(path, stands), line))
    .join('\n')
    .replaceAll(uuid, steadyId)
    .replaceAll(ownId, (found, kind: string) => `${kind}_${steadyId(found).slice(-12)}`)
    .replaceAll(time, '2026-01-01T00:00:00.000Z')
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:8080')
    .replaceAll(/resets [\d:]+[ap]m \([^)]*\)/g, 'resets 12am (UTC)')
    .replaceAll(/try again at [^."]*? ?[AP]M/g, 'try again at 11:59 PM')
    .replaceAll(/cc-socks\/\d+/g, 'cc-socks/1')
}

/** Only a line that is JSON has numbers with names. */
function steadyNumbers(line: string): string {
  if (!line.startsWith('{')) return line
  try {
    return JSON.stringify(JSON.parse(line, steadyNumber))
  } catch {
    return line
  }
}

function steadyNumber(key: string, value: unknown): unknown {
  if (typeof value !== 'number') return value
  if (/(_ms|Ms)$/.test(key)) return DURATION
  if (/^(resets?_?at|reset)$/i.test(key)) return RESET
  if (/^(timestamp|start|end)$/.test(key)) return MOMENT
  return value
}
