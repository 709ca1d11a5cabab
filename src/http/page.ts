// The web page: files from the build, kept in memory and served under a policy that allows nothing from elsewhere.
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from '../core/error/error.ts'

/** From `src/http` and from the folders in `dist`. */
const LEVELS_UP_MAX = 2
const A_YEAR_S = 31_536_000
const NONCE_BYTES = 16

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

interface Asset {
  readonly type: string
  readonly plain: Buffer
  readonly gzip: Buffer | null
}

export interface Page {
  /** Sends the page, for every address that the page itself handles. */
  readonly send: (reply: FastifyReply) => FastifyReply
}

/** Null where the page was not built. */
export function offerPage(app: FastifyInstance): Page | null {
  const folder = pageFolder()
  if (folder === null) return null
  const assets = assetsIn(join(folder, 'assets'))
  const index = readFileSync(join(folder, 'index.html'), 'utf8')
  app.get<{ Params: { name: string } }>('/assets/:name', { schema: { hide: true } }, (request, reply) => {
    const asset = assets.get(request.params.name)
    if (asset === undefined) throw refuse('ROUTE_UNKNOWN', { method: 'GET', path: `/assets/${request.params.name}` })
    // The name of a file changes with its content.
    reply.type(asset.type).header('cache-control', `private, max-age=${A_YEAR_S}, immutable`)
    if (asset.gzip === null || !/\bgzip\b/.test(request.headers['accept-encoding'] ?? ''))
      return reply.send(asset.plain)
    return reply.header('content-encoding', 'gzip').header('vary', 'accept-encoding').send(asset.gzip)
  })
  return {
    send: (reply) => {
      const nonce = randomBytes(NONCE_BYTES).toString('base64url')
      return reply
        .type('text/html; charset=utf-8')
        .header('content-security-policy', policy(nonce))
        .send(index.replace('__NONCE__', nonce))
    },
  }
}

/** Whether a browser navigates to the address, as opposed to a program that calls it. */
export function wantsPage({ method, headers, url }: Pick<FastifyRequest, 'method' | 'headers' | 'url'>): boolean {
  return method === 'GET' && (headers.accept ?? '').includes('text/html') && !/^\/(?:api|assets)(?:\/|$)/.test(url)
}

/** A page with the sentence alone, for requests without access. */
export function plainPage(sentence: string): string {
  const text = sentence.replaceAll(/[<>&"']/g, (sign) => `&#${sign.codePointAt(0)};`)
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Ralph</title><h1>Ralph</h1><p>${text}</p></html>\n`
}

function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

function pageFolder(from = import.meta.dirname): string | null {
  let folder = from
  for (let level = 0; level <= LEVELS_UP_MAX; level += 1) {
    for (const made of [join(folder, 'web'), join(folder, 'dist', 'web')])
      if (existsSync(join(made, 'index.html')) && existsSync(join(made, 'assets'))) return made
    folder = dirname(folder)
  }
  return null
}

/** Only the listed files are served. */
function assetsIn(folder: string): ReadonlyMap<string, Asset> {
  const names = new Set(readdirSync(folder))
  return new Map(
    [...names].flatMap((name) => {
      const type = TYPES[extname(name)]
      if (type === undefined) return []
      const gzip = names.has(`${name}.gz`) ? readFileSync(join(folder, `${name}.gz`)) : null
      return [[name, { type, plain: readFileSync(join(folder, name)), gzip }]]
    }),
  )
}
