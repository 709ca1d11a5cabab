// Access: requests that differ in token, host, origin, method and kind of body, against a real server.
import { describe, expect, it } from 'vitest'
import { type Answered, type Served, served } from './served.ts'
import { project } from '../rig/project.ts'

const codeOf = ({ status, body }: Answered): string =>
  `${status} ${(body['error'] as { code: string } | undefined)?.code ?? ''}`.trim()

type Headers = Readonly<Record<string, string>>
type Make = (at: { token: string; host: string }) => Headers

const right: Make = ({ token }) => ({ authorization: `Bearer ${token}` })
const nothing: Make = () => ({})
const json: Make = (at) => ({ ...right(at), 'content-type': 'application/json' })
const STATUS = '/api/build/i_1/status'
const PAUSE = '/api/build/b_none/pause'
const WRONG = '401 RALPH_TOKEN_WRONG'
const HOST = '403 RALPH_HOST_REFUSED'
const ORIGIN = '403 RALPH_ORIGIN_REFUSED'
const UNKNOWN = '404 RALPH_ROUTE_UNKNOWN'
const portOf = ({ host }: { host: string }): string => host.split(':')[1] ?? ''
const bearer = (token: string): string => `ralph.bearer.${token}`

const cases: [what: string, method: string, path: string, Make, answer: string, body?: string][] = [
  ['the token', 'GET', STATUS, right, '200'],
  ['the token, head only', 'HEAD', STATUS, right, '200'],
  ['no token', 'GET', STATUS, nothing, '401 RALPH_TOKEN_MISSING'],
  ['no token, at the door', 'GET', '/', nothing, '401 RALPH_TOKEN_MISSING'],
  ['no token, for the description', 'GET', '/api/openapi.json', nothing, '401 RALPH_TOKEN_MISSING'],
  ['no token, for what is not there', 'GET', '/etc/passwd', nothing, '401 RALPH_TOKEN_MISSING'],
  ['no token, without an origin', 'POST', PAUSE, nothing, '401 RALPH_TOKEN_MISSING'],
  ['no token, a preflight', 'OPTIONS', STATUS, ({ host }) => ({ origin: `http://${host}` }), '401 RALPH_TOKEN_MISSING'],
  ['a wrong token', 'GET', STATUS, () => ({ authorization: 'Bearer x' }), '401 RALPH_TOKEN_WRONG'],
  ['the token in the address', 'GET', `${STATUS}?token=x`, nothing, '401 RALPH_TOKEN_MISSING'],
  [
    'the token as a cookie',
    'GET',
    STATUS,
    ({ token, host }) => ({ cookie: `ralph-${host.split(':')[1]}=${token}` }),
    '401 RALPH_TOKEN_WRONG',
  ],
  [
    'a name that was bent to here',
    'GET',
    STATUS,
    (at) => ({ ...right(at), host: 'evil.example' }),
    '403 RALPH_HOST_REFUSED',
  ],
  [
    'the same with our port',
    'GET',
    STATUS,
    (at) => ({ ...right(at), host: `evil.example:${at.host.split(':')[1]}` }),
    '403 RALPH_HOST_REFUSED',
  ],
  ['another port', 'GET', STATUS, (at) => ({ ...right(at), host: '127.0.0.1:1' }), '403 RALPH_HOST_REFUSED'],
  ['our other name', 'GET', STATUS, (at) => ({ ...right(at), host: `localhost:${at.host.split(':')[1]}` }), '200'],
  ['the link of a bent name', 'GET', '/login?key=x', () => ({ host: 'evil.example' }), '403 RALPH_HOST_REFUSED'],
  ['our own page', 'GET', STATUS, (at) => ({ ...right(at), origin: `http://${at.host}` }), '200'],
  [
    'another page',
    'GET',
    STATUS,
    (at) => ({ ...right(at), origin: 'http://evil.example' }),
    '403 RALPH_ORIGIN_REFUSED',
  ],
  ['a page without origin', 'POST', PAUSE, (at) => ({ ...right(at), origin: 'null' }), '403 RALPH_ORIGIN_REFUSED'],
  [
    'a page of another port',
    'POST',
    PAUSE,
    (at) => ({ ...right(at), origin: 'http://127.0.0.1:3000' }),
    '403 RALPH_ORIGIN_REFUSED',
  ],
  ['another page, no token', 'POST', PAUSE, () => ({ origin: 'http://evil.example' }), '403 RALPH_ORIGIN_REFUSED'],
  [
    'plain text, as pages of others can send',
    'POST',
    PAUSE,
    (at) => ({ ...right(at), 'content-type': 'text/plain' }),
    '415 RALPH_MEDIA_TYPE',
    '{}',
  ],
  [
    'a form',
    'POST',
    PAUSE,
    (at) => ({ ...right(at), 'content-type': 'application/x-www-form-urlencoded' }),
    '415 RALPH_MEDIA_TYPE',
    'a=b',
  ],
  ['a body without a type', 'POST', PAUSE, right, '415 RALPH_MEDIA_TYPE', '{}'],
  ['no body', 'POST', PAUSE, right, '404 RALPH_BUILD_NOT_FOUND'],
  ['an empty body', 'POST', PAUSE, json, '404 RALPH_BUILD_NOT_FOUND', ''],
  ['an empty object', 'POST', PAUSE, json, '404 RALPH_BUILD_NOT_FOUND', '{}'],
  ['no JSON', 'POST', PAUSE, json, '422 RALPH_INPUT_BAD', '{'],
  ['a list', 'POST', PAUSE, json, '422 RALPH_INPUT_BAD', '[]'],
  ['something nobody asked for', 'POST', PAUSE, json, '422 RALPH_INPUT_BAD', '{"now":true}'],
  ['something that is not there', 'POST', '/api/build/start', json, '422 RALPH_INPUT_BAD', '{}'],
  [
    'an idea that looks like a build',
    'POST',
    '/api/build/start',
    json,
    '422 RALPH_INPUT_BAD',
    '{"project_id":"b_1","seed":{}}',
  ],
  ['a page of nothing', 'GET', '/api/builds?limit=0', right, '422 RALPH_INPUT_BAD'],
  ['a page that is too large', 'GET', '/api/builds?limit=1001', right, '422 RALPH_INPUT_BAD'],
  ['a page after nobody', 'GET', '/api/tasks?after=nobody', right, '422 RALPH_INPUT_BAD'],
  ['a number that is none', 'GET', '/api/builds/b_none/facts?after=x', right, '422 RALPH_INPUT_BAD'],
  ['a body without end', 'POST', PAUSE, json, '413 RALPH_BODY_TOO_LARGE', `{"a":"${'x'.repeat(1024 * 1024)}"}`],
  ['another method', 'DELETE', STATUS, right, '404 RALPH_ROUTE_UNKNOWN'],
  ['a path that is none', 'GET', '/api/../../etc/passwd', right, '404 RALPH_ROUTE_UNKNOWN'],
  ['a build nobody knows', 'GET', '/api/build/b_none', right, '404 RALPH_BUILD_NOT_FOUND'],
  ['a task nobody knows', 'GET', '/api/tasks/none', right, '404 RALPH_TASK_NOT_FOUND'],
  [
    'an iteration nobody knows',
    'GET',
    '/api/iterations/..%2F..%2Fx/transcript',
    right,
    '404 RALPH_ITERATION_NOT_FOUND',
  ],
  ['a feed nobody knows', 'GET', '/api/build/b_none/events', right, '404 RALPH_BUILD_NOT_FOUND'],
  ['the head of a feed', 'HEAD', '/api/build/shop/events', right, '404'],
  ['a WebSocket, asked for as a page', 'GET', '/api/build/shop/stream', right, '426 RALPH_UPGRADE_NEEDED'],
  ['the token by another scheme', 'GET', STATUS, ({ token }) => ({ authorization: `Basic ${token}` }), WRONG],
  ['the token and something else', 'GET', STATUS, ({ token }) => ({ authorization: `Bearer ${token} x` }), WRONG],
  ['the bare token', 'GET', STATUS, ({ token }) => ({ authorization: token }), WRONG],
  ['the scheme in small letters', 'GET', STATUS, ({ token }) => ({ authorization: `bearer ${token}` }), '200'],
  ['the token as a subprotocol', 'GET', STATUS, ({ token }) => ({ 'sec-websocket-protocol': bearer(token) }), '200'],
  [
    'a right token and a wrong one',
    'GET',
    STATUS,
    (at) => ({ ...right(at), 'sec-websocket-protocol': bearer('x') }),
    WRONG,
  ],
  ['no token, an address that cannot be read', 'GET', '/api/build/%zz/status', nothing, '401 RALPH_TOKEN_MISSING'],
  ['an address that cannot be read', 'GET', '/api/build/%zz/status', right, '422 RALPH_INPUT_BAD'],
  ['the same from a bent name', 'GET', '/api/build/%zz/status', () => ({ host: 'evil.example' }), HOST],
  ['an id without end', 'GET', `/api/build/${'x'.repeat(3_000)}/status`, right, '422 RALPH_INPUT_BAD'],
  ['an id that is too long', 'GET', `/api/build/${'x'.repeat(200)}/status`, right, '422 RALPH_INPUT_BAD'],
  ['our name in big letters', 'GET', STATUS, (at) => ({ ...right(at), host: `LOCALHOST:${portOf(at)}` }), '200'],
  ['our address in the new form', 'GET', STATUS, (at) => ({ ...right(at), host: `[::1]:${portOf(at)}` }), '200'],
  ['our name without the port', 'GET', STATUS, (at) => ({ ...right(at), host: 'localhost' }), HOST],
  ['our name with a dot', 'GET', STATUS, (at) => ({ ...right(at), host: `localhost.:${portOf(at)}` }), HOST],
  ['a name that ends like ours', 'GET', STATUS, (at) => ({ ...right(at), host: `x.localhost:${portOf(at)}` }), HOST],
  ['a number that means us', 'GET', STATUS, (at) => ({ ...right(at), host: `2130706433:${portOf(at)}` }), HOST],
  ['everybody', 'GET', STATUS, (at) => ({ ...right(at), host: `0.0.0.0:${portOf(at)}` }), HOST],
  [
    'a bent name, said to be ours by a proxy',
    'GET',
    STATUS,
    (at) => ({ ...right(at), host: 'evil.example', 'x-forwarded-host': at.host }),
    HOST,
  ],
  ['a bent name, changing something', 'POST', PAUSE, (at) => ({ ...json(at), host: 'evil.example' }), HOST, '{}'],
  ['our page, by the other protocol', 'POST', PAUSE, (at) => ({ ...json(at), origin: `https://${at.host}` }), ORIGIN],
  [
    'our page, by our other name',
    'POST',
    PAUSE,
    (at) => ({ ...json(at), origin: `http://localhost:${portOf(at)}` }),
    ORIGIN,
  ],
  ['a page that begins like ours', 'POST', PAUSE, (at) => ({ ...json(at), origin: `http://${at.host}.x` }), ORIGIN],
  ['two origins', 'POST', PAUSE, (at) => ({ ...json(at), origin: `http://${at.host}, http://x` }), ORIGIN],
  ['an empty origin', 'POST', PAUSE, (at) => ({ ...json(at), origin: '' }), ORIGIN],
  ['a file', 'POST', PAUSE, (at) => ({ ...json(at), origin: 'file://' }), ORIGIN],
  ['an extension', 'GET', STATUS, (at) => ({ ...right(at), origin: 'chrome-extension://x' }), ORIGIN],
  [
    'the preflight of another page',
    'OPTIONS',
    PAUSE,
    (at) => ({ ...right(at), origin: 'http://evil.example', 'access-control-request-method': 'POST' }),
    ORIGIN,
  ],
  ['our own preflight', 'OPTIONS', PAUSE, (at) => ({ ...right(at), origin: `http://${at.host}` }), UNKNOWN],
  ['putting', 'PUT', PAUSE, json, UNKNOWN, '{}'],
  ['patching', 'PATCH', PAUSE, json, UNKNOWN, '{}'],
  ['tracing', 'TRACE', PAUSE, right, UNKNOWN],
  ['putting, no token', 'PUT', PAUSE, nothing, '401 RALPH_TOKEN_MISSING'],
  ['reading what is to be said', 'GET', PAUSE, right, UNKNOWN],
  ['saying what is to be read', 'POST', STATUS, json, UNKNOWN, '{}'],
  [
    'JSON with its letters named',
    'POST',
    PAUSE,
    (at) => ({ ...right(at), 'content-type': 'application/json; charset=utf-8' }),
    '404 RALPH_BUILD_NOT_FOUND',
    '{}',
  ],
  ...['application/jsonx', 'text/json', 'application/json-patch+json', 'multipart/form-data; boundary=x', '*/*'].map(
    (type): (typeof cases)[number] => [
      `a body that says ${type}`,
      'POST',
      PAUSE,
      (at) => ({ ...right(at), 'content-type': type }),
      '415 RALPH_MEDIA_TYPE',
      '{}',
    ],
  ),
  ['another name for an object', 'POST', PAUSE, json, '422 RALPH_INPUT_BAD', '{"__proto__":{"task_id":"x"}}'],
  ['a head to use the link up', 'HEAD', '/login?key=x', nothing, '401'],
]

