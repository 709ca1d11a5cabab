// The server: listens, prints its link, resumes the builds of the server before it, and stops without losing any.
import { hostname, networkInterfaces } from 'node:os'
import type { AddressInfo } from 'node:net'
import { refuse } from '../core/error/error.ts'
import { openFeed } from '../operations/feed/feed.ts'
import type { ServedRepository } from '../operations/serve/served-repository.ts'
import { verbContextOf, endVerbContexts } from '../operations/verbs/contexts.ts'
import { placeOf } from '../operations/verbs/ideas.ts'
import type { VerbContexts } from '../operations/verbs/repositories.ts'
import { type AppParts, makeApp } from './app.ts'
import { type Entrance, newToken, openEntrance, TOKEN_LENGTH_MAX, TOKEN_LENGTH_MIN } from './access.ts'

export interface ServeOptions {
  readonly servedRepos: readonly [ServedRepository, ...ServedRepository[]]
  /** For the operator, a sentence each. */
  readonly note: (sentence: string) => void
  readonly host: string
  /** 0: any that is free. */
  readonly port: number
  /** Null: a new one. */
  readonly token: string | null
  readonly version: string
  readonly feedTimes?: AppParts['feedTimes']
}

export interface Served {
  /** `http://127.0.0.1:7257` */
  readonly address: string
  /** Opens the page in a browser, once. */
  readonly link: string
  readonly token: string
  /** The number of readers of the live feed. */
  readonly readers: () => number
  /** Asks loops to stop, notifies readers, and saves everything. */
  readonly stop: () => Promise<void>
}

export async function serveHttp({
  servedRepos,
  host,
  port,
  token: named,
  version,
  ...rest
}: ServeOptions): Promise<Served> {
  requireSafe(host, named)
  const stopping = new AbortController()
  const [first, ...others] = servedRepos
  const contexts: VerbContexts = [
    verbContextOf(first, stopping.signal),
    ...others.map((servedRepo) => verbContextOf(servedRepo, stopping.signal)),
  ]
  const feed = openFeed(
    contexts.map(({ servedRepo }) => placeOf(servedRepo)),
    stopping.signal,
  )
  let entrance: Entrance | null = null
  const door = (): Entrance => {
    if (entrance === null) throw refuse('STOPPING')
    return entrance
  }
  const app = await makeApp({ contexts, feed, stopping: stopping.signal, entrance: door, version, ...rest })
  try {
    await app.listen({ host, port })
  } catch (error) {
    stopping.abort(new Error('not started'))
    throw refuse('LISTEN_FAILED', { host, port, reason: whyNot(error) }, error)
  }
  const bound = (app.server.address() as AddressInfo).port
  const hosts = hostsOf(host, bound)
  const { note } = rest
  entrance = openEntrance({ token: named ?? newToken(), hosts: new Set(hosts), port: bound, now: Date.now, note })
  for (const { loops, ideas } of contexts) {
    await loops.resumeAfterRestart()
    await ideas.resumeAfterRestart()
  }
  const address = `http://${hosts[0]}`
  return {
    address,
    link: `${address}/login?key=${entrance.link}`,
    token: entrance.token,
    readers: feed.readers,
    stop: async () => {
      stopping.abort(new Error('stopped'))
      await endVerbContexts(contexts)
      await app.close()
    },
  }
}

/** Anyone who can reach the server could guess forever, so an open address needs a token that the operator chose. */
export function requireSafe(host: string, token: string | null): void {
  const form = new RegExp(`^[A-Za-z0-9_-]{${TOKEN_LENGTH_MIN},${TOKEN_LENGTH_MAX}}$`)
  if (token !== null && !form.test(token))
    throw refuse('SERVE_TOKEN_BAD', { min: TOKEN_LENGTH_MIN, max: TOKEN_LENGTH_MAX })
  if (token === null && !isLoopback(host)) throw refuse('BIND_OPEN', { host, length: TOKEN_LENGTH_MIN })
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host)
}

/** Every host name of this server; the first one is shown. */
function hostsOf(host: string, port: number): string[] {
  const isWildcard = host === '0.0.0.0' || host === '::'
  const local = ['127.0.0.1', 'localhost', '::1']
  const addresses = Object.values(networkInterfaces()).flatMap((found) => (found ?? []).map(({ address }) => address))
  const names = isWildcard ? [hostname(), ...addresses, ...local] : isLoopback(host) ? [host, ...local] : [host]
  const written = names.map((name) => (name.includes(':') ? `[${name}]` : name).toLowerCase())
  return written.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]))
}

function whyNot(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') return 'another program listens there; name another port with --port'
  if (code === 'EACCES') return 'this user may not; name a port above 1023 with --port'
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return 'this machine has no such address; name another with --host'
  return message
}
