// The feed of a transcript: says when it has grown, and ends with its session.
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { subjectOfSession } from '../core/session-name.ts'
import type { TranscriptNews } from '../operations/contract.ts'
import { feeds } from '../operations/contract/calls.ts'
import { sessionId } from '../operations/contract/lists.ts'
import type { Site } from '../operations/site.ts'
import { sessionFile } from '../operations/transcript-file.ts'
import { followTranscript } from '../operations/transcript-feed.ts'
import { type NewsTimes, offerNews } from './news-feed.ts'
import { siteKnowing } from './sites.ts'

/** Each has a watch on a folder. */
const READERS_MAX = 200

export interface TranscriptFeedRules extends NewsTimes {
  readonly sites: readonly [Site, ...Site[]]
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal
}

const params = z.object({ id: sessionId })

export function offerTranscriptFeed(app: FastifyInstance, { sites, ...rules }: TranscriptFeedRules): void {
  const siteOf = (id: string): Promise<Site> => siteKnowing(sites, subjectOfSession(id))
  offerNews<string, TranscriptNews>(app, {
    ...rules,
    path: feeds.transcript,
    schema: { params },
    readersMax: READERS_MAX,
    read: (request) => (request.params as z.infer<typeof params>).id,
    require: async (id) => void (await sessionFile(await siteOf(id), id)),
    async *follow(id, signal) {
      yield* followTranscript(await siteOf(id), id, signal)
    },
    eventOf: (news) => `event: ${news.type}\ndata: ${JSON.stringify(news)}\n\n`,
  })
}
