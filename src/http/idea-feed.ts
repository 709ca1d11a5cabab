// The feed of ideas: each as it is now, and again when it or its build has changed.
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { IdeaNews } from '../operations/contract/contract.ts'
import { feeds } from '../operations/contract/calls.ts'
import { boardPlaces } from '../operations/contract/ideas.ts'
import { repository } from '../operations/contract/repositories.ts'
import type { CardPlace } from '../operations/read/idea-cards.ts'
import { followBoards } from '../operations/feed/idea-feed.ts'
import { repositoriesMeant } from '../operations/feed/which-repository.ts'
import { type NewsTimes, offerNews } from './news-feed.ts'

const READERS_MAX = 1_000

export interface IdeaFeedRules extends NewsTimes {
  readonly boards: readonly CardPlace[]
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal
}

const query = z.object({ after: boardPlaces.default('0'), repository })
type Start = z.infer<typeof query>

export function offerIdeaFeed(app: FastifyInstance, { boards, ...rules }: IdeaFeedRules): void {
  offerNews<Start, IdeaNews>(app, {
    ...rules,
    path: feeds.ideas,
    schema: { querystring: query },
    readersMax: READERS_MAX,
    read: ({ query: said }, place) => {
      const { after, repository: named } = said as Start
      return { after: boardPlaces.catch(after).parse(place), repository: named }
    },
    require: async ({ repository: named }) => void repositoriesMeant(boards, named),
    follow: ({ after, repository: named }, signal) =>
      oneByOne(followBoards(repositoriesMeant(boards, named), after, signal)),
    eventOf: (news) => `id: ${news.after}\nevent: ${news.type}\ndata: ${JSON.stringify(news)}\n\n`,
  })
}

async function* oneByOne<T>(groups: AsyncIterable<readonly T[]>): AsyncGenerator<T> {
  for await (const group of groups) yield* group
}
