// The feed of ideas: each as it is now, and again when it or its build has changed.
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { IdeaNews } from '../operations/contract.ts'
import { feeds } from '../operations/contract/calls.ts'
import { boardPlaces } from '../operations/contract/ideas.ts'
import type { CardPlace } from '../operations/idea-cards.ts'
import { followBoards } from '../operations/idea-feed.ts'
import { type NewsTimes, offerNews } from './news-feed.ts'

const READERS_MAX = 1_000

export interface IdeaFeedRules extends NewsTimes {
  readonly boards: readonly CardPlace[]
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal
}

const query = z.object({ after: boardPlaces.default('0') })

export function offerIdeaFeed(app: FastifyInstance, { boards, ...rules }: IdeaFeedRules): void {
  offerNews<string, IdeaNews>(app, {
    ...rules,
    path: feeds.ideas,
    schema: { querystring: query },
    readersMax: READERS_MAX,
    read: (request, place) => boardPlaces.catch((request.query as z.infer<typeof query>).after).parse(place),
    follow: (after, signal) => oneByOne(followBoards(boards, after, signal)),
    eventOf: (news) => `id: ${news.after}\nevent: ${news.type}\ndata: ${JSON.stringify(news)}\n\n`,
  })
}

async function* oneByOne<T>(groups: AsyncIterable<readonly T[]>): AsyncGenerator<T> {
  for await (const group of groups) yield* group
}
