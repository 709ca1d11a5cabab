import { expect, it } from 'vitest'
import { type Logged, openLog } from './request-log.ts'

const logged = (body: string): Logged => ({ method: 'POST', path: '/', headers: {}, body, ask: null, turn: null })

it.each([
  ['too many', { entries: 2, bytes: 1000 }, ['ccc', 'd'], 2],
  ['too large', { entries: 100, bytes: 5 }, ['ccc', 'd'], 2],
  ['few and small', { entries: 100, bytes: 1000 }, ['a', 'bb', 'ccc', 'd'], 0],
])('of entries that are %s the oldest are forgotten', (_, bounds, kept, forgotten) => {
  const log = openLog(bounds)
  for (const body of ['a', 'bb', 'ccc', 'd']) log.add(logged(body))
  expect([log.all().map(({ body }) => body), log.forgotten()]).toEqual([kept, forgotten])
})

it('tells of what comes next, once', async () => {
  const log = openLog()
  const seen: string[] = []
  log.add(logged('before'))
  log.watch(({ body }) => seen.push(body))
  const next = log.next(({ body }) => body.startsWith('b'))
  for (const body of ['a', 'b1', 'b2']) log.add(logged(body))
  expect([(await next).body, seen]).toEqual(['b1', ['a', 'b1', 'b2']])
})
