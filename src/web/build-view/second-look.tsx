// Why a person has to look at a task whose checks are green: what the evidence is worth, and what was found.
import { findingText } from '../../core/fact/finding.ts'
import type { ShownStrength } from '../live-build/fold.ts'
import { Findings } from '../parts/findings.tsx'
import { capitalised } from '../parts/shown-text.ts'
import { StrengthLine } from '../words/strength-line.tsx'

export function SecondLook({ worth }: { readonly worth: ShownStrength }) {
  const { strength, sentence, findings } = worth
  return (
    <div className="mt-2 space-y-1 rounded-md border border-line bg-panel px-3 py-2">
      <StrengthLine strength={strength} sentence={sentence} />
      {findings.length > 0 && <Findings findings={findings} />}
    </div>
  )
}

/** The question names the same lines, for people without this page. */
export function withoutFindings(reason: string, worth: ShownStrength | null): string {
  if (worth === null) return reason
  const { sentence, findings } = worth
  const said = new Set([sentence ?? '', 'What was verified last needs a look:', ...findings.map(asText)])
  const rest = reason.split('\n').filter((line) => line === '' || !said.has(line))
  const text = rest.join('\n').trim()
  const question = sentence !== null && text.startsWith(`${sentence}; `) ? text.slice(sentence.length + 2) : text
  return capitalised(question.replace(/^the checks are green, but /, ''))
}

function asText(finding: ShownStrength['findings'][number]): string {
  return findingText(finding as Parameters<typeof findingText>[0])
}
