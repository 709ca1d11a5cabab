// A report of the probes in its form on the wire, with lists that a client may change.
import type { ProbeReport } from '../../core/evidence/probe-report.ts'
import type { WireProbes } from '../contract/probes.ts'

export function wireProbes(probes: ProbeReport | undefined): WireProbes | null {
  if (probes === undefined) return null
  const { strength: _, sentence: _sentence, areFilesThere: _files, witnesses, breaks, ...rest } = probes
  return {
    ...rest,
    witnesses: {
      tests: [...witnesses.tests],
      count: witnesses.count,
      by: [...witnesses.by],
      blind: witnesses.blind ?? 0,
    },
    breaks: breaks.map((one) => ({ ...one, paths: [...one.paths], by: [...one.by] })),
    flaky: rest.flaky.map((one) => ({ ...one })),
    skipped: rest.skipped.map((one) => ({ ...one })),
    runs: (rest.runs ?? []).map((one) => ({ ...one })),
    notes: [...rest.notes],
    accepted: [...rest.accepted],
  }
}
