// The page's files: access, caching, and the content security policy.
import { expect, it } from 'vitest'
import { served } from './served.ts'
import { project } from '../rig/project.ts'

it('is handed out under a policy of its own, its parts for ever, and to nobody else', async () => {
  const server = await served(project())
  const own = { authorization: `Bearer ${server.token}` }
  const browser = { ...own, accept: 'text/html,*/*' }

  const index = await server.ask('GET', '/build/b_1/task/two', browser)
  const policy = String(index.headers['content-security-policy'])
  const nonce = /nonce="([\w-]{22})"/.exec(index.text)?.[1] ?? 'none'
  expect({
    status: index.status,
    contentType: index.headers['content-type'],
    cacheControl: index.headers['cache-control'],
  }).toEqual({ status: 200, contentType: 'text/html; charset=utf-8', cacheControl: 'no-store' })
  expect(policy).toBe(
    `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  )
  expect((await server.ask('GET', '/', browser)).text).not.toContain(nonce)

  const script = /src="(\/assets\/[^"]+\.js)"/.exec(index.text)?.[1] ?? ''
  const plain = await server.ask('GET', script, own)
  expect({
    status: plain.status,
    contentType: plain.headers['content-type'],
    cacheControl: plain.headers['cache-control'],
  }).toEqual({
    status: 200,
    contentType: 'text/javascript; charset=utf-8',
    cacheControl: 'private, max-age=31536000, immutable',
  })
  const zipped = await fetch(`${server.address}${script}`, { headers: { ...own, 'accept-encoding': 'gzip' } })
  expect([zipped.headers.get('content-encoding'), await zipped.text()]).toEqual(['gzip', plain.text])

  const cases: readonly (readonly [string, Readonly<Record<string, string>>, number])[] = [
    ['/', { accept: 'text/html' }, 401],
    [script, {}, 401],
    ['/assets/nothing.js', own, 404],
    ['/assets/..%2findex.html', own, 404],
    ['/assets/..%2f..%2fcli.js', browser, 404],
    ['/api/nothing', browser, 404],
    ['/nothing', own, 404],
  ]
  const answers = await Promise.all(
    cases.map(async ([path, headers]) => (await server.ask('GET', path, headers)).status),
  )
  expect(answers).toEqual(cases.map(([, , status]) => status))
  expect((await server.ask('GET', '/', own)).body).toMatchObject({ name: 'ralph' })

  expect((await server.ask('GET', '/', { accept: 'text/html' })).text).toContain('or the link that it printed')
})
