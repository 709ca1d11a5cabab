// Sessions of every role by name: the agent, the transcript, and the live output.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type Client, createClient, type TranscriptNews } from '../../src/index.ts'
import { files, run, session } from '../rig/claim-sessions.ts'
import { refusal } from './refusal.ts'
import { served } from './served.ts'
import { project } from '../rig/project.ts'
import { answers, work } from '../rig/sessions.ts'

const approve = { answer: { decision: 'approve', reasons: ['as asked'], required_fixes: [] } }

async function said(client: Client, id: string): Promise<string[]> {
  const { rows } = await client.rows({ id })
  return rows.filter(({ type }) => type === 'text').map(({ text }) => text)
}

it('what the agent and then its reviewer say is read while they say it, though another process runs the build', async () => {
  const made = project({ script: [{ role: 'implementer', task: 'two', steps: [] }] })
  const allow = (word: string): void => writeFileSync(join(made.root, word), '')
  const wait = (word: string) => ({ run: `until [ -e '${join(made.root, word)}' ]; do sleep 0.02; done` })
  const answer = [{ say: 'is it right?' }, wait('review'), { say: 'it is' }, approve]
  made.play(
    { role: 'implementer', task: 'two', steps: [{ say: 'let me see' }, wait('work'), ...work('two')] },
    { role: 'reviewer', steps: answer },
  )
  made.write('ralph.toml', `${made.read('ralph.toml')}[review]\nwhen = "always"\n`)
  const server = await served(made)
  const client = createClient({ url: server.address, token: server.token })
  const program = made.start(['build'])
  await program.saw('attempt 1')
  const build = made.build()
  await server.saw(build, 'iterationStarted')
  const [work1, review1] = [`${build}.two.1.1`, `${build}.two.1.1.reviewer`]
  /** Follows it to its end; at the first words it is allowed to go on. */
  const follow = async (id: string, word: string): Promise<TranscriptNews[]> => {
    const told: TranscriptNews[] = []
    for await (const news of client.followTranscript(id)) {
      told.push(news)
      if (news.type === 'grew' && (await said(client, id)).length === 1) allow(word)
    }
    return told
  }

  const worked = await follow(work1, 'work')
  await server.saw(build, 'reviewing')
  expect((await client.taskDetail({ id: build, task: 'two' })).running).toEqual({
    ...{ id: review1, attempt: 1, iteration: 1, role: 'reviewer' },
  })
  const reviewed = await follow(review1, 'review')
  await program.ended

  for (const [id, told] of [
    [work1, worked],
    [review1, reviewed],
  ] as const) {
    const sizes = told.flatMap((news) => (news.type === 'grew' ? [news.bytes] : []))
    expect(sizes).toEqual([...new Set(sizes)].toSorted((one, other) => one - other))
    expect(told.at(-1)).toEqual({ type: 'ended' })
    expect((await client.outline({ id })).bytes).toBe(sizes.at(-1))
  }
  expect(await said(client, review1)).toEqual(['is it right?', 'it is'])
  expect((await client.search({ id: review1, text: 'IS IT RIGHT' })).rows).toEqual([0])
  expect((await client.transcript({ id: review1, limit: 1 })).events).toMatchObject([{ text: 'is it right?' }])

  // A client with an outline asks for the rows after it.
  const { rows, bytes } = await client.outline({ id: work1 })
  expect(await client.outline({ id: work1, from: bytes, rows })).toEqual({ rows, bytes, marks: [] })

  const { running, asked } = await client.taskDetail({ id: build, task: 'two' })
  expect([running, asked]).toEqual([
    null,
    [expect.objectContaining({ id: review1, role: 'reviewer', agent: 'scripted', failure: null })],
  ])
  const sessions = await client.sessions({ id: build })
  expect(sessions.sessions.map(({ id, role, taskId, state }) => [id, role, taskId, state])).toEqual([
    [work1, 'implementer', 'two', 'settled'],
    [review1, 'reviewer', 'two', 'settled'],
  ])
  expect((await client.builds()).builds).toMatchObject([{ id: build, name: 'Add two' }])

  // Over is over, however often it is asked.
  const late: TranscriptNews[] = []
  for await (const news of client.followTranscript(review1)) late.push(news)
  expect(late).toEqual([{ type: 'grew', bytes: expect.any(Number) }, { type: 'ended' }])
  const events = await server.get(`/api/iterations/${review1}/events`)
  expect(events.text).toMatch(/^retry: 1000\n\nevent: grew\ndata: \{"type":"grew","bytes":\d+\}\n\nevent: ended\n/)

  const path = `/api/iterations/${review1}/stream`
  const upgrade = { connection: 'upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' }
  const key = { 'sec-websocket-key': `${'a'.repeat(22)}==` }
  const untrackedFile = { ...upgrade, ...key, 'sec-websocket-protocol': 'ralph.bearer.wrong' }
  expect((await server.ask('GET', path, untrackedFile)).status).toBe(401)
  expect((await server.get(path)).status).toBe(426)

  for (const name of [`${build}.two.1.1.sia`, `${build}.two.2.1.reviewer`, `${build}.1.1.planner`, 'b_1.two.1.1.sia'])
    expect((await refusal(client.outline({ id: name }))).code).toBe('RALPH_ITERATION_NOT_FOUND')
  for (const name of ['b_1.two.1.1', 'nonsense', `${build}...%2f..%2fx.1.1.planner`])
    expect((await refusal(client.followTranscript(name).next())).code).toBe('RALPH_ITERATION_NOT_FOUND')
  rmSync(join(made.folder, `.git/ralph/transcripts/${build}/two/1-1-reviewer.jsonl`))
  expect((await refusal(client.rows({ id: review1 }))).code).toBe('RALPH_TRANSCRIPT_GONE')
})

it('an agent that chose its task itself is read while it works', async () => {
  const made = project({ tasks: { two: [] } })
  const allow = join(made.root, 'go')
  const steps = [
    run('ralph task claim two'),
    { say: 'let me see' },
    run(`until [ -e '${allow}' ]; do sleep 0.02; done`),
  ]
  made.play(session(null, ...steps, ...files('two'), run('ralph task done two')))
  const server = await served(made)
  const client = createClient({ url: server.address, token: server.token })
  const program = made.start(['build', '--claim', 'agent'])
  await program.saw('each session chooses')
  const build = made.build()
  await server.saw(build, 'iterationStarted')
  const id = `${build}.two.1.1`
  const told: TranscriptNews['type'][] = []
  for await (const { type } of client.followTranscript(id)) {
    told.push(type)
    if (type === 'grew' && (await said(client, id))[0] === 'let me see') writeFileSync(allow, '')
  }
  expect(told.at(-1)).toBe('ended')
  await program.ended
  expect((await said(client, id)).slice(0, 2)).toEqual(['let me see', 'working on two'])
})

it('a planner of a build has its session too', async () => {
  const made = project()
  made.play(answers())
  const server = await served(made)
  const client = createClient({ url: server.address, token: server.token })
  const { build_id: id } = await client.create({ project_id: 'shop', seed: { brief: { title: 'Numbers' } } })
  await client.step({ build_id: id })
  const { sessions } = await client.sessions({ id, role: 'planner' })
  expect(sessions).toMatchObject([{ id: `${id}.1.1.planner`, role: 'planner', taskId: null, state: 'settled' }])
  expect((await said(client, `${id}.1.1.planner`))[0]).toBe('I see')
  expect((await client.builds()).builds).toMatchObject([{ id, name: 'Numbers' }])
})