describe('a server that nothing was asked of yet', () => {
  it('answers each request as it should, and never without its headers', async () => {
    const server = await served(project())
    const at = { token: server.token, host: new URL(server.address).host }
    const answers = []
    for (const [what, method, path, make, , body] of cases) {
      const answer = await server.ask(method, path, make(at), body)
      answers.push([what, codeOf(answer)])
      expect([what, missing(answer)]).toEqual([what, []])
    }
    expect(answers).toEqual(cases.map(([what, , , , answer]) => [what, answer]))
  })

  it('refuses an address that Node does not read, in the form of every refusal', async () => {
    const server = await served(project())
    const answer = await server.ask(
      'GET',
      `${STATUS}?x=${'y'.repeat(20_000)}`,
      { authorization: `Bearer ${server.token}` },
      '',
    )
    expect(codeOf(answer)).toBe('431 RALPH_INPUT_BAD')
  })

  it('says where the input is wrong, and changes nothing', async () => {
    const server = await served(project())
    const { status, body } = await server.post('/api/build/start', { project_id: 'a b', seed: { brief: 1, x: 2 } })
    expect(status).toBe(422)
    expect((body['error'] as { faults: { path: string }[] }).faults.map(({ path }) => path)).toEqual([
      'body.project_id',
      'body.seed.brief',
      'body.seed',
    ])
    expect((await server.get('/api/builds')).body).toEqual({ builds: [], next: null })
  })

  it('lets a browser in by the printed link, once', async () => {
    const server = await served(project())
    const path = server.link.slice(server.address.length)
    const first = await server.ask('GET', path, {})
    const cookie = String(first.headers['set-cookie']).split(';', 1)[0] ?? ''
    expect([first.status, first.text]).toEqual([200, expect.stringContaining('url=/')])
    expect(String(first.headers['set-cookie'])).toMatch(/; Path=\/; HttpOnly; SameSite=Strict$/)
    expect((await server.ask('GET', STATUS, { cookie })).status).toBe(200)
    expect(codeOf(await server.ask('GET', path, {}))).toBe('401 RALPH_LINK_USED')
  })

  it('no longer listens to who tries ten wrong tokens', async () => {
    const server = await served(project())
    const tries = []
    for (let time = 0; time < 11; time += 1)
      tries.push(codeOf(await server.ask('GET', STATUS, { authorization: `Bearer ${time}` })))
    expect(tries).toEqual([...Array<string>(10).fill('401 RALPH_TOKEN_WRONG'), '429 RALPH_TOO_MANY_TRIES'])
  })

  it('describes itself as OpenAPI 3.1, with every route', async () => {
    const { body } = await (await served(project())).get('/api/openapi.json')
    const paths = body['paths'] as Record<string, Record<string, unknown>>
    expect(body['openapi']).toBe('3.1.0')
    expect(Object.keys(paths).toSorted()).toEqual(
      [
        '/api/build/start',
        '/api/build/step',
        '/api/build/{build_id}',
        '/api/build/{build_id}/abort',
        '/api/build/{ideaId}/events',
        '/api/build/{ideaId}/start',
        '/api/build/{ideaId}/status',
        ...['answer', 'pause', 'resolve', 'resume', 'retry', 'revert', 'skip'].map(
          (verb) => `/api/build/{sessionId}/${verb}`,
        ),
        '/api/builds',
        '/api/builds/{id}/facts',
        '/api/builds/{id}/iterations',
        '/api/builds/{id}/evidence',
        '/api/builds/{id}/sessions',
        '/api/builds/{id}/tasks/{task}',
        '/api/builds/{id}/tasks/{task}/diff',
        '/api/builds/{id}/verify',
        '/api/builds/{id}/view',
        '/api/claims',
        ...['events', 'outline', 'rows', 'search', 'transcript'].map((part) => `/api/iterations/{id}/${part}`),
        '/api/ideas',
        '/api/ideas/events',
        '/api/ideas/{id}',
        '/api/ideas/{id}/transition',
        '/api/projects/{project_id}/gate',
        '/api/plans',
        '/api/plans/{id}',
        '/api/plans/{id}/start',
        '/api/projects/{project_id}/publish',
        '/api/repositories',
        '/api/tasks',
        '/api/tasks/{id}',
        ...['block', 'done', 'fail', 'renew', 'sealed', 'unblock'].map((verb) => `/api/tasks/{id}/${verb}`),
      ].toSorted(),
    )
  })
})

