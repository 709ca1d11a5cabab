// Which agent works when the agent of a role cannot. The first one of the list that can work takes over at once; only
// where none can, the build waits, for the shortest outage.
//
//   claude, limited until 3:00   codex, can work          codex works; claude again from 3:00 on
//   claude, limited until 3:00   codex, limited until 2   the build waits until 2:00, then codex works
//   claude, out of credit        codex, logged out        only the operator can fix that: the build stops
import type { Instant } from '../values/id.ts'

/** Why an agent cannot work. */
export interface Outage {
  /** `limit`: it passes by itself. `mend`: a person has to fix something. */
  readonly is: 'limit' | 'mend'
  readonly reason: string
  /** The agent gets no session before then. */
  readonly until: Instant
}

/** A person may have fixed it in the meantime: a try costs a second, and a night has few of them. */
export const MEND_PAUSE_MS = 15 * 60_000

interface Out<A, O extends Outage> {
  readonly agent: A
  readonly outage: O
}

export type Choice<A, O extends Outage = Outage> =
  | { readonly is: 'works'; readonly agent: A }
  | ({ readonly is: 'waits' } & Out<A, O>)
  /** In the order of the list. */
  | { readonly is: 'stops'; readonly all: readonly Out<A, O>[] }

/** `order` is not empty; `outageOf` is null where an agent can work, as far as is known. */
export function whoWorks<A, O extends Outage>(order: readonly A[], outageOf: (agent: A) => O | null): Choice<A, O> {
  const all: Out<A, O>[] = []
  for (const agent of order) {
    const outage = outageOf(agent)
    if (outage === null) return { is: 'works', agent }
    all.push({ agent, outage })
  }
  const [soonest] = all
    .filter(({ outage }) => outage.is === 'limit')
    .toSorted((one, other) => one.outage.until - other.outage.until)
  return soonest === undefined ? { is: 'stops', all } : { is: 'waits', ...soonest }
}
