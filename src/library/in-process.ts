// The verbs of the contract over one repository, called like the client calls a server.
import { requireOperator } from '../compose.ts'
import { RalphError, refuse } from '../core/error/error.ts'
import type { FactEvent } from '../core/fact/fact.ts'
import {
  feedStart as startForm,
  type IdeaNews,
  type RouteName,
  routes,
  type TranscriptNews,
} from '../operations/contract/contract.ts'
import { type CallOptions, type FollowOptions, RequestRefused, type Verbs } from '../operations/contract/client.ts'
import { boardPlaces } from '../operations/contract/ideas.ts'
import type { Route } from '../operations/contract/route.ts'
import { type Feed, feedStart, openFeed } from '../operations/feed/feed.ts'
import type { Piece, WordedFact } from '../operations/feed/feed-piece.ts'
import { followBoards } from '../operations/feed/idea-feed.ts'
import type { ServedRepository } from '../operations/serve/served-repository.ts'
import { followTranscript } from '../operations/feed/transcript-feed.ts'
import { sessionFile } from '../operations/read/transcript-file.ts'
import { verbContextOf, endVerbContexts } from '../operations/verbs/contexts.ts'
import { placeOf } from '../operations/verbs/ideas.ts'
import { askedOf, checked, failureOf } from '../operations/verbs/refusals.ts'
import { verbsOfAll } from '../operations/verbs/repositories.ts'
import { repositoriesMeant } from '../operations/feed/which-repository.ts'
import { whoMay } from '../operations/operator-only.ts'
import type { Ralph } from './open-ralph.ts'

type Given = Readonly<Record<string, unknown>>

export function inProcess(servedRepo: ServedRepository): Ralph {
  const stopping = new AbortController()
  const context = verbContextOf(servedRepo, stopping.signal)
  const verbs = verbsOfAll([context])
  const place = placeOf(context.servedRepo)
  const feed = openFeed([place], stopping.signal)
  const underWay = new Set<Promise<unknown>>()

  const call =
    <Name extends RouteName>(name: Name) =>
    async (given?: Given, options: CallOptions = {}) => {
      const { signal } = options
      const work = asRequestRefused(async () => {
        signal?.throwIfAborted()
        if (stopping.signal.aborted) throw refuse('CLOSED')
        if (whoMay(name) === 'operator') await requireOperator(servedRepo.root, servedRepo.env, `ralph.${name}`)
        const route: Route = routes[name]
        const answer = await verbs[name](askedOf(name, partsOf(route, given)))
        return route.answer.parse(answer)
      }, signal)
      const whole = work.catch(() => {}).finally(() => underWay.delete(whole))
      underWay.add(whole)
      return unlessGivenUp(work, signal)
    }
  const untilOver = (signal?: AbortSignal): AbortSignal =>
    signal === undefined ? stopping.signal : AbortSignal.any([signal, stopping.signal])

  return {
    ...(Object.fromEntries(Object.keys(routes).map((name) => [name, call(name as RouteName)])) as unknown as Verbs),
    follow: (ref, { signal, ...how } = {}) => followBuild(feed, ref, how, untilOver(signal)),
    async *followIdeas({ signal, after = '0', repository } = {}): AsyncGenerator<IdeaNews> {
      const [boards, start] = await asRequestRefused(async () => {
        return [repositoriesMeant([place], repository), checked(boardPlaces, String(after), 'querystring.after')]
      })
      for await (const news of followBoards(boards, start, untilOver(signal))) yield* news
    },
    async *followTranscript(id, { signal, repository } = {}): AsyncGenerator<TranscriptNews> {
      await asRequestRefused(async () => {
        repositoriesMeant([place], repository)
        await sessionFile(context.servedRepo, id)
      })
      yield* followTranscript(context.servedRepo, id, untilOver(signal))
    },
    close: async () => {
      if (stopping.signal.aborted) return
      stopping.abort(new Error('closed'))
      await endVerbContexts([context])
      await Promise.all(underWay)
      servedRepo.context.store.close()
    },
  }
}

/** Splits a call like the client does: path ids, then the query of a GET or the body of a POST. */
function partsOf({ method, path }: Route, given: Given = {}): Parameters<typeof askedOf>[1] {
  const fields = Object.entries(given).filter(([, value]) => value !== undefined)
  const ids = new Set([...path.matchAll(/:(\w+)/g)].map(([, name]) => name))
  const params = Object.fromEntries(fields.filter(([name]) => ids.has(name)))
  const rest = fields.filter(([name]) => !ids.has(name))
  if (method === 'POST') return { params, query: {}, body: Object.fromEntries(rest) }
  return { params, query: Object.fromEntries(rest.filter(([, value]) => value !== null)), body: undefined }
}

/** Yields facts as fast as they are read. Ends when `over` is aborted. */
async function* followBuild(
  feed: Feed,
  ref: string,
  { after = 0, repository }: Omit<FollowOptions, 'signal'>,
  over: AbortSignal,
): AsyncGenerator<FactEvent> {
  const start = await asRequestRefused(async () => {
    await feed.require(ref, repository)
    return checked(startForm, String(after), 'querystring.after')
  })
  let news: PromiseWithResolvers<void> = Promise.withResolvers()
  let piece: Piece | null = null
  let failure: { readonly error: unknown } | null = null
  const wake = (): void => news.resolve()
  over.addEventListener('abort', wake)
  const following = feed.follow({
    ref,
    repository,
    start: feedStart(start),
    take: (next) => {
      piece = next
      wake()
      return false
    },
    fail: (error) => {
      failure = { error }
      wake()
    },
  })
  const takeFacts = (): readonly WordedFact[] => {
    if (failure !== null) throw failure.error
    const facts = piece?.facts ?? []
    piece = null
    return facts
  }
  try {
    while (!over.aborted) {
      await news.promise
      news = Promise.withResolvers()
      for (const { fact } of await asRequestRefused(async () => takeFacts())) {
        if (over.aborted) return
        yield fact as unknown as FactEvent
      }
      following.goOn()
    }
  } finally {
    over.removeEventListener('abort', wake)
    following.end()
  }
}

/** The work continues to its end; the caller only stops waiting, as with a server. */
function unlessGivenUp<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  const { promise, reject } = Promise.withResolvers<never>()
  const giveUp = (): void => reject(signal.reason)
  signal.addEventListener('abort', giveUp)
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', giveUp))
}

/** Turns refusals into those of the HTTP API. */
async function asRequestRefused<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (signal?.aborted === true) throw error
    const message = error instanceof Error ? error.message : String(error)
    const known = error instanceof RalphError ? error : refuse('INTERNAL', { reason: message }, error)
    const { status, body } = failureOf(known)
    throw new RequestRefused(status, body, error)
  }
}
