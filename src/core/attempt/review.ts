// The reviewer's verdict, and the verdicts that follow from a rule.
import { type Answer, bad, isTextList, jsonAnswer } from '../values/json-answer.ts'
import type { Verdict } from '../fact/fact.ts'
import type { Finding } from '../fact/finding.ts'
import type { ProbeReport } from '../evidence/probe-report.ts'
import { needsLook } from '../sealed/judge-examples.ts'

export interface ReviewReport {
  readonly decision: 'approve' | 'request_changes'
  readonly reasons: readonly string[]
  readonly requiredFixes: readonly string[]
}

/** A reviewer who clears findings has to give a reason: the evidence keeps it. */
export function readReview(
  message: string,
  reasonsAre: 'must say why' | 'may be brief' = 'may be brief',
): Answer<ReviewReport> {
  const answer = jsonAnswer(message)
  if (!answer.ok) return answer
  const { decision, reasons = [], required_fixes: fixes = [] } = answer.value
  if (decision !== 'approve' && decision !== 'request_changes')
    return bad("'decision' must be approve or request_changes")
  if (!isTextList(reasons) || !isTextList(fixes)) return bad("'reasons' and 'required_fixes' must be lists of strings")
  if (decision === 'request_changes' && fixes.length === 0)
    return bad("'required_fixes' must say what to change when 'decision' is request_changes")
  if (decision === 'approve' && reasonsAre === 'must say why' && !reasons.some((reason) => reason.trim() !== ''))
    return bad(
      "'reasons' must say why each finding is in order, or why the evidence is enough, when 'decision' is approve",
    )
  return { ok: true, value: { decision, reasons, requiredFixes: fixes } }
}

/** What of the evidence decides whether anybody has to look at a green tree. */
export interface Reviewable {
  readonly findings: readonly Finding[]
  readonly probes?: Pick<ProbeReport, 'strength' | 'sealed'>
}

/** Thin evidence, findings and sealed examples of which most fail never go on in silence. */
export function needsSecondLook({ findings, probes }: Reviewable): boolean {
  return findings.length > 0 || probes?.strength === 'thin' || needsLook(probes?.sealed)
}

export type ReviewWhen = 'never' | 'thin' | 'findings' | 'always'

export function asksReviewer(when: ReviewWhen, evidence: Reviewable): boolean {
  return when === 'always' || (when !== 'never' && needsSecondLook(evidence))
}

const GREEN = 'all checks are green on this tree'

/** The verdict came from the rule alone. */
export function isByRule(reasons: readonly string[]): boolean {
  return reasons.length === 0 || (reasons.length === 1 && reasons[0] === GREEN)
}

/** Red is refused, and green without findings is approved, without asking anybody. */
export function reviewByRule(verdict: Verdict): ReviewReport {
  if (verdict.is === 'green') return { decision: 'approve', reasons: [GREEN], requiredFixes: [] }
  return { decision: 'request_changes', reasons: ['the checks are not green'], requiredFixes: [verdict.error] }
}
