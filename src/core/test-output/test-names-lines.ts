// Runners that print a whole name on a line of its own.
import type { NamedOutcome, NameReader, Tell } from './test-names.ts'

const vitestMarks: Readonly<Record<string, NamedOutcome>> = {
  '✓': 'passed',
  '×': 'failed',
  '↓': 'skipped',
  '□': 'skipped',
}

/** ` ✓ src/a.test.ts > group > one 3ms`, of the verbose reporter. */
export function startVitestNames(tell: Tell): NameReader {
  let isPrinted = false
  return {
    line: (text) => {
      // What a test printed stands below such a line, up to an empty one.
      if (/^std(?:out|err) \| /.test(text)) isPrinted = true
      if (text === '') isPrinted = false
      if (isPrinted) return
      const [, mark = '', name] = /^ ([✓×↓□]) (.+? > .+?)(?: \d+ms)?(?: \[[^\]]*\])?$/.exec(text) ?? []
      const outcome = vitestMarks[mark]
      if (outcome !== undefined && name !== undefined) tell(outcome, name)
    },
    end: () => {},
  }
}

const pytestWords: Readonly<Record<string, NamedOutcome>> = {
  PASSED: 'passed',
  FAILED: 'failed',
  ERROR: 'failed',
  XFAIL: 'skipped',
  XPASS: 'skipped',
}

/** The short summary at the end names every test once; skipped ones only by their line. */
export function startPytestNames(tell: Tell): NameReader {
  let isSummary = false
  let names: [NamedOutcome, string][] = []
  return {
    line: (text) => {
      if (/^=+ short test summary info =+$/.test(text)) {
        isSummary = true
        names = []
      } else if (isSummary) {
        const [, word = '', name] = /^(PASSED|FAILED|ERROR|XFAIL|XPASS) (\S+::.*?)(?: - .*)?$/.exec(text) ?? []
        const outcome = pytestWords[word]
        if (outcome !== undefined && name !== undefined) names.push([outcome, name])
        if (/ in [\d.]+s(?: \([\d:]+\))?(?: =+)?$/.test(text)) isSummary = false
      }
    },
    // Only the last summary is pytest's own; one before it may be a print.
    end: () => {
      for (const [outcome, name] of names) tell(outcome, name)
    },
  }
}

const goWords: Readonly<Record<string, NamedOutcome>> = { PASS: 'passed', FAIL: 'failed', SKIP: 'skipped' }

/** Names come before the package they are of; only what was started can have ended. Subtests count as their parent. */
export function startGoNames(tell: Tell): NameReader {
  const events = new Set<string>()
  let started = new Set<string>()
  let ended: [NamedOutcome, string][] = []
  const finish = (place: string): void => {
    for (const [outcome, test] of ended) tell(outcome, `${place}.${test}`)
    started = new Set()
    ended = []
  }
  return {
    line: (text) => {
      const event = goEvent(text)
      if (event?.action === 'run') events.add(event.name)
      else if (event !== null && events.has(event.name)) tell(event.action, event.name)
      const begun = /^=== RUN {3}(\S+)$/.exec(text)?.[1]
      if (begun !== undefined) started.add(begun)
      const [, word = '', name] = /^--- (PASS|FAIL|SKIP): (\S+) \(/.exec(text) ?? []
      const outcome = goWords[word]
      if (outcome !== undefined && name !== undefined && started.has(name)) ended.push([outcome, name])
      const place = /^(?:ok|FAIL)(?: {2,3})?\t(\S+)/.exec(text)?.[1]
      if (place !== undefined) finish(place)
    },
    end: () => {},
  }
}

/** `{"Action":"pass","Package":"p","Test":"TestAdd"}`, of -json. */
function goEvent(text: string): { readonly action: NamedOutcome | 'run'; readonly name: string } | null {
  if (!text.startsWith('{"') || !text.includes('"Test":')) return null
  try {
    const { Action, Package, Test } = JSON.parse(text) as Record<string, unknown>
    const action = Action === 'run' ? 'run' : goWords[String(Action).toUpperCase()]
    if (action === undefined || typeof Test !== 'string' || Test.includes('/')) return null
    return { action, name: `${String(Package)}.${Test}` }
  } catch {
    return null
  }
}

const cargoWords: Readonly<Record<string, NamedOutcome>> = { ok: 'passed', FAILED: 'failed', ignored: 'skipped' }

/** `test tests::adds ... ok`; the binary that it is in is named on stderr. */
export function startCargoNames(tell: Tell): NameReader {
  return {
    line: (text) => {
      const [, name, word = ''] = /^test (.+?)(?: - should panic)? \.\.\. (ok|FAILED|ignored)\b/.exec(text) ?? []
      const outcome = cargoWords[word]
      if (outcome !== undefined && name !== undefined) tell(outcome, name)
    },
    end: () => {},
  }
}
