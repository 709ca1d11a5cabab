// The ideas on the board: read once, then updated by the feed. A message has the whole idea, so it replaces the card.
import type { IdeaCard } from '../../operations/contract/ideas.ts'
import { server } from '../server.ts'

const PAGE = 200
/** More are not drawn; the newest ones are shown. */
const CARDS_MAX = 1_000

export interface BoardNow {
  /** Newest first; null until they were read. */
  readonly cards: readonly IdeaCard[] | null
  readonly isWhole: boolean
  readonly problem: unknown
}

export interface LiveBoard {
  readonly now: () => BoardNow
  readonly subscribe: (listener: () => void) => () => void
  /** Takes the card from the answer to a move. */
  readonly put: (card: IdeaCard) => void
  readonly close: () => void
}

export function openBoard(): LiveBoard {
  const listeners = new Set<() => void>()
  const over = new AbortController()
  let state: BoardNow = { cards: null, isWhole: true, problem: null }
  const change = (part: Partial<BoardNow>): void => {
    state = { ...state, ...part }
    for (const listener of listeners) listener()
  }
  const put = (card: IdeaCard): void => {
    const cards = state.cards ?? []
    const isKnown = cards.some((one) => isSame(one, card))
    const next = isKnown ? cards.map((one) => (isSame(one, card) ? card : one)) : [card, ...cards]
    change({ cards: next.slice(0, CARDS_MAX) })
  }
  const run = async (): Promise<void> => {
    const { cards, isWhole } = await readAll(over.signal)
    change({ cards, isWhole })
    await followIdeas(latest(cards), put, over.signal)
  }
  run().catch((problem: unknown) => {
    if (!over.signal.aborted) change({ problem })
  })
  return {
    now: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    put,
    close: () => over.abort(),
  }
}

/** Two repositories may have ideas of the same name. */
function isSame(one: IdeaCard, other: IdeaCard): boolean {
  return one.id === other.id && one.repository === other.repository
}

/** Reports every idea that changes after `after`, until `signal`; the feed reconnects by itself. */
export async function followIdeas(after: number, tell: (card: IdeaCard) => void, signal: AbortSignal): Promise<void> {
  for await (const { idea } of server.followIdeas({ after, signal })) if (!signal.aborted) tell(idea)
}

/**
 * Ideas that change after the read have a later time than those that were read. With several repositories, each has its own
 * place in the feed; the feed then starts from the beginning and replaces the cards.
 */
function latest(cards: readonly IdeaCard[]): number {
  const repositories = new Set(cards.map(({ repository }) => repository))
  return repositories.size > 1 ? 0 : cards.reduce((last, card) => Math.max(last, card.updated_at), 0)
}

async function readAll(signal: AbortSignal): Promise<Pick<BoardNow, 'isWhole'> & { cards: readonly IdeaCard[] }> {
  const cards: IdeaCard[] = []
  for (let after: string | null = ''; after !== null;) {
    const query = { limit: PAGE, ...(after === '' ? {} : { after }) }
    const page = await server.ideas(query, { signal })
    cards.push(...page.ideas)
    after = page.next
    if (cards.length >= CARDS_MAX) return { cards: cards.slice(0, CARDS_MAX), isWhole: after === null }
  }
  return { cards, isWhole: true }
}