function missing({ headers }: Answered): string[] {
  return [
    ...(/default-src 'none'/.test(String(headers['content-security-policy'])) ? [] : ['content-security-policy']),
    ...(headers['x-content-type-options'] === 'nosniff' ? [] : ['x-content-type-options']),
    ...(headers['cache-control'] === 'no-store' ? [] : ['cache-control']),
    ...(headers['access-control-allow-origin'] === undefined ? [] : ['a header that lets others in']),
  ]
}

describe('ralph serve', () => {
  const refusals: [what: string, args: string[], env: Record<string, string>, sentence: string][] = [
    [
      'reachable by others, without a token',
      ['--host', '0.0.0.0'],
      {},
      "other machines could reach 0.0.0.0, so 'ralph serve' needs a token of yours there: set RALPH_SERVE_TOKEN (at least 24 characters) [RALPH_BIND_OPEN]",
    ],
    [
      'a token that is too short',
      [],
      { RALPH_SERVE_TOKEN: 'secret' },
      'RALPH_SERVE_TOKEN must be 24 to 256 letters, digits, - or _ [RALPH_SERVE_TOKEN_BAD]',
    ],
    ['a port that is none', ['--port', '70000'], {}, '--port must be at most 65535 [RALPH_NUMBER_TOO_LARGE]'],
    ['a port that is a word', ['--port', 'x'], {}, '--port must be a whole number from 0 to 65535 [RALPH_PORT_BAD]'],
    [
      'a host of somebody else',
      ['--host', '192.0.2.1'],
      { RALPH_SERVE_TOKEN: 'x'.repeat(24) },
      'cannot listen on 192.0.2.1:7257: this machine has no such address; name another with --host [RALPH_LISTEN_FAILED]',
    ],
  ]
  it.for(refusals)('%s is refused', ([, args, env, sentence]) => {
    const made = project()
    const { code, stderr } = made.ralph(['serve', ...args], { env })
    expect([code, stderr]).toEqual([1, `Error: ${sentence}\n`])
  })

  it('a port that is taken is named', async () => {
    const made = project()
    const server: Served = await served(made)
    const { port } = new URL(server.address)
    expect(made.ralph(['serve', '--port', port]).stderr).toBe(
      `Error: cannot listen on 127.0.0.1:${port}: another program listens there; name another port with --port [RALPH_LISTEN_FAILED]\n`,
    )
  })

  it('takes a token of yours, tells how to get in, and ends with 0 when asked to', async () => {
    const made = project()
    const token = 'my-own-token-of-24-chars'
    const program = made.start(['serve', '--port', '0'], { RALPH_SERVE_TOKEN: token })
    await program.saw(token)
    program.child.kill('SIGINT')
    const { code, stdout, stderr } = await program.ended
    const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(stdout) ?? []
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        `^Serving ${made.folder} \\(branch main\\) at ${address}\nIn a browser, once: ${address}/login\\?key=[\\w-]{43}\nFor programs:       Authorization: Bearer ${token}\n$`,
      ),
      stderr: 'Stopping: agents are asked to stop, and all is saved. Ctrl+C again kills them.\n',
    })
  })
})
