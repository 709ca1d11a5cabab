// JUnit XML, printed or read from its file: the test cases themselves are counted, and the totals must agree.
import { withoutEscapes } from './test-count-lines.ts'
import { type Summary, moreCautious, together } from './test-count-tally.ts'

const ofTag = /^<(\/?)(testsuites|testsuite|testcase|failure|error|skipped)\b([^>]*)>/
/** A tag with a whole failure message in an attribute is still shorter; so a lone `<` costs no more than this. */
const TAG_LENGTH_MAX = 20_000

export function readJunit(text: string): Summary | null {
  if (!text.includes('<testsuite')) return null
  const suites = startSuites()
  const cases = startCases()
  for (const { slash, name, attributes } of junitTags(text)) {
    const step = slash === '/' ? 'close' : attributes.endsWith('/') ? 'whole' : 'open'
    if (name.startsWith('testsuite')) suites.take(step, attributes)
    else cases.take(step, name)
  }
  if (!suites.isSeen()) return null
  const announced = suites.announced()
  return announced === null ? cases.counted() : moreCautious(cases.counted(), announced)
}

type Step = 'open' | 'close' | 'whole'

interface Tag {
  readonly slash: string
  readonly name: string
  readonly attributes: string
}

export function* junitTags(output: string): Generator<Tag> {
  const text = withoutEscapes(output)
  let close = -1
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at)) {
    const quoted = quotedEnd(text, at)
    if (quoted !== null) {
      at = quoted
      continue
    }
    // Looked for only when passed, so that many a `<` without a `>` are not searched to the end again and again.
    if (close < at) close = text.indexOf('>', at)
    if (close === -1) return
    const [whole, slash, name, attributes] =
      close - at > TAG_LENGTH_MAX ? [] : (ofTag.exec(text.slice(at, close + 1)) ?? [])
    at += whole?.length ?? 1
    if (name !== undefined) yield { slash: slash ?? '', name, attributes: attributes ?? '' }
  }
}

/** The totals of the outermost suites; of the next ones where those have none. */
function startSuites(): { take(step: Step, attributes: string): void; isSeen(): boolean; announced(): Summary | null } {
  const said: Summary[] = []
  let depth = 0
  let toldAt = 0
  let isSeen = false
  return {
    take: (step, attributes) => {
      if (step === 'close') depth = Math.max(0, depth - 1)
      else {
        isSeen = true
        if (depth === 0) toldAt = 0
        const own = depth === toldAt ? totals(attributes) : null
        if (own !== null) said.push(own)
        else if (depth === toldAt && step === 'open') toldAt += 1
        if (step === 'open') depth += 1
      }
    },
    isSeen: () => isSeen,
    announced: () => together(said),
  }
}

function startCases(): { take(step: Step, name: string): void; counted(): Summary } {
  const seen = { cases: 0, failed: 0, skipped: 0 }
  let outcome: 'none' | 'passed' | 'failed' | 'skipped' = 'none'
  return {
    take: (step, name) => {
      if (name !== 'testcase') {
        const isJudged = outcome !== 'none' && step !== 'close' && outcome !== 'failed'
        if (isJudged) outcome = name === 'skipped' ? 'skipped' : 'failed'
        return
      }
      if (step !== 'close') {
        seen.cases += 1
        outcome = 'passed'
      }
      if (step === 'open') return
      if (outcome === 'failed' || outcome === 'skipped') seen[outcome] += 1
      outcome = 'none'
    },
    counted: () => ({ run: seen.cases - seen.skipped, failed: seen.failed, skipped: seen.skipped }),
  }
}

/** What a test printed stands in CDATA and may look like anything. */
function quotedEnd(text: string, at: number): number | null {
  for (const [open, close] of [
    ['<![CDATA[', ']]>'],
    ['<!--', '-->'],
  ] as const) {
    if (!text.startsWith(open, at)) continue
    const end = text.indexOf(close, at + open.length)
    return end === -1 ? text.length : end + close.length
  }
  return null
}

function totals(attributes: string): Summary | null {
  const number = (name: string): number | null => {
    const value = new RegExp(`(?:^|\\s)${name}="(\\d{1,9})"`).exec(attributes)?.[1]
    return value === undefined ? null : Number(value)
  }
  const tests = number('tests')
  if (tests === null) return null
  const skipped = (number('skipped') ?? 0) + (number('disabled') ?? 0)
  return {
    run: Math.max(0, tests - skipped),
    failed: (number('failures') ?? 0) + (number('errors') ?? 0),
    skipped,
  }
}
