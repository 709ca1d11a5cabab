// The application: every verb of the contract as a route, behind one check of access.
import swagger from '@fastify/swagger'
import websocket from '@fastify/websocket'
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { jsonSchemaTransform, serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { RalphError, refuse } from '../core/error/error.ts'
import { type Asked, errorAnswer, type RouteName, routes } from '../operations/contract/contract.ts'
import type { Route } from '../operations/contract/route.ts'
import type { Feed } from '../operations/feed/feed.ts'
import { placeOf } from '../operations/verbs/ideas.ts'
import { type VerbContexts, verbsOfAll } from '../operations/verbs/repositories.ts'
import type { Entrance, Visit } from './access.ts'
import { BODY_BYTES_MAX, failureOf } from './failures.ts'
import { offerBuildFeed } from './build-feed.ts'
import type { FeedTimes } from './feed-clock.ts'
import { offerIdeaFeed } from './idea-feed.ts'
import { openFeedHost } from './live-feed.ts'
import { offerPage, type Page, plainPage, wantsPage } from './page.ts'
import { offerTranscriptFeed } from './transcript-feed.ts'
import { refuseUnreadable } from './unreadable-request.ts'

/** Characters of an id in a path, percent-encoded. */
const PARAM_LENGTH_MAX = 2_048
const REQUEST_TIME_MAX_MS = 30_000
/** Readers of a feed send nothing that is needed. */
const MESSAGE_BYTES_MAX = 4_096

const JSON_TYPE = 'application/json; charset=utf-8'

const HEADERS = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
}

export interface AppParts {
  readonly contexts: VerbContexts
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal
  /** For the operator, a sentence each. */
  readonly note: (sentence: string) => void
  /** Known once the server has its port. */
  readonly entrance: () => Entrance
  readonly version: string
  readonly feed: Feed
  readonly feedTimes?: FeedTimes | undefined
}

export async function makeApp(parts: AppParts): Promise<FastifyInstance> {
  const app = fastify({
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_TIME_MAX_MS,
    routerOptions: { maxParamLength: PARAM_LENGTH_MAX },
    forceCloseConnections: 'idle',
    clientErrorHandler: refuseUnreadable,
    // A malformed address skips every hook, so access is checked here.
    frameworkErrors: (error, request, reply) => {
      const refusal = parts.entrance().check(visitOf(request))
      const { status, body } = failureOf(refusal ?? error)
      const answer = reply as unknown as FastifyReply
      answer.headers(HEADERS).code(status).type(JSON_TYPE).send(JSON.stringify(body))
    },
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  takeOnlyJson(app)
  guardDoor(app, parts)
  const page = offerPage(app)
  answerFailures(app, parts, page)
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Ralph', version: parts.version, description: 'Builds, their facts, and how to steer them.' },
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
      security: [{ token: [] }],
    },
    transform: jsonSchemaTransform,
  })
  await app.register(websocket, { options: { maxPayload: MESSAGE_BYTES_MAX, handleProtocols: chooseProtocol } })
  const verbs = verbsOfAll(parts.contexts)
  for (const [name, route] of Object.entries(routes))
    offer(app, name as RouteName, route, verbs[name as RouteName] as Handle)
  const { contexts, feed, stopping, feedTimes } = parts
  const [first, ...others] = contexts
  const host = openFeedHost(app, stopping, feedTimes)
  offerBuildFeed(host, feed)
  offerIdeaFeed(
    host,
    contexts.map(({ servedRepo }) => placeOf(servedRepo)),
  )
  offerTranscriptFeed(host, [first.servedRepo, ...others.map(({ servedRepo }) => servedRepo)])
  app.get('/api/openapi.json', { schema: { hide: true } }, () => app.swagger())
  app.get('/', { schema: { hide: true } }, (request, reply) => {
    if (page !== null && wantsPage(request)) return page.send(reply)
    return { name: 'ralph', version: parts.version, api: '/api/openapi.json' }
  })
  await app.ready()
  return app
}

type Handle = (asked: Asked<RouteName>) => Promise<unknown>

function offer(app: FastifyInstance, name: RouteName, route: Route, handle: Handle): void {
  const { method, path, about, params, query, body, answer } = route
  app.route({
    method,
    url: path,
    schema: {
      operationId: name,
      summary: about,
      params,
      querystring: query,
      ...(method === 'POST' ? { body } : {}),
      response: { 200: answer, '4xx': errorAnswer, '5xx': errorAnswer },
    },
    handler: (request) =>
      handle({ params: request.params, query: request.query, body: request.body } as Asked<RouteName>),
  })
}

/** A foreign page can send plain text without a preflight request, but no JSON. */
function takeOnlyJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_, text, done) => {
    if (text === '') return done(null, undefined)
    try {
      done(null, JSON.parse(String(text)))
    } catch (error) {
      done(refuse('INPUT_BAD', { problem: 'body: is no JSON' }, error))
    }
  })
  // An empty body means an empty object.
  app.addHook('preValidation', async (request) => {
    if (request.method === 'POST') request.body ??= {}
  })
}

function guardDoor(app: FastifyInstance, { entrance }: AppParts): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(HEADERS)
    if (request.routeOptions.url === '/login') return
    const refusal = entrance().check(visitOf(request))
    if (refusal !== null) throw refusal
  })
  const querystring = z.object({ key: z.string().max(256).default('') })
  app.get<{ Querystring: z.infer<typeof querystring> }>(
    '/login',
    // A HEAD request would use up the link.
    { schema: { hide: true, querystring }, exposeHeadRoute: false },
    (request, reply) => {
      const cookie = entrance().admit(visitOf(request), request.query.key)
      if (cookie instanceof RalphError) throw cookie
      // A page that reloads itself: browsers send no strict cookie along a redirect from another site.
      return reply
        .header('set-cookie', cookie)
        .type('text/html; charset=utf-8')
        .send('<!doctype html><title>Ralph</title><meta http-equiv="refresh" content="0; url=/">\n')
    },
  )
}

function answerFailures(app: FastifyInstance, { note }: AppParts, page: Page | null): void {
  app.setErrorHandler((error, request, reply) => {
    const { status, body } = failureOf(error)
    if (status >= 500 && !(error instanceof RalphError))
      note(`${request.method} ${request.url.split('?', 1)[0]}: ${body.error.message}`)
    if (status === 401) reply.header('www-authenticate', 'Bearer')
    if (wantsPage(request) && status < 500)
      return reply.code(status).type('text/html; charset=utf-8').send(plainPage(body.error.message))
    return reply.code(status).type(JSON_TYPE).send(JSON.stringify(body))
  })
  app.setNotFoundHandler((request, reply) => {
    if (page !== null && wantsPage(request)) return page.send(reply)
    const path = request.url.split('?', 1)[0] ?? ''
    throw refuse('ROUTE_UNKNOWN', { method: request.method, path })
  })
}

function visitOf({ headers, ip }: FastifyRequest): Visit {
  return { headers, address: ip }
}

/** A client that offers protocols expects one of them in the answer. */
function chooseProtocol(offered: Set<string>): string | false {
  return offered.has('ralph') ? 'ralph' : ([...offered][0] ?? false)
}
