// The feed of a transcript: says when it has grown, and ends with its session.
import { z } from 'zod'
import { subjectOfSession } from '../core/session/session-name.ts'
import type { TranscriptNews } from '../operations/contract/contract.ts'
import { feeds } from '../operations/contract/calls.ts'
import { sessionId } from '../operations/contract/lists.ts'
import { repository } from '../operations/contract/repositories.ts'
import type { ServedRepository } from '../operations/serve/served-repository.ts'
import { sessionFile } from '../operations/read/transcript-file.ts'
import { followTranscript } from '../operations/feed/transcript-feed.ts'
import { repositoryKnowing } from '../operations/verbs/repositories.ts'
import type { FeedMessage } from './feed-bytes.ts'
import { type FeedHost, offerLiveFeed } from './live-feed.ts'
import { followNews } from './news-feed.ts'

/** Each reader watches a folder. */
const READERS_MAX = 200

const params = z.object({ id: sessionId })
const query = z.object({ repository })
type Start = z.infer<typeof params> & z.infer<typeof query>

type ServedRepositories = readonly [ServedRepository, ...ServedRepository[]]

export function offerTranscriptFeed(host: FeedHost, servedRepos: ServedRepositories): void {
  const repoOf = ({ id, repository: named }: Start): Promise<ServedRepository> =>
    repositoryKnowing(servedRepos, subjectOfSession(id), named)
  offerLiveFeed<Start>(host, {
    path: feeds.transcript,
    schema: { params, querystring: query },
    readersMax: READERS_MAX,
    read: (request) => ({
      ...(request.params as z.infer<typeof params>),
      ...(request.query as z.infer<typeof query>),
    }),
    require: async (start) => void (await sessionFile(await repoOf(start), start.id)),
    follow: (start, reader) =>
      followNews(
        async function* (signal) {
          yield* followTranscript(await repoOf(start), start.id, signal)
        },
        messageOf,
        reader,
      ),
  })
}

function messageOf(news: TranscriptNews): FeedMessage {
  return { id: null, type: news.type, json: JSON.stringify(news) }
}
