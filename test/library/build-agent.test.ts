// Builds as live sessions: what programs that know sessions expect of a build agent.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import {
  BuildAgent,
  type BuildSession,
  type FactEvent,
  type SiaAgent,
  type SiaRequest,
  type TaskContext,
  type TaskDefinition,
} from '../../src/index.ts'
import { rig } from './library-project.ts'
import { HANG_MS } from '../rig/hang.ts'
import { CHECK, type Project } from '../rig/project.ts'
import { answers, SIA_GIVES_UP, work } from '../rig/sessions.ts'

const WAIT = { timeout: HANG_MS, interval: 20 }

/** Writes what the scripted agent would write for this task. */
async function write({ id }: TaskDefinition, { projectPath }: TaskContext): Promise<{ files: string[] }> {
  const files = (work(id) as readonly { write?: { path: string; content: string } }[]).flatMap(
    (step) => step.write ?? [],
  )
  for (const { path, content } of files) writeFileSync(join(projectPath, path), content)
  return { files: files.map(({ path }) => path) }
}

function allowAttempts(made: Project, number: number): void {
  made.write('ralph.toml', made.read('ralph.toml').replace('attempts = 2', `attempts = ${number}`))
}

describe('a build session in the store', () => {
  it('is created with its tasks', async () => {
    const { agent, ready, rows } = rig([answers()])
    await ready('idea-1')
    const session = await agent.startBuild('idea-1')
    const [row] = rows(`SELECT idea_id, spec_id, current_task_index FROM build_sessions WHERE id = '${session.id}'`)
    expect({ ...row }).toEqual({ idea_id: 'idea-1', spec_id: 'idea:idea-1', current_task_index: 0 })
    expect(session.tasks.map(({ id, name, type }) => [id, name, type])).toEqual([
      ['two', 'Add two', 'api'],
      ['three', 'Add three', 'api'],
    ])
  })
})

