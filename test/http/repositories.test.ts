// One server for several repositories: every request finds the one that it is about.
import { basename } from 'node:path'
import { expect, it } from 'vitest'
import { createClient } from '../../src/index.ts'
import { type Body, type Served, served } from './served.ts'
import { project } from '../rig/project.ts'
import { work } from '../rig/sessions.ts'

const session = (task: string) => ({ role: 'implementer', task, steps: work(task) })
const codeOf = ({ status, body }: { status: number; body: Body }) =>
  `${status} ${(body['error'] as { code: string } | undefined)?.code ?? ''}`.trim()

it('builds in each, lists all or one, and says when it cannot know which', async () => {
  const [one, other] = [project({ script: [session('two'), session('three')] }), project({ script: [session('two')] })]
  const server = await served(one, {}, '.', other.folder)
  const [first, second] = [basename(one.folder), other.folder]
  expect((await server.get('/api/repositories')).body).toEqual({
    repositories: [
      { name: first, folder: one.folder, branch: 'main' },
      { name: second, folder: other.folder, branch: 'main' },
    ],
  })
  expect(codeOf(await server.post('/api/build/shop/start'))).toBe('422 RALPH_REPOSITORY_UNSAID')
  expect(codeOf(await server.post('/api/build/shop/start', { repository: 'x' }))).toBe('404 RALPH_REPOSITORY_UNKNOWN')

  // Both at once, and the feed finds each although it waited before there was a build.
  const early = [server.saw('shop', 'buildComplete'), server.saw('farm', 'buildComplete')]
  await server.post('/api/build/shop/start', { repository: first })
  const { body } = await server.post('/api/build/farm/start', { repository: second })
  await Promise.all(early)
  expect((await server.get('/api/build/shop/status')).body).toMatchObject({ sessionId: one.build(), commits: 2 })
  expect((await server.get('/api/build/farm/status')).body).toMatchObject({ sessionId: other.build(), commits: 1 })
  expect(body['sessionId']).toBe(other.build())
  expect((await server.get(`/api/build/${other.build()}`)).body).toMatchObject({ project_id: 'farm', phase: 'ready' })
  const transcript = await server.get(`/api/iterations/${other.build()}.two.1.1/transcript`)
  expect(transcript.body['events']).toContainEqual(expect.objectContaining({ text: 'working on two' }))

  const seen: unknown[] = []
  for (let next: unknown = ''; next !== null;) {
    const page = (await server.get(`/api/tasks?limit=1${next === '' ? '' : `&after=${String(next)}`}`)).body
    seen.push(...(page['tasks'] as Body[]).map(({ id, repository }) => [id, repository]))
    next = page['next']
  }
  expect(seen).toEqual([
    ['two', first],
    ['three', first],
    ['two', second],
  ])
  const builds = (await server.get('/api/builds')).body['builds'] as Body[]
  expect(builds.map(({ id, repository }) => [id, repository])).toEqual([
    [one.build(), first],
    [other.build(), second],
  ])
  const there = encodeURIComponent(second)
  expect((await server.get(`/api/builds?repository=${there}`)).body).toMatchObject({
    builds: [{ id: other.build() }],
    next: null,
  })
  expect(codeOf(await server.get('/api/tasks/two'))).toBe('409 RALPH_REPOSITORY_UNCLEAR')
  expect((await server.get(`/api/tasks/two?repository=${there}`)).body).toMatchObject({ repository: second })
  expect((await server.get('/api/tasks/three')).body).toMatchObject({ repository: first })
  expect(codeOf(await server.get('/api/tasks?after=7.x'))).toBe('422 RALPH_INPUT_BAD')
  expect(codeOf(await server.get('/api/build/b_none'))).toBe('404 RALPH_BUILD_NOT_FOUND')

  expect((await server.post('/api/projects/farm/publish')).body).toMatchObject({ build_id: other.build() })
  expect(other.git('log', '--format=%s', 'main')).toBe('feat: Add two\nstart\n')
  expect(one.git('log', '--format=%s', 'main')).toBe('start\n')
})

it('an idea of the same name in two: every route and feed takes the repository, and asks for it', async () => {
  const [one, other] = [project({ script: [session('two')] }), project({ script: [session('two')] })]
  const server = await served(one, {}, '.', other.folder)
  const client = createClient({ url: server.address, token: server.token })
  const places = { [basename(one.folder)]: one, [other.folder]: other }
  for (const repository of Object.keys(places)) await client.start({ ideaId: 'shop', repository })

  for (const [repository, { build }] of Object.entries(places)) {
    const told: string[] = []
    for await (const { type, sessionId } of client.follow('shop', { repository })) {
      told.push(sessionId)
      if (type === 'buildComplete') break
    }
    expect([...new Set(told)]).toEqual([build()])
    const where = `repository=${encodeURIComponent(repository)}`
    const events = await firstEvent(server, `/api/build/shop/events?${where}`)
    expect(events).toMatchObject({ type: 'buildStarted', sessionId: build() })
    expect(await firstEvent(server, `/api/ideas/events?${where}`)).toMatchObject({ idea: { id: 'shop', repository } })
    for await (const { idea } of client.followIdeas({ repository })) {
      expect(idea).toMatchObject({ repository, build: { sessionId: build() } })
      break
    }
    expect(await client.status({ ideaId: 'shop', repository })).toMatchObject({ sessionId: build() })
    expect(await client.gate({ project_id: 'shop', repository })).toMatchObject({ build_id: build(), ok: true })
  }

  const names = Object.keys(places).map((name) => `'${name}'`)
  const way = "name the build by its id, or say which with 'repository'"
  const unclear = `'shop' is in several repositories (${names.join(', ')}); ${way}`
  const refused = { status: 409, code: 'RALPH_REPOSITORY_UNCLEAR', message: unclear }
  await expect(client.follow('shop').next()).rejects.toMatchObject(refused)
  await expect(client.status({ ideaId: 'shop' })).rejects.toMatchObject(refused)
  await expect(client.pause({ sessionId: 'shop' })).rejects.toMatchObject(refused)
  const unknown = { status: 404, code: 'RALPH_REPOSITORY_UNKNOWN' }
  await expect(client.follow('shop', { repository: 'x' }).next()).rejects.toMatchObject(unknown)
  await expect(client.followIdeas({ repository: 'x' }).next()).rejects.toMatchObject(unknown)
  const elsewhere = client.follow(one.build(), { repository: other.folder })
  await expect(elsewhere.next()).rejects.toMatchObject({ status: 404, code: 'RALPH_BUILD_NOT_FOUND' })
})

async function firstEvent({ address, token }: Served, path: string): Promise<unknown> {
  const answer = await fetch(`${address}${path}`, { headers: { authorization: `Bearer ${token}` } })
  let text = ''
  for await (const part of answer.body ?? []) {
    text += new TextDecoder().decode(part)
    const [, data] = /^data: (.*)$/m.exec(text.slice(0, text.lastIndexOf('\n\n') + 1)) ?? []
    if (data !== undefined) return JSON.parse(data)
  }
  throw new Error(`nothing was told at ${path}: ${text}`)
}

it('a folder that is no repository, and one that is named twice, are refused', () => {
  const made = project()
  expect(made.ralph(['serve', '.', made.root]).stderr).toMatch(/^Error: .*\[RALPH_NOT_A_REPOSITORY\]\n$/)
  expect(made.ralph(['serve', '.', made.folder]).stderr).toBe(
    `Error: '${made.folder}' is a checkout that was named before; name each once [RALPH_SERVED_TWICE]\n`,
  )
})
