// Findings in patches, and who accepted them.
import { baseTestsText, redWithBaseTests } from '../../core/evidence/base-judged-run.ts'
import { isGreen, type BaseJudgedRun } from '../../core/evidence/evidence.ts'
import { type Finding, findingText } from '../../core/fact/finding.ts'
import type { BuildReport, TaskFindings } from '../../operations/read/build-report.ts'
import { count, firstLine, shownText } from './sanitize.ts'

/** Of one patch; `ralph report --json` has them all. */
const SHOWN_MAX = 10

/** A line each. */
export function findingLines(findings: readonly Finding[]): string[] {
  const shown = findings.slice(0, SHOWN_MAX).map((finding) => firstLine(findingText(finding)))
  const rest = findings.length - shown.length
  return rest === 0 ? shown : [...shown, `${count(rest, 'more finding')}; 'ralph report --json' has them`]
}

/** Empty where nothing was found. */
export function findingsText({ findings, waiting }: Pick<BuildReport, 'findings' | 'waiting'>): string {
  // A question about findings names them itself.
  const found = findings.filter(({ findings: [first] }) => {
    return first === undefined || !waiting.some(({ reason }) => reason.includes(findingText(first)))
  })
  if (found.length === 0) return ''
  const parts = found.map((one) =>
    [
      `  ${shownText(one.task)}: ${firstLine(one.title)}`,
      ...[...findingLines(one.findings), ...verdictLines(one)].map((line) => `    ${line}`),
      '',
    ].join('\n'),
  )
  return `Second look:\n${parts.join('')}`
}

export function verdictLines({ cleared, secondOpinion }: TaskFindings): string[] {
  return [
    ...(secondOpinion === null ? [] : [opinionLine(secondOpinion)]),
    cleared === null
      ? 'nobody has cleared this yet'
      : `cleared by ${shownText(cleared.by)}: ${cleared.reasons.map(firstLine).join('; ')}`,
  ]
}

function opinionLine(opinion: BaseJudgedRun): string {
  const red = baseTestsText(redWithBaseTests(opinion))
  if (red !== null) return shownText(red)
  const runs = opinion.checks.map(({ name }) => `${name} green`).join(', ')
  return `with ${shownText(opinion.restored.join(', '))} as before: ${runs}`
}

export function findingsJson({ task, findings, cleared, secondOpinion }: TaskFindings): Record<string, unknown> {
  const checks = secondOpinion?.checks.map((run) => ({ name: run.name, ok: isGreen(run) })) ?? []
  const opinion = secondOpinion === null ? null : { restored: secondOpinion.restored, checks }
  return { task, findings, cleared, secondOpinion: opinion }
}
