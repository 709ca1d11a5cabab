// The same verbs through every way in: what each face is asked, and its answer in words that all of them share.
import { onTestFinished } from 'vitest'
import {
  answerTask,
  BuildAgent,
  findBuild,
  moveBuild,
  openPlace,
  RalphError,
  retryTask,
  skipTask,
  type Task,
} from '../../src/index.ts'
import { taskId } from '../../src/core/id.ts'
import type { Project } from '../cli/build-project.ts'
import { type Answered, type Body, served } from '../http/served.ts'

/** What came of it: an answer, or the code and the sentence of a refusal. */
export type Outcome = { readonly answer: unknown } | { readonly refused: string; readonly sentence: string }

export type Verb =
  | { readonly do: 'status' | 'tasks' | 'facts' | 'pause' | 'resume' | 'abort' | 'publish' | 'step' }
  | { readonly do: 'task' | 'retry' | 'skip'; readonly task: string }
  | { readonly do: 'answer'; readonly task: string; readonly text: string }

/** Null: this face has no such verb. */
export type Player = (verb: Verb) => Promise<Outcome | null>

const taskOf = ({ id, title, status, priority, deps }: Task | Body): Body => ({ id, title, status, priority, deps })
const statusOf = (session: Body): Body => {
  const { status, ideaId, completedTasks, failedTasks, currentTaskIndex } = session
  return {
    status,
    ideaId,
    completedTasks,
    failedTasks,
    currentTaskIndex,
    tasks: (session['tasks'] as Body[]).map(({ id }) => id),
  }
}
const refusal = ({ code, message }: Body): Outcome => ({
  refused: String(code),
  sentence: String(message).split('\n', 1)[0] ?? '',
})

export function cliPlayer(made: Project): Player {
  const run = async (
    args: readonly string[],
    answer: (document: Body, lines: readonly Body[]) => unknown,
  ): Promise<Outcome> => {
    const { stdout } = await made.start([...args, '--json']).ended
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Body)
    const [document = {}] = lines
    return 'error' in document ? refusal(document['error'] as Body) : { answer: answer(document, lines) }
  }
  return async (verb) => {
    switch (verb.do) {
      case 'status':
        return run(['status'], statusOf)
      case 'tasks':
        return run(['task', 'list', '--all'], (document) => (document as unknown as Body[]).map(taskOf))
      case 'task':
        return run(['task', 'show', verb.task], taskOf)
      case 'facts':
        return run(['log'], (_, lines) => lines)
      case 'pause':
      case 'resume':
      case 'abort':
        return run([verb.do], ({ state }) => state)
      case 'step':
        return run(['step'], ({ phase }) => phase)
      case 'retry':
      case 'skip':
        return run([verb.do, verb.task], ({ task }) => task)
      case 'answer':
        return run(['answer', verb.task, '-m', verb.text], ({ task }) => task)
      case 'publish':
        return run(['ship'], ({ shipped, reasons }) => (shipped === true ? 'published' : whats(reasons)))
    }
  }
}

const whats = (reasons: unknown): unknown => (reasons as Body[]).map(({ what }) => what)

export async function httpPlayer(made: Project): Promise<Player> {
  const server = await served(made)
  const id = made.build()
  const outcome = ({ status, body }: Answered, answer: (body: Body) => unknown): Outcome =>
    status === 200 ? { answer: answer(body) } : refusal(body['error'] as Body)
  const state = async () => ((await server.get(`/api/builds?limit=1`)).body['builds'] as Body[])[0]?.['state']
  return async (verb) => {
    switch (verb.do) {
      case 'status':
        return outcome(await server.get(`/api/build/${id}/status`), statusOf)
      case 'tasks':
        return outcome(await server.get('/api/tasks'), ({ tasks }) => (tasks as Body[]).map(taskOf))
      case 'task':
        return outcome(await server.get(`/api/tasks/${verb.task}`), taskOf)
      case 'facts':
        return outcome(await server.get(`/api/builds/${id}/facts?limit=1000`), ({ facts }) => facts)
      case 'pause':
      case 'resume':
      case 'abort': {
        const answer = await server.post(`/api/build/${id}/${verb.do}`)
        // A loop of the server looks whether there is something to do, and finds that a human is waited for.
        if (verb.do === 'resume' && answer.status === 200) await server.program.saw(`build ${id}: `)
        const after = await state()
        return outcome(answer, () => after)
      }
      case 'step':
        return outcome(await server.post('/api/build/step', { build_id: id }), ({ phase }) => phase)
      case 'retry':
      case 'skip':
        return outcome(
          await server.post(`/api/build/${id}/${verb.do}`, { task_id: verb.task }),
          (body) => body['task_id'],
        )
      case 'answer': {
        const said = { task_id: verb.task, text: verb.text }
        return outcome(await server.post(`/api/build/${id}/answer`, said), (body) => body['task_id'])
      }
      case 'publish': {
        const answer = await server.post(`/api/projects/${id}/publish`)
        if (answer.body['reasons'] !== undefined) return { answer: whats(answer.body['reasons']) }
        return outcome(answer, () => 'published')
      }
    }
  }
}

export async function libraryPlayer(made: Project): Promise<Player> {
  const place = { folder: made.folder, env: made.env }
  const { desk } = await openPlace(place)
  const agent = new BuildAgent(place)
  onTestFinished(async () => {
    await agent.close()
    desk.store.close()
  })
  const { id, idea } = await findBuild(desk)
  const verbs: Partial<Record<Verb['do'], (verb: Verb) => Promise<unknown>>> = {
    status: async () => statusOf({ ...(await agent.findSession(id)) }),
    tasks: async () => (await desk.store.tasks.list(desk.scope, {})).map(taskOf),
    facts: async () =>
      (await desk.store.builds.facts(id, 0, 1000)).map(({ fact, seq, at }) => ({
        ...fact,
        seq,
        at,
        sessionId: id,
        ideaId: idea,
      })),
    pause: async () => (await moveBuild(desk, 'pause', id)).state,
    resume: async () => (await moveBuild(desk, 'resume', id)).state,
    abort: async () => (await moveBuild(desk, 'abort', id)).state,
    retry: (verb) => retryTask(desk, taskId('task' in verb ? verb.task : '')),
    skip: (verb) => skipTask(desk, taskId('task' in verb ? verb.task : '')),
    answer: (verb) => (verb.do === 'answer' ? answerTask(desk, verb.text, taskId(verb.task)) : Promise.reject(verb)),
  }
  return async (verb) => {
    try {
      const played = verbs[verb.do]
      return played === undefined ? null : { answer: await played(verb) }
    } catch (error) {
      if (!(error instanceof RalphError)) throw error
      return refusal({ code: error.publicCode, message: error.message })
    }
  }
}
