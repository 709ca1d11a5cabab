// The words of all faces for what a green result is worth.
import type { Evidence } from '../../evidence/evidence.ts'
import type { FlakyTest, ProbeReport } from '../../evidence/probe-report.ts'
import type { Fact, Proof } from '../../fact/fact.ts'
import { findingText } from '../../fact/finding.ts'
import type { Strength } from '../../fact/strength.ts'
import { needsLook } from '../../sealed/judge-examples.ts'
import { baseTestsText, redWithBaseTests } from '../../evidence/base-judged-run.ts'

export interface StrengthWords {
  /** Null: the evidence comes from a version without probes, or nothing had to be proved. */
  readonly strength: Strength | null
  readonly sentence: string | null
}

/** Of a tree in the branch. */
export function mergedStrength(proof: Proof, evidence: Pick<Evidence, 'probes'> | null): StrengthWords {
  if (proof.by === 'person')
    return { strength: 'unverified', sentence: `unverified: ${proof.person} took it over without evidence` }
  const { strength = null, sentence = null } = evidence?.probes ?? {}
  return { strength, sentence }
}

/** For tables: the sentence without the list of breaks that nobody noticed. */
export function shortSentence(sentence: string): string {
  return sentence.replace(/ \(not noticed: .*\)$/s, '')
}

/** `thin: no test fails when src/a.js is emptied; back to the agent, no attempt spent` */
export function verifiedText({ strength, sentence, sentBack }: VerifiedWords): string {
  const worth = strength === undefined || sentence === undefined ? 'green' : sentence
  return sentBack === true ? `${worth}; back to the agent, no attempt spent` : worth
}

export type VerifiedWords = Pick<Extract<Fact, { type: 'verified' }>, 'strength' | 'sentence' | 'sentBack'>

/** What lies behind the short sentence, a line each. */
export function probeLines(probes: ProbeReport): string[] {
  const { witnesses, breaks, flaky, skipped, notes } = probes
  const said = shortSentence(probes.sentence)
  const named = witnesses.tests.slice(0, WITNESSES_SHOWN_MAX).map((name) => `'${name}'`)
  const more = witnesses.count - named.length
  return [
    ...(witnesses.count === 0 || named.length === 0
      ? []
      : [`fails without this change: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`]),
    ...breaks
      .filter(({ result, what }) => result === 'survived' && !said.includes(what))
      .map(({ what }) => `no test noticed: ${what}`),
    ...flaky.map(flakyCount),
    ...skipped.map(({ probe, why }) => `${probe} was left out: ${why}`),
    ...notes,
  ]
}

const WITNESSES_SHOWN_MAX = 5

/** `'a' is flaky: it failed in 2 of 7 runs (on the base)` */
export function flakyCount({ name, failed, runs, on }: FlakyTest): string {
  return `'${name}' is flaky: it failed in ${failed} of ${runs} runs (${on === 'base' ? 'on the base' : 'on this tree'})`
}

/** Of the checks, which are judged without them, and of the probes. */
export function flakyTestsOf({ checks, probes }: Pick<Evidence, 'checks' | 'probes'>): FlakyTest[] {
  return [...checks.flatMap(({ flaky = [] }) => flaky), ...(probes?.flaky ?? [])]
}

/** Why somebody has to look at a green tree, a line each; empty: nobody has to. */
export function secondLookLines({ task, probes, findings, secondOpinion, verdict }: SecondLook): string[] {
  if (verdict !== 'green') return []
  const red = baseTestsText(redWithBaseTests(secondOpinion))
  return [
    ...(probes !== undefined && (probes.strength === 'thin' || needsLook(probes.sealed)) ? [probes.sentence] : []),
    ...(needsLook(probes?.sealed)
      ? [`'ralph task show ${task ?? 'ID'} --sealed' shows the examples and what came out`]
      : []),
    ...findings.map(findingText),
    ...(red === null ? [] : [red]),
  ]
}

type SecondLook = Partial<Pick<Evidence, 'task'>> & Pick<Evidence, 'probes' | 'findings' | 'secondOpinion' | 'verdict'>

/** A question to a human names what the checks saw last, where the reason itself does not. */
export function questionReason(reason: string, last: SecondLook | undefined): string {
  const unsaid = (last === undefined ? [] : secondLookLines(last)).filter((line) => !reason.includes(line))
  return unsaid.length === 0 ? reason : [reason, '', 'What was verified last needs a look:', ...unsaid].join('\n')
}