describe('BuildAgent', () => {
  it('returns at once, executes tasks one after the other, and the session lives on', async () => {
    const { made, agent, ready } = rig([answers()])
    await ready('idea-1')
    const events: string[] = []
    const note = (event: FactEvent): number =>
      events.push(`${event.type} ${event.ideaId} ${'taskId' in event ? event.taskId : ''}`.trim())
    agent.on('buildStarted', note).on('taskStarted', note).on('taskComplete', note).on('buildComplete', note)
    const session = await agent.startBuild('idea-1')
    expect(session).toMatchObject({ ideaId: 'idea-1', status: 'active', completedTasks: [] })
    await vi.waitFor(() => expect(agent.getSession(session.id)?.status).toBe('complete'), WAIT)
    expect(session.completedTasks).toHaveLength(session.tasks.length)
    await agent.atRest(session.id)
    expect(session.gitCommits).toEqual(
      made.git('log', '--reverse', '--format=%H', `main..ralph/${session.id}`).trim().split('\n'),
    )
    expect([...session.generatedFiles].toSorted()).toEqual(['three.js', 'three.test.js', 'two.js', 'two.test.js'])
    expect(await agent.getSessionByIdeaId('idea-1')).toBe(session)
    await vi.waitFor(() => expect(events).toHaveLength(6), WAIT)
    expect(events).toEqual([
      'buildStarted idea-1',
      'taskStarted idea-1 two',
      'taskComplete idea-1 two',
      'taskStarted idea-1 three',
      'taskComplete idea-1 three',
      'buildComplete idea-1',
    ])
  })

  it('starts nothing where nothing could be verified, says why, and goes on once that is fixed', async () => {
    const { made, agent, ready } = rig([answers()])
    await ready('idea-1')
    const runner = join(made.root, 'run-tests')
    made.write('ralph.toml', made.read('ralph.toml').replace(`"${CHECK}"`, `"'${runner}'"`))
    const told: string[] = []
    const note = ({ type }: FactEvent): number => told.push(type)
    agent.on('baselineFailed', note).on('iterationStarted', note)
    const session = await agent.startBuild('idea-1')
    await vi.waitFor(() => expect(session.status).toBe('paused'), WAIT)
    expect(session.lastError).toContain('unit cannot run on HEAD, since the program')
    await agent.atRest(session.id)
    expect(told).toEqual(['baselineFailed'])
    writeFileSync(runner, `#!/bin/sh\nexec ${CHECK}\n`, { mode: 0o755 })
    await agent.resume(session.id)
    await vi.waitFor(() => expect(session.status).toBe('complete'), WAIT)
    expect(session.lastError).toBeNull()
  })

  it('triggers SIA after 3 failures, and then needs a human', async () => {
    const asked: SiaRequest[] = []
    const siaAgent: SiaAgent = {
      intervene: async (request) => {
        asked.push(request)
        return { type: 'escalate', reason: 'no idea' }
      },
    }
    let tries = 0
    const execute = async (): Promise<never> => {
      tries += 1
      throw new Error('Always fails')
    }
    const { made, agent, ready } = rig([answers()], { taskExecutor: { execute }, siaAgent })
    allowAttempts(made, 3)
    await ready('idea-1')
    const session = await agent.startBuild('idea-1')
    await vi.waitFor(() => expect(asked).toHaveLength(1), WAIT)
    expect(tries).toBe(3)
    await vi.waitFor(() => expect(session.status).toBe('human_needed'), WAIT)
    expect(asked[0]).toMatchObject({
      task: { id: 'two', name: 'Add two' },
      lastError: 'Always fails',
    })
    expect(session).toMatchObject({ failedTasks: ['two'], siaInterventions: 1 })
  })

  it('what execute throws is a failed attempt with these very words, each time', async () => {
    const asked: SiaRequest[] = []
    const siaAgent: SiaAgent = {
      intervene: async (request) => {
        asked.push(request)
        return { type: 'escalate', reason: 'no idea' }
      },
    }
    const thrown: unknown[] = [new Error('the first'), 'the second', { message: 'the third' }]
    const execute = async (): Promise<never> => {
      throw thrown.shift()
    }
    const { made, agent, ready } = rig([answers()], { taskExecutor: { execute }, siaAgent })
    allowAttempts(made, 3)
    await ready('idea-1')
    const failed: string[] = []
    agent.on('taskFailed', ({ taskId, attempt, error }) => failed.push(`${taskId} ${attempt}: ${error}`))
    const session = await agent.startBuild('idea-1')
    await vi.waitFor(() => expect(session.status).toBe('human_needed'), WAIT)
    expect(failed).toEqual(['two 1: the first', 'two 2: the second', 'two 3: the third'])
    expect(asked[0]).toMatchObject({ lastError: 'the third', attempts: 3 })
    expect(asked[0]?.context.prompt).toContain(
      [
        '- attempt 1, session 1: the first',
        '- attempt 2, session 1: the second',
        '- attempt 3, session 1: the third',
      ].join('\n'),
    )
  })

  it('what a part says is a claim: the checks of the engine decide', async () => {
    const saved: string[] = []
    const committed: string[] = []
    const { agent, ready } = rig([answers()], {
      taskExecutor: {
        execute: async (task, context) => {
          if (context.attempt > 1) return write(task, context)
          // Its test is red.
          const [, { write: module }, { write: test }] = work(task.id, 1, 2) as [object, Written, Written, object]
          for (const { path, content } of [module, test]) writeFileSync(join(context.projectPath, path), content)
          return { files: [] }
        },
      },
      checkpointManager: { save: async ({ status }: BuildSession) => void saved.push(status) },
      gitIntegration: { commit: async (idea: string, message: string) => void committed.push(`${idea} ${message}`) },
    })
    await ready('idea-1')
    const failed: string[] = []
    agent.on('taskFailed', ({ taskId, attempt }) => failed.push(`${taskId} ${attempt}`))
    const session = await agent.startBuild('idea-1')
    await vi.waitFor(() => expect(committed).toHaveLength(2), WAIT)
    expect(failed).toEqual(['two 1', 'three 1'])
    expect(committed).toEqual(['idea-1 feat: Add two\n\nTask ID: two', 'idea-1 feat: Add three\n\nTask ID: three'])
    await vi.waitFor(() => expect(saved.at(-1)).toBe('complete'), WAIT)
    expect(session.completedTasks).toEqual(['two', 'three'])
  })

  it('a validation has a veto', async () => {
    const verdicts = [{ passed: false, errors: ['too short', 'too long'] }]
    const { agent, ready } = rig([answers()], {
      taskExecutor: { execute: write },
      validationRunner: { validate: async () => verdicts.shift() ?? { passed: true, errors: [] } },
    })
    await ready('idea-1')
    const errors: (string | null)[] = []
    agent.on('iterationDone', ({ error }) => errors.push(error))
    const session = await agent.startBuild('idea-1')
    await vi.waitFor(() => expect(session.status).toBe('complete'), WAIT)
    expect(errors).toEqual(['too short; too long', null, null])
  })

  it('skips past a task that waits, and goes on', async () => {
    const stuck = { role: 'implementer', task: 'two', steps: work('two', 1, 2) }
    const { agent, ready } = rig([answers(), stuck, SIA_GIVES_UP])
    await ready('idea-1')
    const session = await agent.startBuild('idea-1')
    await vi.waitFor(() => expect(session.status).toBe('human_needed'), WAIT)
    const { currentTaskIndex } = session
    await agent.skipTask(session.id)
    await vi.waitFor(() => expect(session.status).toBe('complete'), WAIT)
    expect(session.failedTasks).toContain('two')
    expect(session.completedTasks).toEqual(['three'])
    expect(session.currentTaskIndex).toBeGreaterThan(currentTaskIndex)
  })

  it("takes a human's fix, verifies it and goes on", async () => {
    const stuck = { role: 'implementer', task: 'two', steps: work('two', 1, 2) }
    const { made, agent, ready } = rig([answers(), stuck, SIA_GIVES_UP])
    await ready('idea-1')
    const session = await agent.startBuild('idea-1')
    await vi.waitFor(() => expect(session.status).toBe('human_needed'), WAIT)
    const folder = String(made.json('open', 'two')['folder'])
    writeFileSync(join(folder, 'two.js'), 'export const two = () => 2\n')
    await agent.resolveTask(session.id, 'It gives two')
    await vi.waitFor(() => expect(session.status).toBe('complete'), WAIT)
    expect(session.completedTasks).toEqual(['two', 'three'])
    expect(made.git('log', '--format=%s', `ralph/${session.id}`)).toContain('fix: Manual resolution for Add two\n')
  })

  it('pauses, and resumes where it was, also in another process', async () => {
    const { made, agent, ready } = rig([answers()])
    await ready('idea-1')
    const paused = new Promise<void>((resolve) => {
      agent.once('taskComplete', ({ sessionId }) => void agent.pause(sessionId).then(resolve))
    })
    const session = await agent.startBuild('idea-1')
    await paused
    await agent.atRest(session.id)
    expect(session.status).toBe('paused')
    const done = session.completedTasks.length
    expect(done).toBeGreaterThan(0)
    await agent.close()
    const other = new BuildAgent({ folder: made.folder, env: made.env })
    expect(await other.findSession(session.id)).toMatchObject({ status: 'paused' })
    expect(other.getSession(session.id)).toBeNull()
    await other.resume(session.id)
    await vi.waitFor(() => expect(other.getSession(session.id)?.status).toBe('complete'), WAIT)
    await other.close()
  })

  it('refuses what is not there or cannot be', async () => {
    const given = rig([answers()])
    const { agent, ready } = given
    await expect(agent.startBuild('nobody')).rejects.toMatchObject({ code: 'IDEA_NOT_FOUND' })
    await expect(agent.pause('b_none')).rejects.toMatchObject({ code: 'BUILD_NOT_FOUND' })
    expect(await agent.getSessionByIdeaId('nobody')).toBeNull()
    const { made, orchestrator } = given
    await orchestrator.addIdea({ id: 'idea-0', text: 'Not clear yet' })
    const before = made.state()
    await expect(agent.startBuild('idea-0')).rejects.toMatchObject({ code: 'IDEA_MOVE_ILLEGAL' })
    expect(made.state()).toEqual(before)
    await ready('idea-1')
    await ready('idea-2')
    await agent.startBuild('idea-1')
    await expect(agent.startBuild('idea-2')).rejects.toMatchObject({ code: 'BUILD_UNFINISHED' })
  })

  it('takes its parts one by one as well', async () => {
    const execute = async (): Promise<void> => {}
    const agent = new BuildAgent({ execute }, undefined, undefined, undefined, undefined, { url: 'mysql://x' })
    await expect(agent.startBuild('idea-1')).rejects.toMatchObject({ code: 'STORE_URL_BAD' })
  })
})

interface Written {
  readonly write: { readonly path: string; readonly content: string }
}
