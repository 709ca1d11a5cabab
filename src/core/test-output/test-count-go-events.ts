// go test -json: one event per line. Output is quoted in it, so a print can imitate nothing but the end of a test that
// was never started.
import type { Summary } from './test-count-tally.ts'

interface GoEvent {
  readonly Action: string
  readonly Package: string
  readonly Test: string | null
}

export interface GoEvents {
  /** Whether the line was an event. */
  line(text: string): boolean
  summary(): Summary | null
}

export function startGoEvents(): GoEvents {
  const started = new Set<string>()
  const failing = new Set<string>()
  const counts = { run: 0, failed: 0, skipped: 0 }
  let isSeen = false
  const take = ({ Action, Package, Test }: GoEvent): void => {
    if (Test === null) {
      // A package fails with its tests, or by itself: it does not compile, or panics.
      if (Action === 'fail' && !failing.has(Package)) counts.failed += 1
      return
    }
    if (Test.includes('/')) return
    const key = `${Package}\n${Test}`
    if (Action === 'run') started.add(key)
    else if (/^(?:pass|fail|skip)$/.test(Action) && started.delete(key)) {
      if (Action === 'skip') counts.skipped += 1
      else counts.run += 1
      if (Action !== 'fail') return
      counts.failed += 1
      failing.add(Package)
    }
  }
  return {
    line: (text) => {
      const event = eventOf(text)
      if (event === null) return false
      isSeen = true
      take(event)
      return true
    },
    summary: () => (isSeen ? counts : null),
  }
}

function eventOf(text: string): GoEvent | null {
  if (!text.startsWith('{') || !text.includes('"Action":"') || !text.includes('"Package":"')) return null
  try {
    const { Action, Package, Test } = JSON.parse(text) as Readonly<Record<string, unknown>>
    if (typeof Action !== 'string' || typeof Package !== 'string') return null
    return { Action, Package, Test: typeof Test === 'string' ? Test : null }
  } catch {
    return null
  }
}
