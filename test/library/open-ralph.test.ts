// Every verb of the HTTP API through the library: refusals, both feeds, and the end.
import { expect, it, onTestFinished } from 'vitest'
import type { BuildId, CommitId } from '../../src/core/values/id.ts'
import { openPlace, openRalph, RequestRefused, type FactEvent } from '../../src/index.ts'
import { project } from '../rig/project.ts'
import { work } from '../rig/sessions.ts'

const refused = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    (answer) => ({ answer }),
    (error: unknown) => {
      if (!(error instanceof RequestRefused)) throw error
      const { status, code, faults } = error
      return { status, code, ...(faults.length === 0 ? {} : { faults }) }
    },
  )

it('a deploy whose end nobody knows: refused, then taken as done', async () => {
  const made = project({ script: [{ role: 'implementer', task: 'two', steps: work('two') }] })
  const ralph = await openRalph({ folder: made.folder, env: made.env, person: 'ada' })
  const { context } = await openPlace({ folder: made.folder, env: made.env })
  onTestFinished(async () => {
    await ralph.close()
    context.store.close()
  })
  const { sessionId } = await ralph.start({ ideaId: 'shop' })
  for await (const { type } of ralph.follow(sessionId)) if (type === 'buildComplete') break
  const { commit } = await ralph.publish({ project_id: 'shop' })
  // As a server leaves it that was killed while the command ran.
  const begun = { type: 'deploying', command: 'upload', commit: commit as CommitId } as const
  await context.store.builds.note(sessionId as BuildId, begun)
  const again = ralph.publish({ project_id: 'shop' })
  await expect(again).rejects.toMatchObject({ status: 409, reasons: [{ code: 'deployUnknown' }] })
  expect(await ralph.gate({ project_id: 'shop' })).toMatchObject({ ok: false, published: true })
  expect(await ralph.publish({ project_id: 'shop', deploy: 'done' })).toMatchObject({ commit, deployed: null })
  expect(await ralph.gate({ project_id: 'shop' })).toMatchObject({ ok: true, published: true })
  const { facts } = await ralph.facts({ id: sessionId, limit: 1000 })
  expect(facts.at(-1)).toMatchObject({ type: 'deployed', commit, exit: 0, by: 'ada' })
})

it('refuses as the server does, follows builds and ideas, and ends', async () => {
  const made = project({ script: [{ role: 'implementer', task: 'two', steps: work('two') }] })
  const ralph = await openRalph({ folder: made.folder, env: made.env, person: 'ada' })
  onTestFinished(() => ralph.close())

  expect(await refused(ralph.status({ ideaId: 'shop' }))).toEqual({ answer: { status: 'not_started' } })
  expect(await refused(ralph.state({ build_id: 'b_none' }))).toEqual({ status: 404, code: 'RALPH_BUILD_NOT_FOUND' })
  expect(await refused(ralph.builds({ limit: 0 }))).toEqual({
    status: 422,
    code: 'RALPH_INPUT_BAD',
    faults: [{ path: 'querystring.limit', problem: expect.any(String) }],
  })
  const unknown = { sessionId: 'b_1', now: true } as { sessionId: string }
  expect(await refused(ralph.pause(unknown))).toMatchObject({ status: 422, faults: [{ path: 'body' }] })
  const nameless = {} as { ideaId: string }
  expect(await refused(ralph.status(nameless))).toMatchObject({ status: 422, faults: [{ path: 'params.ideaId' }] })
  expect(await refused(ralph.follow('b_none').next())).toEqual({ status: 404, code: 'RALPH_BUILD_NOT_FOUND' })
  expect(await refused(ralph.follow('shop', { after: 'x' }).next())).toMatchObject({ code: 'RALPH_INPUT_BAD' })
  expect(await refused(ralph.followIdeas({ repository: 'x' }).next())).toMatchObject({
    code: 'RALPH_REPOSITORY_UNKNOWN',
  })
  const given = AbortSignal.abort(new Error('enough'))
  await expect(ralph.tasks({}, { signal: given })).rejects.toThrow('enough')

  // Somebody may come before there is a build.
  const told: FactEvent[] = []
  const following = (async () => {
    for await (const fact of ralph.follow('shop')) {
      told.push(fact)
      if (fact.type === 'buildComplete') break
    }
  })()
  const { sessionId } = await ralph.start({ ideaId: 'shop' })
  await following
  expect(told.map(({ seq }) => seq)).toEqual(told.map((_, index) => index + 1))
  expect(told).toEqual((await ralph.facts({ id: sessionId, limit: 1000 })).facts)
  const { value: later } = await ralph.follow('shop', { after: `${sessionId}:3` }).next()
  expect(later).toEqual(told[3])
  const { value: news } = await ralph.followIdeas().next()
  expect(news).toMatchObject({ type: 'idea', idea: { id: 'shop', build: { sessionId } } })
  const grown = []
  for await (const { type } of ralph.followTranscript(`${sessionId}.two.1.1`)) grown.push(type)
  expect(grown).toEqual(['grew', 'ended'])
  expect(await ralph.state({ build_id: 'shop' })).toMatchObject({ phase: 'ready' })

  const open = ralph.follow(sessionId, { after: told.length }).next()
  await ralph.close()
  await ralph.close()
  expect(await open).toEqual({ done: true, value: undefined })
  expect(await refused(ralph.tasks())).toEqual({ status: 503, code: 'RALPH_CLOSED' })
  expect(made.json('status')).toMatchObject({ sessionId, state: 'complete' })
})
