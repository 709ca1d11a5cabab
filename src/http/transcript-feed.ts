// The feed of a transcript: says when it has grown, and ends with its session.
import type { FastifyInstance } from 'fastify'
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
import { type NewsTimes, offerNews } from './news-feed.ts'

/** Each has a watch on a folder. */
const READERS_MAX = 200

export interface TranscriptFeedRules extends NewsTimes {
  readonly servedRepos: readonly [ServedRepository, ...ServedRepository[]]
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal
}

const params = z.object({ id: sessionId })
const query = z.object({ repository })

interface Wanted {
  readonly id: string
  readonly repository: string | undefined
}

export function offerTranscriptFeed(app: FastifyInstance, { servedRepos, ...rules }: TranscriptFeedRules): void {
  const servedRepositoryOf = ({ id, repository: named }: Wanted): Promise<ServedRepository> =>
    repositoryKnowing(servedRepos, subjectOfSession(id), named)
  offerNews<Wanted, TranscriptNews>(app, {
    ...rules,
    path: feeds.transcript,
    schema: { params, querystring: query },
    readersMax: READERS_MAX,
    read: (request) => ({ ...(request.params as z.infer<typeof params>), ...whereOf(request.query) }),
    require: async (wanted) => void (await sessionFile(await servedRepositoryOf(wanted), wanted.id)),
    async *follow(wanted, signal) {
      yield* followTranscript(await servedRepositoryOf(wanted), wanted.id, signal)
    },
    eventOf: (news) => `event: ${news.type}\ndata: ${JSON.stringify(news)}\n\n`,
  })
}

function whereOf(said: unknown): Pick<Wanted, 'repository'> {
  return { repository: (said as z.infer<typeof query>).repository }
}
