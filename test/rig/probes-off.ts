// Most tests play an agent that writes a line and no test, since they are about something else than proof. The suites
// about proof leave the probes on.
export const PROBES_OFF: Readonly<Record<string, string>> = {
  RALPH_EVIDENCE_WITNESS: 'false',
  RALPH_EVIDENCE_SABOTAGE: 'false',
}

/** For the suites about proof. */
export function withProbes(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !(name in PROBES_OFF)))
}

/** What every face says of a green result without probes. */
export const KEPT = 'kept: the checks are green; the probes witness and sabotage are turned off'
