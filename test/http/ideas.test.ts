// Ideas over HTTP: from words to the base branch without a terminal, through the client of the package.
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Client, createClient } from '../../src/index.ts'
import { refusal } from './refusal.ts'
import { served, type Served } from './served.ts'
import { project, type Project } from '../rig/project.ts'
import { answers, GOAL, planner, SIA_GIVES_UP, work, WORKERS } from '../rig/sessions.ts'

interface Rig extends Client {
  readonly made: Project
  readonly server: Served
  /** The states of an idea in the feed, as `phase` or `phase done/all`, without repetitions. */
  readonly board: (id: string) => readonly string[]
  /** Resolves when the feed reports this state. */
  readonly stands: (id: string, told: string) => Promise<void>
}

async function rig(sessions: readonly object[], before: (made: Project) => void = () => {}): Promise<Rig> {
  const made = project({ tasks: 'planned', script: sessions })
  before(made)
  const server = await served(made)
  const client = createClient({ url: server.address, token: server.token })
  const over = new AbortController()
  const told = new Map<string, string[]>()
  const waiting = new Set<() => void>()
  const following = (async () => {
    for await (const { idea } of client.followIdeas({ signal: over.signal })) {
      const { progress } = idea.build ?? {}
      const text = progress === undefined ? idea.phase : `${idea.phase} ${progress.completed}/${progress.total}`
      const all = told.get(idea.id) ?? []
      if (all.at(-1) !== text) told.set(idea.id, [...all, text])
      for (const look of waiting) look()
    }
  })()
  onTestFinished(async () => {
    over.abort()
    await following
  })
  const board = (id: string): readonly string[] => told.get(id) ?? []
  const stands = (id: string, wanted: string): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (board(id).at(-1) === wanted) resolve()
      }
      waiting.add(look)
      look()
    })
  return { ...client, made, server, board, stands }
}

/** Says that the words are clear, and lets the planner write the spec. */
async function specified({ addIdea, transition, stands }: Rig, id: string, more: object = {}): Promise<void> {
  await addIdea({ id, text: GOAL, ...more })
  await transition({ id, to: 'ideation_ready', reason: 'clear' })
  await transition({ id, to: 'specification', reason: 'go' })
  await stands(id, 'spec_ready')
}

