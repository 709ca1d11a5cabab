// JUnit XML, printed or read from its file: the reader counts and names the test cases themselves, and their totals must
// agree. An XML parser would not do: the report may stand in the middle of other output, and may be cut.
import { withoutEscapes } from './plain-lines.ts'
import type { NameSink } from './runner-reader.ts'
import { type Summary, moreCautious, sumSummaries } from './tally.ts'
import type { NamedOutcome } from './test-names.ts'

const ofTag = /^<(\/?)(testsuites|testsuite|testcase|failure|error|skipped)\b([^>]*)>/
/** A tag with a whole failure message in an attribute is still shorter; so a lone `<` costs no more than this. */
const TAG_LENGTH_MAX = 20_000

export function readJunit(text: string, names: NameSink): Summary | null {
  if (!text.includes('<testsuite')) return null
  const suites = startSuites()
  const cases = startCases(names)
  for (const { step, name, attributes } of junitTags(text)) {
    if (name.startsWith('testsuite')) suites.take(step, attributes)
    else if (name === 'testcase') cases.take(step, attributes)
    else if (step !== 'close') cases.judge(name === 'skipped' ? 'skipped' : 'failed')
  }
  const counted = cases.finish()
  if (!suites.isSeen()) return null
  const announced = suites.announced()
  return announced === null ? counted : moreCautious(counted, announced)
}

type Step = 'open' | 'close' | 'whole'

interface Tag {
  readonly step: Step
  readonly name: string
  readonly attributes: string
}

function* junitTags(output: string): Generator<Tag> {
  const text = withoutEscapes(output)
  let close = -1
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at)) {
    const quoted = quotedEnd(text, at)
    if (quoted !== null) {
      at = quoted
      continue
    }
    // Searched only once it is passed: else a text with many `<` and no `>` would be searched to its end for each.
    if (close < at) close = text.indexOf('>', at)
    if (close === -1) return
    const [whole, slash, name, attributes = ''] =
      close - at > TAG_LENGTH_MAX ? [] : (ofTag.exec(text.slice(at, close + 1)) ?? [])
    at += whole?.length ?? 1
    const step = slash === '/' ? 'close' : attributes.endsWith('/') ? 'whole' : 'open'
    if (name !== undefined) yield { step, name, attributes }
  }
}

/** The totals of the outermost suites, or of the next level where those have none. */
function startSuites(): { take(step: Step, attributes: string): void; isSeen(): boolean; announced(): Summary | null } {
  const found: Summary[] = []
  let depth = 0
  let totalsDepth = 0
  let isSeen = false
  return {
    take: (step, attributes) => {
      if (step === 'close') depth = Math.max(0, depth - 1)
      else {
        isSeen = true
        if (depth === 0) totalsDepth = 0
        const own = depth === totalsDepth ? totals(attributes) : null
        if (own !== null) found.push(own)
        else if (depth === totalsDepth && step === 'open') totalsDepth += 1
        if (step === 'open') depth += 1
      }
    },
    isSeen: () => isSeen,
    announced: () => sumSummaries(found),
  }
}

interface Cases {
  take(step: Step, attributes: string): void
  /** What a tag inside of the open case says of it. */
  judge(outcome: 'failed' | 'skipped'): void
  finish(): Summary
}

function startCases(names: NameSink): Cases {
  const seen: Record<NamedOutcome, number> = { passed: 0, failed: 0, skipped: 0 }
  let open: { readonly name: string; outcome: NamedOutcome } | null = null
  const close = (): void => {
    if (open === null) return
    seen[open.outcome] += 1
    names.test(open.outcome, open.name)
    open = null
  }
  return {
    take: (step, attributes) => {
      // A case that is never closed ends where the next one starts.
      close()
      if (step !== 'close') open = { name: nameIn(attributes), outcome: 'passed' }
      if (step === 'whole') close()
    },
    judge: (outcome) => {
      if (open !== null && open.outcome !== 'failed') open.outcome = outcome
    },
    finish: () => {
      close()
      return { run: seen.passed + seen.failed, failed: seen.failed, skipped: seen.skipped }
    },
  }
}

function nameIn(attributes: string): string {
  const value = (key: string): string => new RegExp(`(?:^|\\s)${key}="([^"]*)"`).exec(attributes)?.[1] ?? ''
  return [value('classname'), value('name')].filter(Boolean).join('.')
}

/** The end of CDATA or a comment at this place: the output of a test stands there and may look like anything. */
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
