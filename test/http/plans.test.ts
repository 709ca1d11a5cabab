// A plan before its build, over HTTP: made from words or a list, looked at, changed, started; and what proves the build.
import { describe, expect, it } from 'vitest'
import { type Client, createClient } from '../../src/index.ts'
import { refusal } from './refusal.ts'
import { served, type Served } from './served.ts'
import { project, type Project } from '../rig/project.ts'
import { answers, GOAL, planner } from '../rig/sessions.ts'

async function rig(...sessions: readonly object[]): Promise<Client & { made: Project; server: Served }> {
  const made = project({ tasks: 'planned', script: sessions })
  const server = await served(made)
  return { ...createClient({ url: server.address, token: server.token }), made, server }
}

/** Resolves when the feed tells that the idea is there. */
async function reaches({ followIdeas }: Client, id: string, phase: string): Promise<void> {
  for await (const { idea } of followIdeas()) if (idea.id === id && idea.phase === phase) return
}

const own = { id: 'two', title: 'Add two', goal: 'There is two.', acceptance: ['two() is 1'] }
const other = { ...own, id: 'three', title: 'Add three', depends_on: ['two'] }

describe('a plan without a build', () => {
  it('is made by the planner while nobody waits, changed, kept, and built as it was changed', async () => {
    const client = await rig(answers())
    const begun = await client.makePlan({ text: GOAL })
    const id = begun.idea_id
    expect(begun).toMatchObject({ text: GOAL, planner: 'scripted', problem: null, build_id: null, also_built: 0 })
    await reaches(client, id, 'spec_ready')
    const made = await client.plan({ id })
    expect(made).toMatchObject({ phase: 'spec_ready', notes: 'As asked.', planning_since: null, known: [] })
    expect(made.tasks?.map(({ id: task, depends_on: deps }) => [task, deps])).toEqual([
      ['two', []],
      ['three', ['two']],
    ])
    expect((await client.tasks()).tasks).toEqual([])
    const [said = '', ...others] = made.planner_sessions
    expect([said.startsWith(`${id}.`), others]).toEqual([true, []])
    expect((await client.rows({ id: said })).rows[0]).toMatchObject({ type: 'text', text: 'I see' })
    const circle = { tasks: [{ ...own, depends_on: ['three'] }, other] }
    expect((await refusal(client.savePlan({ id, ...circle }))).message).toBe(
      "task 'two': 'depends_on' goes in a circle: two -> three -> two; nothing was changed",
    )
    expect((await refusal(client.startPlan({ id, tasks: [{ ...own, depends_on: ['gone'] }] }))).message).toContain(
      "names 'gone', which is no task of this plan",
    )
    const kept = await client.savePlan({ id, tasks: [{ ...own, title: 'Add number two' }], notes: 'Less.' })
    expect(kept).toMatchObject({ phase: 'spec_ready', notes: 'Less.', tasks: [{ id: 'two', title: 'Add number two' }] })
    const { sessionId } = await client.startPlan({ id, tasks: [{ ...own, title: 'Only two' }] })
    await client.server.until(sessionId, 'complete')
    const { tasks, next } = await client.evidence({ id: sessionId })
    const commit = client.made.git('rev-parse', `ralph/${sessionId}`).trim()
    expect(next).toBe(null)
    expect(tasks).toEqual([
      {
        taskId: 'two',
        title: 'Only two',
        commit,
        digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
        acceptedBy: null,
        tree: client.made.git('rev-parse', `${commit}^{tree}`).trim(),
        checks: [
          expect.objectContaining({
            name: 'unit',
            isGreen: true,
            exit: 0,
            tests: { source: 'node:test', run: 2, failed: 0, skipped: 0 },
            rerun: expect.stringContaining('git archive'),
          }),
        ],
      },
    ])
    expect(client.made.git('log', '-1', '--format=%B', commit)).toContain(tasks[0]?.digest)
    expect((await refusal(client.savePlan({ id, tasks: [own] }))).code).toBe('RALPH_PLAN_CLOSED')
    expect((await refusal(client.evidence({ id: sessionId, after: 'none' }))).status).toBe(422)
  })

  it('is stopped when its idea is moved away, said in other words, and survives a server that is killed', async () => {
    const client = await rig(planner({ sleep: 60_000 }))
    const { idea_id: id } = await client.makePlan({ text: 'Something' })
    expect(await client.plan({ id })).toMatchObject({ phase: 'specification', planning_since: expect.any(Number) })
    expect((await refusal(client.makePlan({ text: GOAL, idea_id: id }))).code).toBe('RALPH_PLAN_WORDS_CLOSED')
    await client.transition({ id, to: 'ideation_ready', reason: 'not so' })
    expect(await client.plan({ id })).toMatchObject({ phase: 'ideation_ready', planning_since: null, tasks: null })
    await client.makePlan({ text: GOAL, idea_id: id })
    expect(await client.plan({ id })).toMatchObject({ text: GOAL, title: GOAL, phase: 'specification' })
    client.server.program.child.kill('SIGKILL')
    await client.server.program.ended
    client.made.play(answers())
    const after = await served(client.made)
    const again = createClient({ url: after.address, token: after.token })
    await reaches(again, id, 'spec_ready')
    expect((await again.plan({ id })).tasks?.length).toBe(2)
  })

  it('is taken from a list as it is; what cannot be planned leaves nothing behind', async () => {
    const client = await rig(planner({ answerText: 'no' }), planner({ answerText: 'no' }))
    const list = await client.makePlan({ text: '- [ ] Add two\n  - [ ] with a test\n- [x] Add one\n- [ ] Add three\n' })
    expect(list).toMatchObject({
      phase: 'spec_ready',
      title: 'Add two and 1 more',
      notes: 'Taken over from a checklist. 1 that is checked off is left out.',
      tasks: [
        { id: 'add-two', title: 'Add two', goal: 'Add two\n\n- with a test', acceptance: ['Add two'] },
        { id: 'add-three' },
      ],
    })
    const before = (await client.ideas()).ideas.length
    expect((await refusal(client.makePlan({ text: '{"tasks": oops' }))).message).toContain('is not valid JSON')
    expect((await refusal(client.makePlan({ text: '- [x] all done' }))).code).toBe('RALPH_PLAN_BAD')
    expect((await refusal(client.makePlan({ text: '  ' }))).status).toBe(422)
    expect((await refusal(client.plan({ id: 'nobody' }))).status).toBe(404)
    client.made.play({ steps: [{ dance: true }] })
    expect((await refusal(client.makePlan({ text: GOAL }))).code).toBe('RALPH_AGENT_NOT_READY')
    expect((await client.ideas()).ideas.length).toBe(before)
    client.made.play(planner({ answerText: 'no' }), planner({ answerText: 'no' }))
    const { idea_id: id } = await client.makePlan({ text: GOAL })
    await reaches(client, id, 'failed')
    expect((await client.plan({ id })).problem).toContain('gave no usable plan')
    client.made.play(answers())
    await client.makePlan({ text: GOAL, idea_id: id })
    await reaches(client, id, 'spec_ready')
  })

  it('waits a limit out, and says so to those who wait for it', async () => {
    const limit = planner({ fail: { kind: 'rateLimit', sentence: 'no more for now', untilInSeconds: 3_600 } })
    const client = await rig(limit)
    const { idea_id: id } = await client.makePlan({ text: GOAL })
    for await (const { idea } of client.followIdeas())
      if (idea.id === id && (await client.plan({ id })).told !== null) break
    expect(await client.plan({ id })).toMatchObject({
      phase: 'specification',
      planning_since: expect.any(Number),
      told: expect.stringMatching(/^waits until .*: .*no more for now/),
    })
  })

  it('belongs to the repository that is named, and is found there afterwards', async () => {
    const [one, other] = [project({ tasks: 'planned' }), project({ tasks: 'planned', script: [answers()] })]
    const server = await served(one, {}, '.', other.folder)
    const client = createClient({ url: server.address, token: server.token })
    expect((await refusal(client.makePlan({ text: GOAL }))).code).toBe('RALPH_REPOSITORY_UNSAID')
    const { idea_id: id } = await client.makePlan({ text: GOAL, repository: other.folder })
    await reaches(client, id, 'spec_ready')
    const { tasks } = await client.plan({ id })
    expect(tasks?.map((task) => task.id)).toEqual(['two', 'three'])
    expect((await client.savePlan({ id, tasks: [own] })).tasks).toHaveLength(1)
  })
})
