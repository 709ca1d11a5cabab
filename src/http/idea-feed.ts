// The feed of ideas: each as it is now, and again when it or its build has changed.
import { z } from 'zod'
import type { IdeaNews } from '../operations/contract/contract.ts'
import { feeds } from '../operations/contract/calls.ts'
import { boardPlaces } from '../operations/contract/ideas.ts'
import { repository } from '../operations/contract/repositories.ts'
import type { CardPlace } from '../operations/read/idea-cards.ts'
import { followBoards } from '../operations/feed/idea-feed.ts'
import { repositoriesMeant } from '../operations/feed/which-repository.ts'
import type { FeedMessage } from './feed-bytes.ts'
import { type FeedHost, offerLiveFeed } from './live-feed.ts'
import { followNews } from './news-feed.ts'

const READERS_MAX = 1_000

const query = z.object({ after: boardPlaces.default('0'), repository })
type Start = z.infer<typeof query>

export function offerIdeaFeed(host: FeedHost, boards: readonly CardPlace[]): void {
  offerLiveFeed<Start>(host, {
    path: feeds.ideas,
    schema: { querystring: query },
    readersMax: READERS_MAX,
    read: (request, place) => {
      const start = request.query as Start
      return { ...start, after: boardPlaces.catch(start.after).parse(place) }
    },
    require: async ({ repository: named }) => void repositoriesMeant(boards, named),
    follow: ({ after, repository: named }, reader) =>
      followNews(
        (signal) => oneByOne(followBoards(repositoriesMeant(boards, named), after, signal)),
        messageOf,
        reader,
      ),
  })
}

function messageOf(news: IdeaNews): FeedMessage {
  return { id: news.after, type: news.type, json: JSON.stringify(news) }
}

async function* oneByOne<T>(groups: AsyncIterable<readonly T[]>): AsyncGenerator<T> {
  for await (const group of groups) yield* group
}
