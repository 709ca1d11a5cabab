// What a second look at the same change says about the recorded report of the probes. A break that could not be built,
// or for which there was no time, says nothing either way: it is named and held against nobody.
import type { Break, ProbeReport } from '../../evidence/probe-report.ts'
import { strengthOf } from '../strength.ts'

export interface ProbeComparison {
  /** What does not hold any more; empty: everything was proved again. */
  readonly differences: readonly string[]
  /** What could not be repeated. */
  readonly notes: readonly string[]
}

export function compareProbes(recorded: ProbeReport, now: ProbeReport): ProbeComparison {
  const pairs = recorded.breaks
    .filter(({ result }) => result === 'noticed')
    .map((before) => ({ before, again: sameBreak(now.breaks, before) }))
  const survivors = pairs.filter(({ again }) => again?.result === 'survived')
  // Where nobody noticed the whole, no part was broken at all.
  const hasParts = now.breaks[0]?.result !== 'survived'
  const unclear = pairs.filter(({ again }) => (again === undefined ? hasParts : again.result === 'unclear'))
  const { strength, sentence } = strengthOf({ ...now, breaks: repaired(now.breaks, unclear) })
  const lost = lostWitnesses(recorded, now)
  return {
    differences: [
      ...(strength === recorded.strength ? [] : [`it was ${recorded.strength} and is not any more: ${sentence}`]),
      ...lost.map((name) => `'${name}' failed without this change, and does not now`),
      ...(lost.length === 0 && now.witnesses.count < recorded.witnesses.count
        ? [`${recorded.witnesses.count} tests failed without this change, and ${now.witnesses.count} do now`]
        : []),
      ...survivors.map(({ before }) => `no test notices any more: ${before.what}`),
    ],
    notes: [
      ...unclear.map(({ before, again }) =>
        again === undefined
          ? `there was no time to repeat: ${before.what}`
          : `it could not be built or loaded this time: ${before.what}`,
      ),
      ...(recorded.sealed === undefined
        ? []
        : ['the sealed examples are not in the evidence, and were not tried again']),
    ],
  }
}

/** A merge moves lines, so a break without its counterpart on the same line is looked for by its words. */
function sameBreak(breaks: readonly Break[], { how, paths, what }: Break): Break | undefined {
  const alike = breaks.filter((one) => one.how === how && one.paths.join('\n') === paths.join('\n'))
  return alike.find((one) => one.what === what) ?? alike.find((one) => withoutLine(one) === withoutLine({ what }))
}

function withoutLine({ what }: Pick<Break, 'what'>): string {
  return what.replace(/:\d+: /, ': ')
}

/** Breaks that say nothing this time count as they did before. */
function repaired(
  breaks: readonly Break[],
  unclear: readonly { readonly before: Break; readonly again: Break | undefined }[],
): Break[] {
  const replaced = new Set(unclear.map(({ again }) => again))
  return [...breaks.filter((one) => !replaced.has(one)), ...unclear.map(({ before }) => before)]
}

/** Both lists hold only the first names, so a name beyond them is not missed. */
function lostWitnesses({ witnesses: before }: ProbeReport, { witnesses: now }: ProbeReport): string[] {
  if (now.count > now.tests.length) return []
  const known = new Set(now.tests)
  return before.tests.filter((name) => !known.has(name))
}
