// The client of the HTTP API: every verb of the contract as a function, and the live feed. Runs in Node and in a page,
// and loads only the list of paths.
import type { FactEvent } from '../../core/fact/fact.ts'
import type { Answers, ErrorAnswer, IdeaNews, Inputs, TranscriptNews } from './contract.ts'
import { calls, eventsOf, feeds, filledPath, type Verb } from './calls.ts'
import { type ConnectionState, followSocket } from './client-feed.ts'

export interface ClientOptions {
  /** `http://127.0.0.1:7257`; in a page, its own server. */
  readonly url?: string | undefined
  /** As printed by `ralph serve`; a page opened through the printed link needs none. */
  readonly token?: string | undefined
}

export interface CallOptions {
  readonly signal?: AbortSignal
}

export interface FollowOptions extends CallOptions {
  /** If the server has several repositories: its name, as in `repositories`. */
  readonly repository?: string
  /** Where to continue: a number, or with the build it counts in, as `b_1:17`; default: from the start. */
  readonly after?: string | number
  /** `stop` (default): throws what the server refuses. `retry`: goes on, such as a page where somebody may log in again. */
  readonly onRefusal?: 'stop' | 'retry'
  readonly onConnection?: (state: ConnectionState) => void
}

/** One function for each verb: path ids, query and body in one object. */
export type Verbs = { readonly [Name in Verb]: Call<Inputs[Name], Answers[Name]> }

type Call<Input, Answer> =
  Record<never, never> extends Input
    ? (input?: Input, options?: CallOptions) => Promise<Answer>
    : (input: Input, options?: CallOptions) => Promise<Answer>

export interface Client extends Verbs {
  /** Every fact of a build, or of the builds of an idea. None is lost or repeated if a connection breaks. */
  readonly follow: (ref: string, options?: FollowOptions) => AsyncGenerator<FactEvent>
  /** Every idea as it is now, and again after each change of it or its build. */
  readonly followIdeas: (options?: FollowOptions) => AsyncGenerator<IdeaNews>
  /** The size of a session's transcript, and again whenever it grows; ends with the session. */
  readonly followTranscript: (id: string, options?: Omit<FollowOptions, 'after'>) => AsyncGenerator<TranscriptNews>
}

/** What the server refused, and why. */
export class RequestRefused extends Error {
  /** The HTTP status; 0: no server answered. */
  readonly status: number
  /** The name that programs can rely on, such as `RALPH_BUILD_NOT_FOUND`. */
  readonly code: string
  /** What is wrong with the input, and where. */
  readonly faults: NonNullable<ErrorAnswer['error']['faults']>
  /** Why a build may not be published, and what would change that. */
  readonly reasons: NonNullable<ErrorAnswer['reasons']>

  constructor(status: number, { error, reasons = [] }: ErrorAnswer, cause?: unknown) {
    super(error.message, cause === undefined ? undefined : { cause })
    this.name = 'RequestRefused'
    this.status = status
    this.code = error.code
    this.faults = error.faults ?? []
    this.reasons = reasons
  }
}

export function createClient({ url = ownOrigin(), token }: ClientOptions = {}): Client {
  const server = url.replace(/\/+$/, '')
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const ask = async (method: string, path: string, body: unknown, signal?: AbortSignal): Promise<Response> => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
    const own = signal === undefined ? {} : { signal }
    const answer = await fetch(`${server}${path}`, { method, headers: { ...headers, ...type }, ...sent, ...own }).catch(
      (error: unknown) => {
        signal?.throwIfAborted()
        throw unreachable(server, error)
      },
    )
    if (!answer.ok) throw await refusalOf(answer)
    return answer
  }
  const verb = (call: string) => {
    const [method = '', path = ''] = call.split(' ')
    return async (input: Readonly<Record<string, unknown>> = {}, { signal }: CallOptions = {}): Promise<unknown> => {
      const { path: filled, rest } = filledPath(path, input)
      const isGet = method === 'GET'
      return (await ask(method, isGet ? `${filled}${queryOf(rest)}` : filled, isGet ? undefined : rest, signal)).json()
    }
  }
  const verbs = Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, verb(call)]))
  const feed = <Message>(path: string, placeOf: (message: Message) => string, how: FollowOptions = {}) => {
    const { repository } = how
    const events = `${eventsOf(path)}${queryOf({ repository })}`
    return followSocket<Message>({
      urlAfter: (place) => `${server.replace(/^http/, 'ws')}${path}${queryOf({ after: place, repository })}`,
      protocols: token === undefined ? [] : ['ralph', `ralph.bearer.${token}`],
      start: how.after === undefined ? null : String(how.after),
      placeOf,
      // A socket does not say why it is refused; the same feed as events does.
      probe: async () => {
        if (how.onRefusal === 'retry') return
        try {
          await (await ask('GET', events, undefined, how.signal)).body?.cancel()
        } catch (error) {
          if (error instanceof RequestRefused && error.status >= 400 && error.status < 500) throw error
        }
      },
      onConnection: how.onConnection,
      signal: how.signal,
    })
  }
  return {
    ...(verbs as unknown as Verbs),
    follow: (ref, how) => {
      const { path } = filledPath(feeds.build, { ideaId: ref })
      const placeOf = ({ sessionId, seq }: FactEvent): string => `${sessionId}:${seq}`
      return feed(path, placeOf, how)
    },
    followIdeas: (how) => feed(feeds.ideas, ({ after }: IdeaNews) => after, how),
    async *followTranscript(id, how) {
      const { path } = filledPath(feeds.transcript, { id })
      for await (const news of feed<TranscriptNews>(path, () => '', how)) {
        yield news
        if (news.type === 'ended') return
      }
    },
  }
}

/** The origin of the current page. */
function ownOrigin(): string {
  const { location } = globalThis as { readonly location?: { readonly origin: string } }
  return location?.origin ?? 'http://127.0.0.1:7257'
}

function queryOf(values: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null) query.append(name, String(one))
  return query.size === 0 ? '' : `?${query}`
}

function unreachable(server: string, cause: unknown): RequestRefused {
  const { message, cause: deeper } = cause as Error
  const why = deeper instanceof Error ? deeper.message : message
  const sentence = `no server answers at ${server} (${why}); 'ralph serve' starts one`
  return new RequestRefused(0, { error: { code: 'RALPH_UNREACHABLE', message: sentence } }, cause)
}

/** A proxy in between may answer differently from the server. */
async function refusalOf(answer: Response): Promise<RequestRefused> {
  const problem = (await answer.json().catch(() => null)) as Partial<ErrorAnswer> | null
  if (typeof problem?.error?.message === 'string') return new RequestRefused(answer.status, problem as ErrorAnswer)
  const message = `the server answered ${answer.status} ${answer.statusText}`
  return new RequestRefused(answer.status, { error: { code: 'RALPH_ANSWER_UNKNOWN', message } })
}
