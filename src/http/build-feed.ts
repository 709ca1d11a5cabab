// The feed of a build: its facts from the log, each with its number, so that a reader who was cut off goes on where it was.
import { z } from 'zod'
import { feeds } from '../operations/contract/calls.ts'
import { feedStart as startForm } from '../operations/contract/contract.ts'
import { repository } from '../operations/contract/repositories.ts'
import { type Feed, feedStart } from '../operations/feed/feed.ts'
import { pieceBytes } from './feed-bytes.ts'
import { type FeedHost, offerLiveFeed } from './live-feed.ts'

const READERS_MAX = 4_000

const params = z.object({ ideaId: z.string().min(1).max(128) })
const query = z.object({ after: startForm.default('0'), repository })
type Start = z.infer<typeof params> & z.infer<typeof query>

export function offerBuildFeed(host: FeedHost, feed: Feed): void {
  offerLiveFeed<Start>(host, {
    path: feeds.build,
    schema: { params, querystring: query },
    readersMax: READERS_MAX,
    read: (request, place) => {
      const start = { ...(request.params as z.infer<typeof params>), ...(request.query as z.infer<typeof query>) }
      return { ...start, after: startForm.catch(start.after).parse(place) }
    },
    require: ({ ideaId, repository: named }) => feed.require(ideaId, named),
    follow: ({ ideaId, repository: named, after }, reader) =>
      feed.follow({
        ref: ideaId,
        repository: named,
        start: feedStart(after),
        take: (piece) => reader.write(pieceBytes(piece, reader.format)),
        fail: () => reader.end('broken'),
      }),
  })
}
