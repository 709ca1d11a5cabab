// The live feed: every fact of a build from a place on, none lost and none twice, from whichever process records them. Who
// follows an idea goes on with its next build when that is started.
import type { Build } from '../core/build.ts'
import { refuse } from '../core/error.ts'
import { type BuildDesk, buildNamed } from './builds.ts'
import { type WireFact, wireFact } from './wire-fact.ts'

const PAGE = 500
/** Of one idea: who was away for longer goes on with the newest ones. */
const BUILDS_MAX = 1_000

export interface FeedStart {
  /** The build that `after` counts in; null: the one that is found. */
  readonly build: string | null
  readonly after: number
}

/** `17`, or `b_1:17`; the contract has seen to its form. */
export function feedStart(text: string): FeedStart {
  const at = text.lastIndexOf(':')
  return { build: at === -1 ? null : text.slice(0, at), after: Number(text.slice(at + 1)) }
}

/** Only what is no idea either can be known not to come. */
export async function requireFollowable(desk: BuildDesk, ref: string): Promise<void> {
  if (ref.startsWith('b_') && (await buildNamed(desk, ref)) === null) throw refuse('BUILD_NOT_FOUND', { id: ref })
}

/** Pages of facts in order; an idea without a build is waited for. Ends when `signal` is aborted. */
export async function* followFeed(
  desk: BuildDesk,
  ref: string,
  start: FeedStart,
  signal: AbortSignal,
): AsyncGenerator<readonly WireFact[]> {
  // Opened before the first look, so that nothing falls between the two.
  const changes = desk.store.changes(signal)[Symbol.asyncIterator]()
  let build: Build | null = await firstBuild(desk, ref, start)
  let seq = build !== null && (start.build === null || start.build === build.id) ? start.after : 0
  while (!signal.aborted) {
    const facts = build === null ? [] : await desk.store.builds.facts(build.id, seq, PAGE)
    const last = facts.at(-1)
    if (build !== null && last !== undefined) {
      const about = build
      yield facts.map((fact) => wireFact(about, fact))
      seq = last.seq
      continue
    }
    const following = build === null ? await buildNamed(desk, ref) : await buildAfter(desk, ref, build)
    if (following !== null) [build, seq] = [following, 0]
    else if ((await changes.next()).done === true) return
  }
}

/** The build that a reader was in the middle of comes before the one that an idea has now. */
async function firstBuild(desk: BuildDesk, ref: string, start: FeedStart): Promise<Build | null> {
  const newest = await buildNamed(desk, ref)
  if (start.build === null || start.build === newest?.id) return newest
  const before = await buildNamed(desk, start.build)
  return before !== null && before.id === start.build && before.idea === newest?.idea ? before : newest
}

/** Who follows a build follows that one only. */
async function buildAfter({ store, scope }: BuildDesk, ref: string, { id, idea }: Build): Promise<Build | null> {
  if (ref === id) return null
  const newestFirst = await store.builds.list(scope, { idea, limit: BUILDS_MAX })
  return newestFirst[newestFirst.findIndex((one) => one.id === id) - 1] ?? null
}
