// The facts of a build as they arrive, whichever process records them.
import type { CheckoutChanged, RecordedFact } from '../../core/fact/fact.ts'
import type { BuildId } from '../../core/values/id.ts'
import type { BuildContext } from './builds.ts'

const PAGE = 500

/**
 * Yields all facts after `after`, in order, none twice. Ends when `signal` is aborted and everything recorded by then
 * was yielded.
 */
export async function* followFacts(
  { store }: Pick<BuildContext, 'store'>,
  id: BuildId,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<readonly RecordedFact[]> {
  // Opened before the first read, so that no change is missed in between.
  const changes = store.changes(signal)[Symbol.asyncIterator]()
  let seq = after
  for (let isOpen = true; ;) {
    const facts = await store.builds.facts(id, seq, PAGE)
    const last = facts.at(-1)
    if (last !== undefined) {
      yield facts
      seq = last.seq
    } else if (!isOpen) return
    else isOpen = (await changes.next()).done !== true
  }
}

/** The facts that are recorded now. */
export async function* factsOf(
  { store }: Pick<BuildContext, 'store'>,
  id: BuildId,
  after: number,
): AsyncGenerator<readonly RecordedFact[]> {
  for (let seq = after; ;) {
    const facts = await store.builds.facts(id, seq, PAGE)
    const last = facts.at(-1)
    if (last === undefined) return
    yield facts
    seq = last.seq
  }
}

/** Changes that were seen in the user's checkout, each name once. */
export async function checkoutChanges(
  context: Pick<BuildContext, 'store'>,
  id: BuildId,
): Promise<CheckoutChanged | null> {
  const [refs, paths] = [new Set<string>(), new Set<string>()]
  let more = 0
  for await (const facts of factsOf(context, id, 0)) {
    for (const { fact } of facts) {
      if (fact.type !== 'checkoutChanged') continue
      for (const ref of fact.refs) refs.add(ref)
      for (const path of fact.paths) paths.add(path)
      more += fact.more
    }
  }
  return refs.size + paths.size === 0 ? null : { type: 'checkoutChanged', refs: [...refs], paths: [...paths], more }
}

export interface Replacement {
  readonly role: string
  readonly agent: string
  readonly by: string
  readonly times: number
  /** The reason of the last time. */
  readonly reason: string
}

/** Which agents worked in place of which others, in the order of the first time. */
export async function replacements(context: Pick<BuildContext, 'store'>, id: BuildId): Promise<Replacement[]> {
  const found = new Map<string, Replacement>()
  for await (const facts of factsOf(context, id, 0)) {
    for (const { fact } of facts) {
      if (fact.type !== 'agentReplaced') continue
      const { role, agent, by, reason } = fact
      const key = `${role} ${agent} ${by}`
      found.set(key, { role, agent, by, reason, times: (found.get(key)?.times ?? 0) + 1 })
    }
  }
  return [...found.values()]
}

/** Waits for one change of the store, at most this long. */
export async function changeWithin(
  { store }: Pick<BuildContext, 'store'>,
  limitMs: number,
  signal: AbortSignal,
): Promise<void> {
  const over = new AbortController()
  const timer = setTimeout(() => over.abort(), limitMs)
  try {
    for await (const _ of store.changes(AbortSignal.any([signal, over.signal]))) return
  } finally {
    clearTimeout(timer)
    over.abort()
  }
}
