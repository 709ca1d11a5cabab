// Who works where the agent of a role cannot. The first of the list that can, does, at once; only where none can is
// anything waited for, and then for what is over first.
//
//   claude, limited until 3:00   codex, can work          codex works; claude again from 3:00 on
//   claude, limited until 3:00   codex, limited until 2   waited for until 2:00, then codex works
//   claude, out of credit        codex, logged out        nobody can mend that but the operator: the build stops
import type { Instant } from '../values/id.ts'

/** Why an agent cannot work. */
export interface Outage {
  /** `limit`: it passes by itself. `mend`: somebody has to do something about it. */
  readonly is: 'limit' | 'mend'
  readonly reason: string
  /** It is not asked again before then. */
  readonly until: Instant
}

/** Somebody may have mended it meanwhile: a try costs a second, and so many tries a night are few. */
export const MEND_PAUSE_MS = 15 * 60_000

interface Out<A, O extends Outage> {
  readonly agent: A
  readonly outage: O
}

export type Choice<A, O extends Outage = Outage> =
  | { readonly is: 'works'; readonly agent: A }
  | ({ readonly is: 'waits' } & Out<A, O>)
  /** In their order. */
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
