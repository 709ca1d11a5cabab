// The board as it changes: each idea after every change of it or its build, whichever process made it. The feed sends
// states, not steps: a reader that was away gets each changed idea once.
import type { Instant } from '../../core/values/id.ts'
import type { Idea } from '../../core/idea/idea.ts'
import { type BuildContext, unfinishedBuild } from '../builds/builds.ts'
import type { IdeaNews } from '../contract/contract.ts'
import type { IdeaCard } from '../contract/ideas.ts'
import { type CardPlace, ideaCards } from '../read/idea-cards.ts'
import { projectOf } from '../ideas/ideas.ts'

const PAGE = 200
/** Two processes may change something at the same moment, and the second commits later: so this reads a little back. */
const OVERLAP_MS = 5_000

/** What was sent for each board, in order, as `1794740978234.1794740979663`; a missing number means nothing. */
export type BoardPlaces = string

/** Starts with the ideas that changed since then. Ends when `signal` is aborted. */
export async function* followBoards(
  boards: readonly CardPlace[],
  after: BoardPlaces,
  signal: AbortSignal,
): AsyncGenerator<readonly IdeaNews[]> {
  const parts = after.split('.').map(Number)
  const places = boards.map((_, at) => parts[at] ?? 0)
  const over = new AbortController()
  const readers = boards.map((board, at) => followBoard(board, places[at] ?? 0, AbortSignal.any([signal, over.signal])))
  const pending = new Map(readers.map((reader, at) => [at, nextOf(reader, at)]))
  try {
    while (pending.size > 0) {
      const { at, result } = await Promise.race(pending.values())
      if (result.done === true) {
        pending.delete(at)
        continue
      }
      const { cards } = result.value
      yield cards.map((idea): IdeaNews => {
        places[at] = Math.max(places[at] ?? 0, idea.updated_at)
        return { type: 'idea', after: places.join('.'), idea }
      })
      pending.set(at, nextOf(readers[at] as BoardReader, at))
    }
  } finally {
    over.abort()
    await Promise.allSettled(pending.values())
  }
}

type BoardReader = AsyncGenerator<{ readonly cards: readonly IdeaCard[] }>

async function nextOf(reader: BoardReader, at: number) {
  return { at, result: await reader.next() }
}

async function* followBoard(board: CardPlace, after: Instant, signal: AbortSignal): BoardReader {
  const { context } = board
  // Opened before the first read, so that no change is missed in between.
  const changes = context.store.changes(signal)[Symbol.asyncIterator]()
  const sent = new Map<string, { readonly at: Instant; readonly text: string }>()
  let place = after
  try {
    while (!signal.aborted) {
      for await (const ideas of changedSince(context, place === after ? after : place - OVERLAP_MS)) {
        const cards = fresh(await ideaCards(board, ideas))
        if (cards.length > 0) yield { cards }
      }
      const running = await runningIdea(context)
      const cards = running === null ? [] : fresh(await ideaCards(board, [running]))
      if (cards.length > 0) yield { cards }
      for (const [id, { at }] of sent) if (at < place - OVERLAP_MS && id !== running?.id) sent.delete(id)
      if ((await changes.next()).done === true) return
    }
  } finally {
    await changes.return?.()
  }

  /** The cards that differ from what was sent before. */
  function fresh(cards: readonly IdeaCard[]): IdeaCard[] {
    return cards.filter((idea) => {
      const text = JSON.stringify(idea)
      if (sent.get(idea.id)?.text === text) return false
      sent.set(idea.id, { at: idea.updated_at, text })
      place = Math.max(place, idea.updated_at)
      return true
    })
  }
}

async function* changedSince(context: BuildContext, since: Instant): AsyncGenerator<readonly Idea[]> {
  for (let from = since; ;) {
    const ideas = await context.store.ideas.changed(projectOf(context), from, PAGE)
    if (ideas.length > 0) yield ideas
    const last = ideas.at(-1)
    if (last === undefined || ideas.length < PAGE) return
    // Does not ask twice for a page of one and the same moment.
    from = last.updatedAt === from ? from + 1 : last.updatedAt
  }
}

/** The build of an idea changes without a move of the idea. */
async function runningIdea(context: BuildContext): Promise<Idea | null> {
  const build = await unfinishedBuild(context)
  return build === null ? null : context.store.ideas.find(build.idea)
}
