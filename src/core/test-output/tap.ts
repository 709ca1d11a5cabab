// TAP 13 and 14 from any producer: a version or a plan, and numbered points. The points of a group are indented, and the
// group's own point comes after them. The reader ignores totals in comments.
import { isTestFile } from './node.ts'
import { isCut } from './plain-lines.ts'
import type { NameSink, RunnerReader } from './runner-reader.ts'
import { type Tally, startTally } from './tally.ts'

interface Tap {
  hasVersion: boolean
  /** Of the outermost points. */
  plan: number | null
  points: number
  run: number
  failed: number
  skipped: number
  depth: number
  /** `ok 1 - suite {`: the children follow, in braces. Else they come before, indented. */
  hasBraces: boolean
  isSuiteFailed: boolean
  isCut: boolean
}

const ofPoint = /^( *)(not )?ok (\d{1,9})(?: (.*))?$/
const ofPlan = /^1\.\.(\d{1,9})(?: *#.*)?$/
const ofSkip = /(?:^| )# (?:skip|todo)\b/i

export function startTap(names: NameSink): RunnerReader {
  return { ...startCounting(), name: startNaming(names) }
}

function startCounting(): Pick<RunnerReader, 'count' | 'finish'> {
  const tally = startTally()
  let tap = emptyTap()
  const finishDocument = (): void => {
    if (tap.hasVersion || tap.plan !== null) conclude(tap, tally)
    tap = emptyTap()
  }
  return {
    count: (text) => {
      const [, indent = '', not, number, rest = ''] = ofPoint.exec(text) ?? []
      const plan = ofPlan.exec(text)?.[1]
      if (/^TAP version 1[34]$/.test(text)) {
        finishDocument()
        tap.hasVersion = true
      } else if (number !== undefined) {
        if (indent === '' && number === '1' && tap.points > 0) finishDocument()
        takePoint(tap, Math.floor(indent.length / 4), not === undefined ? 'ok' : 'not ok', rest)
      } else if (plan !== undefined) tap.plan ??= Number(plan)
      else if (text.startsWith('Bail out!')) tap.failed += 1
      else if (isCut(text)) tap.isCut = true
    },
    finish: () => {
      finishDocument()
      return tally.counted()
    },
  }
}

function emptyTap(): Tap {
  const counts = { plan: null, points: 0, run: 0, failed: 0, skipped: 0, depth: 0 }
  return { ...counts, hasVersion: false, hasBraces: false, isSuiteFailed: false, isCut: false }
}

/** A point that stands for its children does not count beside them. */
function takePoint(tap: Tap, depth: number, verdict: 'ok' | 'not ok', rest: string): void {
  const isOpening = rest.endsWith(' {')
  const isSuite = isOpening || (!tap.hasBraces && tap.depth > depth)
  tap.hasBraces ||= isOpening
  tap.depth = depth
  if (depth === 0) tap.points += 1
  if (isSuite) tap.isSuiteFailed ||= verdict === 'not ok'
  else if (ofSkip.test(rest)) tap.skipped += 1
  else {
    if (depth > 0 || !isTestFile(rest.replace(/^- /, ''))) tap.run += 1
    if (verdict === 'not ok') tap.failed += 1
  }
}

/** Points that the plan announces and that never came are failures; points beyond the plan are the output of a test. */
function conclude(tap: Tap, tally: Tally): void {
  const missing = tap.plan === null || tap.isCut ? 0 : Math.max(0, tap.plan - tap.points)
  const surplus = tap.plan === null ? 0 : Math.max(0, tap.points - tap.plan)
  const failed = Math.max(tap.failed, tap.isSuiteFailed ? 1 : 0) + missing
  const summary = { run: Math.max(0, tap.run - surplus), failed, skipped: tap.skipped }
  tally.summary(summary, tap.hasVersion && tap.plan === tap.points ? 0 : Number.POSITIVE_INFINITY)
}

function startNaming(names: NameSink): RunnerReader['name'] {
  const titles: string[] = []
  let depth = 0
  return (text) => {
    const [, indent = '', title] = /^( *)# Subtest: (.*)$/.exec(text) ?? []
    if (title !== undefined) {
      titles.length = Math.floor(indent.length / 4)
      titles.push(title)
      return undefined
    }
    const point = ofPoint.exec(text)
    if (point === null) return undefined
    const [, space = '', not, , rest = ''] = point
    const at = Math.floor(space.length / 4)
    const isGroup = at < depth || rest.endsWith(' {')
    depth = at
    if (isGroup) return names.group()
    const name = rest
      .replace(/^- /, '')
      .replace(/ # (?:skip|todo)\b.*$/i, '')
      .replace(/ # time=.*$/, '')
    // A file that node:test could not load, or that holds no test.
    if (at === 0 && isTestFile(name)) return undefined
    const chain = [...titles.slice(0, at), name].join(' > ')
    if (ofSkip.test(rest)) return names.test('skipped', chain)
    return names.test(not === undefined ? 'passed' : 'failed', chain)
  }
}
