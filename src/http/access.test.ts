// Token and host and origin: each of them alone opens nothing.
import { describe, expect, it } from 'vitest'
import { RalphError } from '../core/error/error.ts'
import { type Entrance, openEntrance, type Visit } from './access.ts'

const TOKEN = 'a-token-that-nobody-guesses'
const HOST = '127.0.0.1:7257'

let now = 0
const opened = (): Entrance =>
  openEntrance({ token: TOKEN, hosts: new Set([HOST, 'localhost:7257']), port: 7257, now: () => now })

const visit = (headers: Visit['headers'], address = '127.0.0.1'): Visit => ({
  headers: { host: HOST, ...headers },
  address,
})
const bearer = (token: string): Visit['headers'] => ({ authorization: `Bearer ${token}` })
const codeOf = (refusal: RalphError | string | null): string =>
  refusal instanceof RalphError ? refusal.code : refusal === null ? 'in' : 'cookie'

describe('check', () => {
  it.for<[string, Visit['headers'], string]>([
    ['the token', bearer(TOKEN), 'in'],
    ['the token, otherwise written', { authorization: `bearer  ${TOKEN} ` }, 'in'],
    ['the token as a subprotocol', { 'sec-websocket-protocol': `ralph, ralph.bearer.${TOKEN}` }, 'in'],
    ['the token from our own page', { ...bearer(TOKEN), origin: `http://${HOST}` }, 'in'],
    ['the token for another name of ours', { ...bearer(TOKEN), host: 'LOCALHOST:7257' }, 'in'],
    ['nothing', {}, 'TOKEN_MISSING'],
    ['nothing, from our own page', { origin: `http://${HOST}` }, 'TOKEN_MISSING'],
    ['another token', bearer(`${TOKEN}x`), 'TOKEN_WRONG'],
    ['an empty token', { authorization: 'Bearer ' }, 'TOKEN_WRONG'],
    ['another scheme', { authorization: `Basic ${TOKEN}` }, 'TOKEN_WRONG'],
    ['another subprotocol', { 'sec-websocket-protocol': 'ralph.bearer.x' }, 'TOKEN_WRONG'],
    ['a right and a wrong token', { ...bearer(TOKEN), 'sec-websocket-protocol': 'ralph.bearer.x' }, 'TOKEN_WRONG'],
    ['the token in a cookie', { cookie: `ralph-7257=${TOKEN}` }, 'TOKEN_WRONG'],
    ['a cookie of another server', { cookie: `ralph-7258=${TOKEN}` }, 'TOKEN_MISSING'],
    ['the token, for a host that is not ours', { ...bearer(TOKEN), host: 'evil.example:7257' }, 'HOST_REFUSED'],
    ['the token, for another port', { ...bearer(TOKEN), host: '127.0.0.1:80' }, 'HOST_REFUSED'],
    ['the token, without a host', { ...bearer(TOKEN), host: '' }, 'HOST_REFUSED'],
    ['the token, from another page', { ...bearer(TOKEN), origin: 'http://evil.example' }, 'ORIGIN_REFUSED'],
    ['the token, from a page without an origin', { ...bearer(TOKEN), origin: 'null' }, 'ORIGIN_REFUSED'],
    ['the token, over https', { ...bearer(TOKEN), origin: `https://${HOST}` }, 'ORIGIN_REFUSED'],
    ['the token, from another port here', { ...bearer(TOKEN), origin: 'http://127.0.0.1:3000' }, 'ORIGIN_REFUSED'],
    ['the token, from another name of ours', { ...bearer(TOKEN), origin: 'http://localhost:7257' }, 'ORIGIN_REFUSED'],
  ])('%s', ([, headers, answer]) => {
    expect(codeOf(opened().check(visit(headers)))).toBe(answer)
  })
})

describe('the link', () => {
  it('gives a cookie once, and the cookie opens the door', () => {
    const door = opened()
    const cookie = door.admit(visit({}), door.link)
    expect(cookie).toMatch(/^ralph-7257=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/)
    expect(String(cookie)).not.toContain(TOKEN)
    expect(codeOf(door.check(visit({ cookie: `a=b; ${String(cookie).split(';', 1)[0]}` })))).toBe('in')
    expect(codeOf(door.admit(visit({}), door.link))).toBe('LINK_USED')
  })

  it('is refused for other hosts, and is not used up thereby', () => {
    const door = opened()
    expect(codeOf(door.admit(visit({ host: 'evil.example' }), door.link))).toBe('HOST_REFUSED')
    expect(codeOf(door.admit(visit({}), 'wrong'))).toBe('LINK_USED')
    expect(codeOf(door.admit(visit({}), door.link))).toBe('cookie')
  })
})

describe('wrong tokens', () => {
  it('ten from an address, and it is not listened to for a minute; others are, and a browser that is in stays in', () => {
    now = 0
    const door = opened()
    const cookie = String(door.admit(visit({}), door.link)).split(';', 1)[0] ?? ''
    for (let time = 0; time < 10; time += 1) expect(codeOf(door.check(visit(bearer('x'))))).toBe('TOKEN_WRONG')
    expect(door.check(visit(bearer(TOKEN)))?.message).toBe('too many wrong tokens came from this address; wait 60 s')
    expect(codeOf(door.check(visit(bearer(TOKEN), '10.0.0.1')))).toBe('in')
    expect(codeOf(door.check(visit({ cookie })))).toBe('in')
    now = 60_000
    expect(codeOf(door.check(visit(bearer(TOKEN))))).toBe('in')
  })

  it('a request without a token, of another page or with an old cookie is not counted', () => {
    const door = opened()
    for (let time = 0; time < 50; time += 1) {
      door.check(visit({}))
      door.check(visit({ ...bearer('x'), origin: 'http://evil.example' }))
      door.check(visit({ cookie: 'ralph-7257=old' }))
    }
    expect(codeOf(door.check(visit(bearer(TOKEN))))).toBe('in')
  })
})
