// What an operator may set about probes, with the defaults, which need no setting.
import type { ProbeName } from '../evidence/probe-report.ts'

/** Each probe by name: false turns it off, and the evidence says so. */
export interface EvidenceSettings extends Readonly<Record<ProbeName, boolean>> {
  /** The probes of a task may take this many times the checks' own time, or 30 s, whichever is more. */
  readonly share: number
  /** Patterns of paths: a change of nothing else needs no probe. */
  readonly accept: readonly string[]
}

/** For a build that was frozen by a version without probes: it keeps the rules that it began with. */
export const EVIDENCE_WITHOUT_PROBES: EvidenceSettings = {
  share: 0,
  accept: [],
  names: true,
  untouched: false,
  stable: false,
  witness: false,
  sabotage: false,
  baseJudge: true,
  sealed: false,
  plain: false,
}

export const DEFAULT_EVIDENCE: EvidenceSettings = {
  share: 1.5,
  accept: [],
  names: true,
  untouched: true,
  stable: true,
  witness: true,
  sabotage: true,
  baseJudge: true,
  sealed: true,
  plain: true,
}
