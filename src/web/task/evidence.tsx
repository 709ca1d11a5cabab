// The checks that the engine ran, their results, and the command to run them again.
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { TaskEvidence, WireCheckRun } from '../../operations/contract/task-detail.ts'
import { Badge } from '../parts/badge.tsx'
import { CopyLine } from '../parts/copy-line.tsx'
import { Findings } from '../parts/findings.tsx'
import { Panel } from '../parts/panel.tsx'
import { Output, ForeignText } from '../parts/foreign-text.tsx'
import { StrengthLine } from '../words/strength-line.tsx'
import { span, when } from '../parts/time.ts'
import { Probes } from './probes.tsx'

const VERDICTS = {
  green: { tone: 'good', word: 'Green' },
  red: { tone: 'bad', word: 'Red' },
  unverified: { tone: 'ask', word: 'Unverified' },
} as const

export function Evidence({ evidence }: { readonly evidence: TaskEvidence }) {
  const { verdict, tree, at, notes, findings, cleared, secondOpinion, resolution, strength, probes } = evidence
  const isThin = strength === 'thin'
  return (
    <Panel title="Evidence" aside={<Badge {...VERDICTS[verdict]} />}>
      <StrengthLine strength={strength} sentence={evidence.sentence} />
      <p className="mt-1 text-xs text-soft">
        On tree <span className="font-mono">{tree.slice(0, 12)}</span>, {when(at)}
        {resolution !== null && `, a fix by ${resolution.by}`}
      </p>
      {notes.map((note) => (
        <p key={note} className="mt-1 text-sm text-soft">
          <ForeignText text={note} />
        </p>
      ))}
      <ul className="mt-3 space-y-2">
        {evidence.checks.map((run) => (
          <CheckRun key={run.name} run={run} />
        ))}
        {evidence.checks.length === 0 && <li className="text-soft">No check was run.</li>}
      </ul>
      {probes !== null && <Probes probes={probes} />}
      <Others title="The same checks on what the work stands on" runs={evidence.baseline} />
      {secondOpinion !== null && <Others title="With the base's own tests and settings" runs={secondOpinion.checks} />}
      {(findings.length > 0 || isThin) && (
        <div className="mt-4">
          <h3 className="text-xs font-semibold text-soft">
            {findings.length > 0 ? 'Findings: what needs a second look' : 'Thin evidence needs a second look'}
          </h3>
          <Findings findings={findings} />
          <p className="mt-1 text-sm text-soft">
            {cleared === null ? (
              'Nobody has cleared this yet.'
            ) : (
              <>
                Cleared by {cleared.by}: <ForeignText text={cleared.reasons.join('; ')} />
              </>
            )}
          </p>
        </div>
      )}
    </Panel>
  )
}

function Others({ title, runs }: { readonly title: string; readonly runs: readonly WireCheckRun[] }) {
  if (runs.length === 0) return null
  return (
    <div className="mt-4">
      <h3 className="text-xs font-semibold text-soft">{title}</h3>
      <ul className="mt-1 space-y-2">
        {runs.map((run) => (
          <CheckRun key={run.name} run={run} />
        ))}
      </ul>
    </div>
  )
}

function CheckRun({ run }: { readonly run: WireCheckRun }) {
  const [isOpen, setOpen] = useState(!run.isGreen)
  const Turn = isOpen ? ChevronDown : ChevronRight
  return (
    <li className="rounded-md border border-line">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex w-full flex-wrap items-center gap-x-2 gap-y-1 px-3 py-2 text-left hover:bg-sunken"
      >
        <Turn size={14} aria-hidden className="text-soft" />
        <span className="font-medium">{run.name}</span>
        <Badge tone={run.isGreen ? 'good' : 'bad'} word={run.isGreen ? 'green' : 'red'} />
        <span className="text-xs text-soft">{endOf(run)}</span>
      </button>
      {isOpen && (
        <div className="space-y-2 border-t border-line p-3">
          {run.outputTail.trim() === '' ? (
            <p className="text-sm text-soft">It printed nothing.</p>
          ) : (
            <Output text={run.outputTail} label={`Output of ${run.name}`} />
          )}
          {run.rerun !== null && (
            <div>
              <p className="mb-1 text-xs text-soft">Run it again, in the repository:</p>
              <CopyLine text={run.rerun} label={`the command of ${run.name}`} />
            </div>
          )}
        </div>
      )}
    </li>
  )
}

function endOf({ how, exit, durationMs, tests, cached }: WireCheckRun): string {
  const ends: Readonly<Record<WireCheckRun['how'], string>> = {
    exited: `exit ${exit ?? '?'}`,
    signalled: 'killed',
    timedOut: 'ran out of time',
    flooded: 'printed too much',
    notStarted: 'could not be started',
    notNeeded: 'nothing to look at',
  }
  return [
    ends[how],
    ...(tests === null ? [] : [`${tests.run} tests, ${tests.failed} failed, ${tests.skipped} skipped`]),
    cached ? 'taken over from the same tree' : span(durationMs),
  ].join(' · ')
}
