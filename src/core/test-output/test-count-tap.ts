// TAP 13 and 14 from any producer: a version or a plan, and numbered points. Totals in comments are not looked at.
import { isCut } from './test-count-lines.ts'
import { isTestFile } from './test-count-node.ts'
import { type RunnerReader, type Summary, startTally } from './test-count-tally.ts'

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

export function startTap(): RunnerReader {
  const tally = startTally()
  let tap = emptyTap()
  const finish = (): void => {
    if (tap.hasVersion || tap.plan !== null) conclude(tap, tally)
    tap = emptyTap()
  }
  return {
    line: (text) => {
      const [, indent = '', not, number, rest = ''] = ofPoint.exec(text) ?? []
      const plan = ofPlan.exec(text)?.[1]
      if (/^TAP version 1[34]$/.test(text)) {
        finish()
        tap.hasVersion = true
      } else if (number !== undefined) {
        if (indent === '' && number === '1' && tap.points > 0) finish()
        takePoint(tap, Math.floor(indent.length / 4), not === undefined ? 'ok' : 'not ok', rest)
      } else if (plan !== undefined) tap.plan ??= Number(plan)
      else if (text.startsWith('Bail out!')) tap.failed += 1
      else if (isCut(text)) tap.isCut = true
    },
    counted: () => {
      finish()
      return tally.counted()
    },
  }
}

function emptyTap(): Tap {
  const counts = { plan: null, points: 0, run: 0, failed: 0, skipped: 0, depth: 0 }
  return { ...counts, hasVersion: false, hasBraces: false, isSuiteFailed: false, isCut: false }
}

/** A point that stands for its children is not counted beside them. */
function takePoint(tap: Tap, depth: number, said: 'ok' | 'not ok', rest: string): void {
  const isOpening = rest.endsWith(' {')
  const isSuite = isOpening || (!tap.hasBraces && tap.depth > depth)
  tap.hasBraces ||= isOpening
  tap.depth = depth
  if (depth === 0) tap.points += 1
  if (isSuite) tap.isSuiteFailed ||= said === 'not ok'
  else if (/(?:^| )# (?:skip|todo)\b/i.test(rest)) tap.skipped += 1
  else {
    if (said === 'not ok' || depth > 0 || !isTestFile(rest.replace(/^- /, ''))) tap.run += 1
    if (said === 'not ok') tap.failed += 1
  }
}

/** Points that were planned and never came are failures; points beyond the plan are prints. */
function conclude(tap: Tap, tally: { summary(summary: Summary, needs: number): void }): void {
  const missing = tap.plan === null || tap.isCut ? 0 : Math.max(0, tap.plan - tap.points)
  const surplus = tap.plan === null ? 0 : Math.max(0, tap.points - tap.plan)
  const failed = Math.max(tap.failed, tap.isSuiteFailed ? 1 : 0) + missing
  const summary = { run: Math.max(0, tap.run - surplus), failed, skipped: tap.skipped }
  tally.summary(summary, tap.hasVersion && tap.plan === tap.points ? 0 : Number.POSITIVE_INFINITY)
}
