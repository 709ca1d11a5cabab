// Whatever is asked: an answer in the agreed form, and never that something broke inside.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { errorAnswer, routes } from '../../src/operations/contract/contract.ts'
import type { Route } from '../../src/operations/contract/route.ts'
import { amount } from '../rig/share.ts'
import { served } from './served.ts'
import { project } from '../rig/project.ts'

const SEED = Number(process.env['RALPH_TEST_SEED'] ?? Date.now() % 1_000_000)
const RUNS = amount({ first: 5, day: 40, all: 80 })

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(
    '',
    '.',
    '..',
    '%',
    '%00',
    'b_',
    'b_none',
    'i_1',
    '__proto__',
    'constructor',
    '1e999',
    '-1',
    '\u202e',
    '\ud800',
  ),
  fc.constant('x'.repeat(3_000)),
)
const names = [
  'build_id',
  'project_id',
  'task_id',
  'seed',
  'brief',
  'text',
  'resolution',
  'ref',
  'mode',
  'budget',
  '__proto__',
]
const fields = fc.dictionary(fc.oneof(fc.constantFrom(...names), text), fc.jsonValue(), { maxKeys: 5 })
const body = fc.oneof(
  fields.map((value) => JSON.stringify(value)),
  fc.jsonValue().map((value) => JSON.stringify(value)),
  text,
  fc.constant(`${'['.repeat(50_000)}${']'.repeat(50_000)}`),
)
const query = fc.dictionary(
  fc.oneof(fc.constantFrom('after', 'before', 'limit', 'idea', 'status', 'text'), text),
  text,
  {
    maxKeys: 4,
  },
)

it(`never 500 (RALPH_TEST_SEED=${SEED})`, async () => {
  const made = project()
  const server = await served(made)
  const seed = { brief: { goal: 'numbers' } }
  const { body: real } = await server.post('/api/build/start', { project_id: 'shop', seed })
  const id = fc.oneof(
    { weight: 3, arbitrary: text },
    { weight: 1, arbitrary: fc.constantFrom('shop', real['build_id']) },
  )
  const headers = { authorization: `Bearer ${server.token}` }
  const feeds = ['/api/build/:ideaId', '/api/iterations/:id'].flatMap((path) =>
    ['stream', 'events'].map((end) => ({ method: 'GET', path: `${path}/${end}` }) as const),
  )
  const all: readonly Pick<Route, 'method' | 'path'>[] = [...Object.values(routes), ...feeds]
  for (const { method, path } of all) {
    const asked = fc.record({ ids: fc.infiniteStream(id), query, body })
    const property = fc.asyncProperty(asked, async ({ ids, query: fields, body: sent }) => {
      const filled = path.replaceAll(/:\w+/g, () => encoded(String(ids.next().value)))
      // A request that follows an idea or an existing build does not end.
      if (path === '/api/build/:ideaId/events' && !/\/b_(?!\w{14})/.test(filled)) return
      const search = new URLSearchParams(fields)
      const type = method === 'POST' ? { 'content-type': 'application/json' } : {}
      const answer = await server.ask(
        method,
        `${filled}?${search}`,
        { ...headers, ...type },
        method === 'POST' ? sent : '',
      )
      const form =
        answer.status === 200 ? 'an answer' : errorAnswer.safeParse(answer.body).success ? 'a refusal' : answer.text
      const isWrong = answer.status === 500 || form === answer.text
      expect({ path, ...(isWrong ? { status: answer.status, form, text: answer.text } : {}) }).toEqual({ path })
    })
    await fc.assert(property, { seed: SEED, numRuns: RUNS, endOnFailure: true })
  }
  // A valid body hands the build to a loop, and no agent here can plan it.
  const unplanned = /^build b_\w+: The build failed\. .* has no session for role planner, .*\n/gm
  // Another request may abort it meanwhile.
  const aborted = /^build b_\w+: The build was aborted\.\n/gm
  expect(server.program.said().stderr.replaceAll(unplanned, '').replaceAll(aborted, '')).toBe('')
  expect((await server.get('/api/builds')).body).toMatchObject({ builds: [{ id: real['build_id'] }] })
})

/** Only paths of the API are of interest. */
function encoded(part: string): string {
  const written = encodeURIComponent(part.toWellFormed())
  return written === '' || written === '.' || written === '..' ? '%2e%2e%2f' : written
}