describe('an idea over HTTP', () => {
  it('goes from words to the base branch unattended', async () => {
    const { made, board, stands, idea, transition, ...client } = await rig([answers()])
    await specified({ made, board, stands, idea, transition, ...client }, 'numbers', { auto_advance: true })
    const building = await transition({ id: 'numbers', to: 'building', reason: 'good' })
    expect(building).toMatchObject({ phase: 'building', build: { status: 'active', progress: { total: 2 } } })
    await stands('numbers', 'deployed 2/2')
    // The feed leaves out states that end before the reader asks again, and keeps the order.
    const order = [
      ...['ideation', 'ideation_ready', 'specification', 'spec_ready', 'building 0/2', 'building 1/2'],
      ...['building 2/2', 'build_review 2/2', 'deployed 2/2'],
    ]
    expect(order.filter((one) => board('numbers').includes(one))).toEqual(board('numbers'))
    expect(board('numbers')).toContain('spec_ready')
    expect(made.git('log', '--format=%s', '-2', 'main')).toBe('feat: Add three\nfeat: Add two\n')
    const { moves, spec, repository, base, auto_advance, legal } = await idea({ id: 'numbers' })
    expect({ repository, base, auto_advance, legal, tasks: spec?.tasks?.map(({ id }) => id) }).toEqual({
      repository: expect.any(String),
      base: 'main',
      auto_advance: true,
      legal: ['specification', 'build_review'],
      tasks: ['two', 'three'],
    })
    expect(moves.map(({ from, to, reason }) => `${from} > ${to}: ${reason.replace(/[0-9a-f]{10}/, 'COMMIT')}`)).toEqual(
      [
        'ideation > ideation_ready: clear',
        'ideation_ready > specification: go',
        'specification > specification: ralph serve lets the planner write the spec',
        'specification > spec_ready: a spec with 2 tasks',
        'spec_ready > building: good',
        'building > build_review: the build is complete',
        'build_review > deployed: shipped to main as COMMIT',
      ],
    )
    expect(await client.gate({ project_id: 'numbers' })).toMatchObject({ ok: true, published: true, base: 'main' })
  })

  it('pauses for a human, goes on when that is answered, and the gate has its reasons', async () => {
    const stuck = { role: 'implementer', task: 'two', steps: work('two', 1, 2) }
    const given = await rig([answers(), stuck, SIA_GIVES_UP])
    const { made, stands, transition, gate, publish } = given
    await specified(given, 'numbers', { auto_advance: true })
    // As products start builds that know nothing of pipelines.
    const { sessionId } = await given.start({ ideaId: 'numbers' })
    await stands('numbers', 'paused 0/2')
    expect((await refusal(transition({ id: 'numbers', to: 'building' }))).message).toContain('waits for a human')
    const early = await gate({ project_id: sessionId })
    expect(early).toMatchObject({ ok: false, published: false })
    expect(early.reasons.map(({ code }) => code)).toContain('waiting')
    await given.skip({ sessionId })
    await stands('numbers', 'build_review 1/2')
    const shut = await refusal(transition({ id: 'numbers', to: 'deployed' }))
    expect({ status: shut.status, code: shut.code, reasons: shut.reasons.map(({ code }) => code) }).toEqual({
      status: 409,
      code: 'RALPH_IDEA_GATE',
      reasons: ['skipped'],
    })
    expect((await refusal(publish({ project_id: 'numbers' }))).reasons).toEqual(shut.reasons)
    expect((await gate({ project_id: 'numbers' })).reasons).toEqual(shut.reasons)
    expect(made.git('log', '--format=%s', 'main')).toBe('start\n')
    await publish({ project_id: 'numbers', allow_skipped: true })
    await stands('numbers', 'deployed 1/2')
    expect(made.git('log', '--format=%s', '-1', 'main')).toBe('feat: Add three\n')
  })

  it('is refused where it cannot go, and what is let pass is kept with the reason', async () => {
    const given = await rig([])
    const { addIdea, idea, ideas, transition, stands, server } = given
    const made = await addIdea({ text: '# Something\n\nOf use.' })
    expect(made).toMatchObject({ title: 'Something', phase: 'ideation', auto_advance: false, build: null, spec: null })
    const { id } = made
    const illegal = await refusal(transition({ id, to: 'deployed', reason: 'now' }))
    expect([illegal.status, illegal.message]).toEqual([
      409,
      `idea '${id}' cannot go from ideation to deployed; from there it can go to ideation_ready, paused, failed`,
    ])
    expect((await refusal(addIdea({ id, text: 'Again' }))).code).toBe('RALPH_IDEA_EXISTS')
    expect((await refusal(idea({ id: 'nobody' }))).status).toBe(404)
    expect((await refusal(transition({ id: 'nobody', to: 'paused' }))).status).toBe(404)
    const bad = await server.post(`/api/ideas/${id}/transition`, { to: 'dreaming' })
    expect([bad.status, bad.text]).toEqual([422, expect.stringContaining('body.to')])
    const why = await refusal(transition({ id, to: 'ideation_ready', override: true }))
    expect(why.faults).toEqual([{ path: 'body.reason', problem: 'an override needs a reason, which is kept' }])
    await transition({ id, to: 'ideation_ready' })
    const agent = await refusal(transition({ id, to: 'specification', agent: 'nobody' }))
    expect([agent.status, agent.message]).toEqual([422, expect.stringContaining('body.agent')])
    given.made.play({ steps: [{ dance: true }] })
    expect((await refusal(transition({ id, to: 'specification' }))).code).toBe('RALPH_AGENT_NOT_READY')
    expect((await idea({ id })).phase).toBe('ideation_ready')
    given.made.play(planner({ answerText: 'nothing' }), planner({ answerText: 'nothing' }))
    // A planner that answers nonsense leaves it failed, with the reason.
    await transition({ id, to: 'specification' })
    await stands(id, 'failed')
    expect((await idea({ id })).moves.at(-1)).toMatchObject({ by: 'planner', to: 'failed' })
    await transition({ id, to: 'specification', run: false })
    expect((await refusal(transition({ id, to: 'spec_ready' }))).message).toContain('it has no spec yet')
    const passed = await transition({ id, to: 'spec_ready', override: true, reason: 'it is in my head' })
    expect(passed.moves.at(-1)).toMatchObject({ overridden: ['spec'], reason: 'it is in my head' })
    await transition({ id, to: 'specification', run: false })
    const written = await transition({ id, to: 'spec_ready', spec: 'Add two.' })
    expect(written.spec).toEqual({ id: `idea:${id}`, text: 'Add two.', tasks: null })
    for (const other of ['a', 'b', 'c']) await addIdea({ id: other, text: other })
    const first = await ideas({ limit: 2 })
    const rest = await ideas({ limit: 2, after: String(first.next) })
    expect([first, rest].map((page) => page.ideas.map((one) => one.id))).toEqual([
      ['c', 'b'],
      ['a', id],
    ])
    expect(rest.next).toBeNull()
    const ready = await ideas({ phase: ['spec_ready', 'deployed'] })
    expect(ready.ideas.map((one) => one.id)).toEqual([id])
    expect((await refusal(ideas({ after: 'x' }))).status).toBe(422)
  })

  it('a server that is killed is followed by one that goes on: it asks the planner again, and ships what is complete', async () => {
    const given = await rig([planner({ sleep: 60_000 })])
    const { made, server, addIdea, transition } = given
    await addIdea({ id: 'numbers', text: GOAL })
    await transition({ id: 'numbers', to: 'ideation_ready' })
    await transition({ id: 'numbers', to: 'specification' })
    // Moving the idea away stops the planner.
    await transition({ id: 'numbers', to: 'ideation_ready' })
    await server.program.saw('idea numbers was moved, so its planner is stopped')
    await transition({ id: 'numbers', to: 'specification' })
    await killed(server)
    made.play(answers(), ...WORKERS)
    const second = await served(made)
    const client = createClient({ url: second.address, token: second.token })
    await phaseOf(client, 'spec_ready')
    await client.transition({ id: 'numbers', to: 'building' })
    await phaseOf(client, 'build_review')
    await killed(second)
    // As if the kill had come just before it was shipped.
    made.sql("UPDATE ideas SET advance = 'auto'")
    const third = await served(made)
    const last = createClient({ url: third.address, token: third.token })
    await phaseOf(last, 'deployed')
    expect((await last.idea({ id: 'numbers' })).moves.map(({ to }) => to)).toEqual([
      ...['ideation_ready', 'specification', 'specification', 'ideation_ready'],
      ...['specification', 'specification', 'specification', 'spec_ready', 'building', 'build_review', 'deployed'],
    ])
  })
})

