// go test -json: one event for each line. It quotes the output of the tests, so that output can imitate nothing but the end
// of a test that never started.
import type { NameSink } from '../runner-reader.ts'
import type { Summary } from '../tally.ts'
import type { NamedOutcome } from '../test-names.ts'

interface GoEvent {
  readonly Action: string
  readonly Package: string
  readonly Test: string | null
}

const words: Readonly<Record<string, NamedOutcome>> = { pass: 'passed', fail: 'failed', skip: 'skipped' }

export interface GoEventCounts {
  /** False where the line is no event. */
  count(text: string): boolean
  summary(): Summary | null
}

export function startGoEventCounts(): GoEventCounts {
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
    if (isSubtest(Test)) return
    const key = `${Package}\n${Test}`
    if (Action === 'run') started.add(key)
    else if (Object.hasOwn(words, Action) && started.delete(key)) {
      if (Action === 'skip') counts.skipped += 1
      else counts.run += 1
      if (Action !== 'fail') return
      counts.failed += 1
      failing.add(Package)
    }
  }
  return {
    count: (text) => {
      const event = eventOf(text)
      if (event === null) return false
      isSeen = true
      take(event)
      return true
    },
    summary: () => (isSeen ? counts : null),
  }
}

export function startGoEventNames(names: NameSink): (text: string) => void {
  const started = new Set<string>()
  return (text) => {
    const { Action = '', Package = '', Test = null } = eventOf(text) ?? {}
    if (Test === null || isSubtest(Test)) return
    const name = `${Package}.${Test}`
    if (Action === 'run') started.add(name)
    const outcome = Object.hasOwn(words, Action) ? words[Action] : undefined
    if (outcome !== undefined && started.has(name)) names.test(outcome, name)
  }
}

/** Subtests count as their parent. */
function isSubtest(test: string): boolean {
  return test.includes('/')
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
