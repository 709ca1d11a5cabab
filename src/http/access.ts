// Access: a request needs the token, a host name of this server, and no foreign origin. All three, always.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { type RalphError, refuse } from '../core/error/error.ts'

export const TOKEN_LENGTH_MIN = 24
export const TOKEN_LENGTH_MAX = 256
const TOKEN_BYTES = 32

/** After so many wrong tokens in one window, the address is refused until the window ends. */
const WRONG_MAX = 10
const WINDOW_MS = 60_000
/** Addresses that are remembered at the same time. */
const ADDRESSES_MAX = 10_000

const SUBPROTOCOL = 'ralph.bearer.'

export interface Visit {
  readonly headers: IncomingHttpHeaders
  readonly address: string
}

export interface Entrance {
  /** The token for programs. */
  readonly token: string
  /** The key of the printed link; valid once. */
  readonly link: string
  /** Exchanges the key of the link for a cookie. */
  readonly admit: (visit: Visit, link: string) => string | RalphError
  /** Null: access is granted. */
  readonly check: (visit: Visit) => RalphError | null
}

export interface EntranceRules {
  readonly token: string
  /** `127.0.0.1:7257` and the like, in lower case. */
  readonly hosts: ReadonlySet<string>
  readonly port: number
  readonly now: () => number
  /** For the operator, a sentence each. */
  readonly note?: (sentence: string) => void
}

export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url')
}

/** A cookie has its own secret that nobody can guess, so a stale cookie does not count as a wrong token. */
export function openEntrance({ token, hosts, port, now, note = () => {} }: EntranceRules): Entrance {
  const [link, session] = [newToken(), newToken()]
  // Cookies are shared by all ports of a host, so the name has the port.
  const cookieName = `ralph-${port}`
  const tries = tryCounter(now, note)
  let isLinkUsed = false

  const greet = ({ headers }: Visit): RalphError | null => {
    const host = headers.host?.toLowerCase() ?? ''
    if (!hosts.has(host)) return refuse('HOST_REFUSED')
    const { origin } = headers
    return origin === undefined || origin.toLowerCase() === `http://${host}` ? null : refuse('ORIGIN_REFUSED')
  }

  return {
    token,
    link,
    admit: (visit, offered) => {
      const unwelcome = greet(visit)
      if (unwelcome !== null) return unwelcome
      if (isLinkUsed || !isSame(offered, link)) return refuse('LINK_USED')
      isLinkUsed = true
      return `${cookieName}=${session}; Path=/; HttpOnly; SameSite=Strict`
    },
    check: (visit) => {
      const unwelcome = greet(visit)
      if (unwelcome !== null) return unwelcome
      const cookies = cookiesOf(visit.headers, cookieName)
      if (cookies.some((one) => isSame(one, session))) return null
      const tokens = tokensOf(visit.headers)
      if (tokens.length === 0) return refuse(cookies.length === 0 ? 'TOKEN_MISSING' : 'TOKEN_WRONG')
      const tired = tries.refusal(visit.address)
      if (tired !== null) return tired
      if (tokens.every((one) => isSame(one, token))) return null
      tries.wrong(visit.address)
      return refuse('TOKEN_WRONG')
    },
  }
}

/** Compares in constant time, whatever the lengths. */
function isSame(offered: string, wanted: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(offered), digest(wanted))
}

function cookiesOf({ cookie = '' }: IncomingHttpHeaders, name: string): string[] {
  return cookie
    .split(';')
    .map((part) => part.trim())
    .flatMap((part) => (part.startsWith(`${name}=`) ? [part.slice(name.length + 1)] : []))
}

function tokensOf(headers: IncomingHttpHeaders): string[] {
  const { authorization } = headers
  const bearer = /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? ''
  return [...(authorization === undefined ? [] : [bearer]), ...subprotocolTokens(headers['sec-websocket-protocol'])]
}

/** The only header that a page can set on a WebSocket. */
function subprotocolTokens(offered = ''): string[] {
  const names = offered.split(',').map((name) => name.trim())
  return names.flatMap((name) => (name.startsWith(SUBPROTOCOL) ? [name.slice(SUBPROTOCOL.length)] : []))
}

interface TryCounter {
  readonly wrong: (address: string) => void
  readonly refusal: (address: string) => RalphError | null
}

function tryCounter(now: () => number, note: (sentence: string) => void): TryCounter {
  const windows = new Map<string, { readonly until: number; count: number }>()
  const windowOf = (address: string) => {
    const found = windows.get(address)
    if (found === undefined || found.until > now()) return found
    windows.delete(address)
    return undefined
  }
  return {
    wrong: (address) => {
      const found = windowOf(address)
      if (found !== undefined) {
        found.count += 1
        if (found.count === WRONG_MAX)
          note(
            `${WRONG_MAX} wrong tokens from ${address}: for up to ${WINDOW_MS / 1000} s no token from there is looked at`,
          )
      } else {
        if (windows.size >= ADDRESSES_MAX) windows.clear()
        windows.set(address, { until: now() + WINDOW_MS, count: 1 })
      }
    },
    refusal: (address) => {
      const found = windowOf(address)
      if (found === undefined || found.count < WRONG_MAX) return null
      return refuse('TOO_MANY_TRIES', { seconds: Math.ceil((found.until - now()) / 1000) })
    },
  }
}