it('the ideas of several repositories are on one board', async () => {
  const [one, other] = [project({ tasks: 'planned' }), project({ tasks: 'planned' })]
  const server = await served(one, {}, '.', other.folder)
  const { addIdea, idea, ideas, transition, followIdeas } = createClient({ url: server.address, token: server.token })
  const { repositories } = await createClient({ url: server.address, token: server.token }).repositories()
  const names = repositories.map(({ name }) => name)
  const [first = '', second = ''] = names
  expect((await refusal(addIdea({ text: 'Where?' }))).code).toBe('RALPH_REPOSITORY_UNSAID')
  for (const repository of names) await addIdea({ id: 'twin', text: 'Both', repository })
  await addIdea({ id: 'only', text: 'One', repository: second })
  expect((await refusal(idea({ id: 'twin' }))).code).toBe('RALPH_REPOSITORY_UNCLEAR')
  await transition({ id: 'twin', to: 'ideation_ready', repository: second })
  expect((await idea({ id: 'twin', repository: first })).phase).toBe('ideation')
  expect((await transition({ id: 'only', to: 'ideation_ready' })).repository).toBe(second)
  const pages = [await ideas({ limit: 2 })]
  pages.push(await ideas({ limit: 2, after: String(pages[0]?.next) }))
  const listed = pages.flatMap((page) => page.ideas.map(({ id, repository }) => [id, repository]))
  expect(listed).toEqual([
    ['twin', first],
    ['only', second],
    ['twin', second],
  ])
  const told = new Map<string, string>()
  let place = ''
  for await (const { after, idea: card } of followIdeas()) {
    told.set(`${card.id} in ${card.repository}`, card.phase)
    place = after
    if (told.size === 3) break
  }
  expect(Object.fromEntries(told)).toEqual({
    [`twin in ${first}`]: 'ideation',
    [`twin in ${second}`]: 'ideation_ready',
    [`only in ${second}`]: 'ideation_ready',
  })
  await transition({ id: 'twin', to: 'paused', repository: first })
  for await (const { idea: card } of followIdeas({ after: place })) {
    if (card.id !== 'twin' || card.phase !== 'paused') continue
    expect(card.repository).toBe(first)
    break
  }
})

async function killed({ program }: Served): Promise<void> {
  program.child.kill('SIGKILL')
  await program.ended
}

async function phaseOf(client: Client, phase: string): Promise<void> {
  for await (const { idea } of client.followIdeas()) if (idea.phase === phase) return
}
